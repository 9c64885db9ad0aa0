"""The cells of the tutorial, and what each would show."""

from __future__ import annotations

import ast
import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any

TUTORIAL = Path(__file__).parents[2] / "docs" / "tutorial.ipynb"


def cells() -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = json.loads(TUTORIAL.read_text())["cells"]
    return found


def run(names: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Execute the code cells in one namespace: each cell's code, and the value of its last expression."""
    for number, cell in enumerate(cells()):
        if cell["cell_type"] != "code":
            continue
        code = "".join(cell["source"])
        tree = ast.parse(code)
        last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
        exec(compile(tree, f"cell {number}", "exec"), names)
        shown = None
        if isinstance(last, ast.Expr):
            shown = eval(compile(ast.Expression(last.value), f"cell {number}", "eval"), names)
        yield code, shown
