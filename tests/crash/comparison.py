"""What a store and a library hold, times aside, so that two of them can be compared; which sessions have no end."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Set
from pathlib import Path
from typing import Final

import httpx2
from pyoxigraph import Literal, NamedNode, Quad, RdfFormat, parse

from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.flows.runner.session_leases import GRAPH as AT_WORK
from provgraph.provenance.records import RECORDS
from provgraph.provenance.trace import SessionOutcome
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.vocabulary import PROV, RDF, TG, XSD
from servers.direct import DIRECT

_OF_QUESTIONS: Final = (retrieval_graph(), AT_WORK)
_ANSWERED: Final = (SessionOutcome.ANSWERED, SessionOutcome.REFUSED)


def told(quads: Iterable[Quad]) -> Counter[str]:
    """The quads of named graphs, times as if they were one; a writer's marks in the default graph and signed records do
    not count."""
    return Counter(
        f"{quad.subject} {quad.predicate} {'sometime' if _is_time(quad) else quad.object} {quad.graph_name}"
        for quad in quads
        if isinstance(quad.graph_name, NamedNode) and quad.graph_name != RECORDS
    )


def on_server(url: str) -> list[Quad]:
    """Every quad of an Oxigraph server."""
    dump = httpx2.get(
        f"{url}/store", headers={"Accept": "application/n-quads"}, timeout=120, **DIRECT
    ).raise_for_status()
    return list(parse(dump.content, RdfFormat.N_QUADS))


def without_questions(quads: Iterable[Quad]) -> Iterable[Quad]:
    """What documents have brought: sessions have random names, and are looked at for themselves."""
    return (quad for quad in quads if quad.graph_name not in _OF_QUESTIONS)


def faulty_sessions(quads: Iterable[Quad], answered: Set[str]) -> list[str]:
    """What is wrong with the sessions of a store where nothing is at work any more.

    Each must have one end, and one outcome; those which clients were told as `answered` must be there as such.
    """
    found: dict[str, dict[str, list[str]]] = defaultdict(lambda: defaultdict(list))
    sessions, left = set(), []
    for quad in quads:
        if quad.graph_name == AT_WORK:
            left.append(f"{quad.subject} is still noted as at work")
        elif quad.graph_name == retrieval_graph() and isinstance(quad.subject, NamedNode):
            if quad.predicate == RDF.type and quad.object == TG.Session:
                sessions.add(quad.subject.value)
            elif isinstance(quad.object, Literal):
                found[quad.subject.value][quad.predicate.value].append(quad.object.value)
    return [
        *left,
        *(f"{session} was told as answered, and is not in the store" for session in answered - sessions),
        *(wrong for session in sorted(sessions) for wrong in _wrong(session, found[session], answered)),
    ]


def outcomes(quads: Iterable[Quad], session: NamedNode) -> list[str]:
    """What a store says of how a session ended, which it says once or not yet."""
    return [
        quad.object.value
        for quad in quads
        if quad.subject == session and quad.predicate == TG.outcome and isinstance(quad.object, Literal)
    ]


def _wrong(session: str, said: Mapping[str, list[str]], answered: Set[str]) -> Iterator[str]:
    ends, outcomes = said.get(PROV.ended_at_time.value, []), said.get(TG.outcome.value, [])
    if len(ends) != 1 or len(outcomes) != 1:
        yield f"{session} has {len(ends)} ends and the outcomes {outcomes}"
    elif session in answered and outcomes[0] not in _ANSWERED:
        yield f"{session} was told as answered, and the store has {outcomes[0]}"


def files_of(library: Path) -> dict[str, bytes]:
    """Every file of the library by its place below it, after what the next start sweeps away: what a killed process
    was in the middle of writing."""
    FolderContentStore(library).sweep()
    return {
        str(file.relative_to(library)): file.read_bytes()
        for file in sorted(library.rglob("*"))
        if file.is_file()
    }


def _is_time(quad: Quad) -> bool:
    """A moment, or how long a model took."""
    is_moment = isinstance(quad.object, Literal) and quad.object.datatype == XSD.date_time
    return is_moment or quad.predicate == TG.llm_duration_ms
