"""What a store and a library hold, times aside, so that two of them can be compared."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from pathlib import Path

import httpx2
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from provgraph.rdf.vocabulary import TG, XSD


def told(quads: Iterable[Quad]) -> Counter[str]:
    """The quads of named graphs, times as if they were one; a writer's marks in the default graph do not count."""
    return Counter(
        f"{quad.subject} {quad.predicate} {'sometime' if _is_time(quad) else quad.object} {quad.graph_name}"
        for quad in quads
        if isinstance(quad.graph_name, NamedNode)
    )


def on_server(url: str) -> Counter[str]:
    dump = httpx2.get(
        f"{url}/store", headers={"Accept": "application/n-quads"}, trust_env=False, timeout=120
    ).raise_for_status()
    return told(parse(dump.content, RdfFormat.N_QUADS))


def files_of(library: Path) -> dict[str, bytes]:
    """What the library holds by key, and whatever was left waiting."""
    return {
        str(file.relative_to(library)): file.read_bytes()
        for file in sorted(library.rglob("*"))
        if file.is_file()
    }


def _is_time(quad: Quad) -> bool:
    """A moment, or how long a model took."""
    is_moment = isinstance(quad.object, Literal) and quad.object.datatype == XSD.date_time
    return is_moment or quad.predicate == TG.llm_duration_ms
