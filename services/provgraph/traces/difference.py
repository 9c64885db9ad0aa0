"""Two sessions side by side: which edges were kept, lost and gained, and what became of the answer."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from difflib import SequenceMatcher

from provgraph.provenance.trace_reading import TracedEdge
from provgraph.rdf.json_terms import triple_to_json
from provgraph.rdf.terms import Triple
from provgraph.traces.reader import OpenedTrace
from provgraph.wire.trace import AnswerPiece, ComparedEdge, ComparedSession, Difference


def difference(before: OpenedTrace, after: OpenedTrace) -> Difference:
    """What a person would want to know of two answers to one question."""
    old, new = ({edge.edge: edge for edge in trace.trace.selected} for trace in (before, after))
    return Difference(
        before=_session(before),
        after=_session(after),
        changed=(before.answer, before.trace.session.outcome) != (after.answer, after.trace.session.outcome),
        kept=[_edge(before, fact, old[fact], new[fact]) for fact in old if fact in new],
        lost=[
            _edge(before, fact, old[fact], None, _fate(before, after, fact))
            for fact in old
            if fact not in new
        ],
        gained=[
            _edge(after, fact, None, new[fact], _fate(after, before, fact)) for fact in new if fact not in old
        ],
        answer=list(_segments(_sentences(before), _sentences(after))),
    )


def _session(opened: OpenedTrace) -> ComparedSession:
    session = opened.trace.session
    return ComparedSession(
        session=session.iri.value,
        query=session.query,
        collection=session.collection,
        started=session.started,
        outcome=session.outcome or None,
        answer=opened.answer,
    )


def _edge(
    shown: OpenedTrace, fact: Triple, old: TracedEdge | None, new: TracedEdge | None, why: str | None = None
) -> ComparedEdge:
    return ComparedEdge(
        subject=shown.labels[fact.subject],
        relation=shown.labels[fact.predicate],
        object=shown.labels[fact.object],
        triple=triple_to_json(fact),
        before=old.score if old else None,
        after=new.score if new else None,
        why=why,
    )


def _fate(shown: OpenedTrace, other: OpenedTrace, fact: Triple) -> str:
    """What a session says of an edge that another selected and it did not."""
    documents = {source.place.document for source in shown.sources.get(fact, ())}
    candidate = next((edge for edge in other.trace.passed_over if edge.edge == fact), None)
    if candidate:
        return f"Rejected: {candidate.reasoning}"
    if fact in other.circumstances.without.edges:
        return "Left out on request."
    if documents and documents <= set(other.circumstances.without.documents):
        return "Said only in documents that were left out on request."
    return "Not retrieved."


def _sentences(opened: OpenedTrace) -> list[str]:
    """The answer's sentences as they are recorded; a refusal is one."""
    said = [opened.answer[sentence.start : sentence.end] for sentence in opened.trace.sentences]
    return said or ([opened.answer] if opened.answer else [])


def _segments(old: Sequence[str], new: Sequence[str]) -> Iterator[AnswerPiece]:
    """A line diff with sentences for lines."""
    for tag, i, j, k, m in SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag == "equal":
            yield from (AnswerPiece(kind="same", text=text) for text in old[i:j])
            continue
        yield from (AnswerPiece(kind="removed", text=text) for text in old[i:j])
        yield from (AnswerPiece(kind="added", text=text) for text in new[k:m])
