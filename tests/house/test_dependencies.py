"""The install stays light: what is declared is used, and the heavy things of the field are not among it."""

from __future__ import annotations

import ast
import re
import tomllib
from collections.abc import Iterator
from importlib.metadata import packages_distributions

from house.parsed import ROOT, modules, nodes

# FastAPI reads forms with the first; uvicorn speaks WebSocket with the second.
USED_WITHOUT_IMPORT = {"python-multipart", "websockets"}


def declared() -> set[str]:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return {re.split(r"[<>=\[]", requirement)[0] for requirement in project["dependencies"]}


def imported_modules() -> Iterator[str]:
    for module in modules():
        for node in nodes(module):
            if isinstance(node, ast.Import):
                yield from (alias.name.partition(".")[0] for alias in node.names)
            elif isinstance(node, ast.ImportFrom) and node.module:
                yield node.module.partition(".")[0]


def test_every_declared_dependency_is_used() -> None:
    providers = packages_distributions()
    used = {
        name.casefold().replace("_", "-")
        for module in imported_modules()
        for name in providers.get(module, [])
    }
    assert declared() - used - USED_WITHOUT_IMPORT == set()


def test_nothing_heavy_is_declared() -> None:
    assert declared() & {"torch", "pyarrow", "transformers", "pandas"} == set()


def test_pyoxigraph_is_imported_where_rdf_is_stored_parsed_or_queried_and_nowhere_else() -> None:
    """Other rooms take the terms of RDF from `rdf.terms` and its formats from `rdf.serialization`."""
    package = ROOT / "services" / "provgraph"
    importers = {
        module.relative_to(package).parts[0]
        for module in modules()
        for node in nodes(module)
        if isinstance(node, ast.ImportFrom) and node.module == "pyoxigraph"
    }
    assert importers == {"rdf", "sparql", "adapters"}
