"""Answers from documents, each proved down to the characters it was read from."""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from provgraph.client.async_client import AsyncClient
    from provgraph.client.client import Client

__all__ = ["AsyncClient", "Client", "__version__"]
__version__ = "0.1.0"

_MODULES = {"AsyncClient": "provgraph.client.async_client", "Client": "provgraph.client.client"}


def __getattr__(name: str) -> Any:
    """The clients are imported when they are first named: the package is imported by what needs none."""
    if name not in _MODULES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_MODULES[name]), name)
