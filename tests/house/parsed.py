"""The repository's modules as trees, each parsed once for all tests of the house."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from functools import cache
from pathlib import Path

ROOT = Path(__file__).parents[2]


def modules(*folders: str) -> Iterator[Path]:
    for folder in folders or ("services",):
        yield from (ROOT / folder).rglob("*.py")


@cache
def nodes(module: Path) -> tuple[ast.AST, ...]:
    """All nodes of a module, itself first: millions of objects that stay, which nobody looks through for garbage."""
    found = tuple(ast.walk(ast.parse(module.read_text())))
    gc.freeze()
    return found
