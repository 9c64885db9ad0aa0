"""What children of the service are given of its environment: what they need to run, and no secret."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterable
from typing import Final

_NEEDED: Final = frozenset(
    "PATH PYTHONPATH PYTHONHOME PYTHONDONTWRITEBYTECODE PYTHONPYCACHEPREFIX VIRTUAL_ENV LD_LIBRARY_PATH "
    "DYLD_LIBRARY_PATH LANG LANGUAGE TZ TMPDIR TEMP TMP HOME SYSTEMROOT TESSDATA_PREFIX".split()
)
_SETTINGS: Final = ("PROVGRAPH_", "OPENAI_")


def child_environment(**more: str) -> dict[str, str]:
    """Tokens, keys and addresses with passwords stay behind: who takes a child over finds none."""
    kept = {name: value for name, value in os.environ.items() if name in _NEEDED or name.startswith("LC_")}
    return {**kept, **more}


def forget_all_else() -> None:
    """In a child that was given everything: keep what `child_environment` gives."""
    _forget(set(os.environ) - set(child_environment()))


def forget_settings() -> None:
    """In a service that has read them: nothing that it starts from now on finds tokens and keys in its environment."""
    _forget(name for name in list(os.environ) if name.startswith(_SETTINGS))


def _forget(names: Iterable[str]) -> None:
    """Unset variables, and blank their values where the system shows how a process was started (proc(5), environ)."""
    place_of = ctypes.CDLL(None).getenv
    place_of.restype = ctypes.c_void_p
    for name in names:
        if place := place_of(os.fsencode(name)):
            ctypes.memset(place, 0, len(os.fsencode(os.environ[name])))
        del os.environ[name]
