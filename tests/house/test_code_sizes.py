"""Modules and functions stay small enough to be read in one go."""

from __future__ import annotations

import ast
from typing import cast

from house.parsed import ROOT, modules, nodes

MODULE_LINES = 400
FUNCTION_LINES = 60
IN_EACH_LIBRARY = {"ProvGraphRetriever"}
"""Classes that have one name in every library that ProvGraph stands in."""

STILL_LONG = {
    "services/provgraph/verdicts/matching.py",
    "services/provgraph/verdicts/things.py",
}
"""Modules with more than one idea that are yet to be split."""


def test_no_module_is_longer_than_400_lines() -> None:
    lines = {
        str(module.relative_to(ROOT)): len(module.read_text().splitlines())
        for module in modules("services", "training")
    }
    assert {name for name, count in lines.items() if count > MODULE_LINES} <= STILL_LONG


def test_no_function_is_longer_than_60_lines() -> None:
    long = [
        f"{module.relative_to(ROOT)}: {node.name}"
        for module in modules("services", "tests", "benchmarks", "training")
        for node in nodes(module)
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef)
        and (node.end_lineno or 0) - node.lineno >= FUNCTION_LINES
    ]
    assert long == []


def test_every_module_says_what_it_is_for() -> None:
    silent = [
        str(module.relative_to(ROOT))
        for module in modules("services", "tests", "benchmarks", "training")
        if not ast.get_docstring(cast(ast.Module, nodes(module)[0]))
    ]
    assert silent == []


def test_no_public_class_name_has_two_meanings() -> None:
    defined: dict[str, set[str]] = {}
    for module in modules("services"):
        for node in nodes(module):
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                defined.setdefault(node.name, set()).add(str(module))
    double = {name: places for name, places in defined.items() if len(places) > 1}
    assert {name: places for name, places in double.items() if name not in IN_EACH_LIBRARY} == {}
