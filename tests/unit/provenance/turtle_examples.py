"""The Turtle that the docstring of a builder shows, as triples."""

from __future__ import annotations

import inspect
import textwrap
from collections.abc import Callable, Iterable
from typing import Any, Final

from pyoxigraph import Quad, RdfFormat, Store, Triple, parse

from provgraph.provenance import (
    access,
    candidates,
    change,
    circumstances,
    derivation,
    document_trace,
    library,
    model_calls,
    papers,
    receipt,
    records,
    resolution,
    source,
    trace,
    trace_annotations,
    verification_trace,
)
from provgraph.rdf.vocabulary import PREFIXES

BASE: Final = "https://example.org/"
BUILDERS: Final[dict[str, Callable[..., Iterable[Quad]]]] = {
    name: function
    for module in (
        source,
        library,
        trace,
        document_trace,
        derivation,
        candidates,
        circumstances,
        model_calls,
        change,
        trace_annotations,
        papers,
        receipt,
        records,
        access,
        resolution,
        verification_trace,
    )
    for name, function in inspect.getmembers(module, inspect.isfunction)
    if name.endswith("_quads") and not name.startswith("_") and function.__module__ == module.__name__
}


def example(builder: Callable[..., Any]) -> str:
    """The paragraphs of Turtle in the builder's docstring, with the prefixes that all examples share."""
    paragraphs = inspect.getdoc(builder).split("\n\n")  # type: ignore[union-attr]
    turtle = [textwrap.dedent(text) for text in paragraphs if text.lstrip().startswith("<")]
    prefixes = [f"@prefix {prefix}: <{iri}> ." for prefix, iri in PREFIXES.items()]
    return "\n".join([f"@base <{BASE}> .", *prefixes, *turtle])


def triples(turtle: str) -> set[Triple]:
    """The triples as a store gives them back."""
    return as_stored(parse(turtle.encode(), format=RdfFormat.TURTLE))


def as_stored(quads: Iterable[Quad]) -> set[Triple]:
    store = Store()
    store.extend(quads)
    return {quad.triple for quad in store}
