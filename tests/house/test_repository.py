"""What may stand in the repository, and what not."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Iterator
from pathlib import Path

import pytest

from house.parsed import ROOT, modules, nodes

FOLDERS = (".ci", "benchmarks", "docs", "ontology", "schemas", "services", "tests", "training")
LARGEST = 500_000
LARGE = {
    "services/provgraph/reading/parser/weights.npz": 6_500_000,
    "services/provgraph/language/words/wordnet.npz": 2_000_000,
    "services/provgraph/comprehension/comprehension.onnx": 24_000_000,
    "training/comprehension/documents.jsonl.xz": 2_000_000,
}
"""What is larger for a reason, and how large it may be: weights, and what they are trained with."""
OF_ONE_MACHINE = re.compile(
    r"""(?<![\w./-])/(?:home|Users|root|work)/\w   # a path that only one machine has
      | --(?:extra-)?index-url | --trusted-host | PIP_INDEX_URL   # a registry that only one site has
    """,
    re.VERBOSE,
)
LOGS = {"exception", "error", "warning", "info", "debug", "critical"}


def files() -> Iterator[Path]:
    yield from (path for path in ROOT.iterdir() if path.is_file() and path.name != ".git")
    for folder in FOLDERS:
        for path in (ROOT / folder).rglob("*"):
            if path.is_file() and "__pycache__" not in path.parts:
                yield path


def texts() -> Iterator[tuple[str, str]]:
    for path in files():
        if path.suffix not in (".pdf", ".docx", ".png", ".npz", ".onnx", ".xz") and path != Path(__file__):
            yield str(path.relative_to(ROOT)), path.read_text()


def is_broad(handler: ast.ExceptHandler) -> bool:
    caught = handler.type.elts if isinstance(handler.type, ast.Tuple) else [handler.type]
    names = {each.id for each in caught if isinstance(each, ast.Name)}
    return handler.type is None or bool(names & {"Exception", "BaseException"})


def tells(handler: ast.ExceptHandler) -> bool:
    """Whether the handler raises, or logs what it caught."""
    return any(
        isinstance(node, ast.Raise)
        or (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and node.func.attr in LOGS)
        for node in ast.walk(handler)
    )


def swallowed(nodes: Iterable[ast.AST]) -> list[int]:
    """The lines of broad `except` clauses that neither raise nor log."""
    return [
        node.lineno
        for node in nodes
        if isinstance(node, ast.ExceptHandler) and is_broad(node) and not tells(node)
    ]


def test_no_broad_except_swallows_an_error() -> None:
    found = {
        str(module.relative_to(ROOT)): lines for module in modules() if (lines := swallowed(nodes(module)))
    }
    assert found == {}


@pytest.mark.parametrize(
    ("source", "lines"),
    [
        ("try:\n    f()\nexcept Exception:\n    pass\n", [3]),
        ("try:\n    f()\nexcept (ValueError, BaseException):\n    x = 1\n", [3]),
        ("try:\n    f()\nexcept Exception:\n    raise\n", []),
        ("try:\n    f()\nexcept ValueError:\n    pass\n", []),
    ],
)
def test_a_swallowed_error_would_be_seen(source: str, lines: list[int]) -> None:
    assert swallowed(ast.walk(ast.parse(source))) == lines


def test_no_file_is_larger_than_500_kb() -> None:
    sizes = {str(path.relative_to(ROOT)): path.stat().st_size for path in files()}
    assert {name: size for name, size in sizes.items() if size > LARGE.get(name, LARGEST)} == {}


def test_nothing_names_a_path_or_a_registry_of_one_machine() -> None:
    found = {name: match.group() for name, text in texts() if (match := OF_ONE_MACHINE.search(text))}
    assert found == {}


def test_tests_use_real_things_and_no_mocks() -> None:
    mocked = [
        name
        for name, text in texts()
        if name.endswith(".py")
        and re.search(r"^\s*(?:from|import) (?:unittest\.)?mock\b", text, re.MULTILINE)
    ]
    assert mocked == []
