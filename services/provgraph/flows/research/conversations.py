"""Conversations: rows of questions to papers, remembered by what their traces say; and what a question takes over
from those before it: "Which datasets does it use?" is about what was asked of last.

A conversation holds nothing of its own but its collection: the questions and the chosen papers are those of its
sessions, so that what is purged or redacted there is forgotten here.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Final
from urllib.parse import quote
from uuid import uuid4

from provgraph.errors import Conflict, NotFound
from provgraph.flows.runner.follow_ups import ConversationTurn, in_context
from provgraph.language.concepts import concepts
from provgraph.ports.quad_store import QuadPattern, QuadStore, WriteUnit
from provgraph.provenance.papers import conversation_quads
from provgraph.rdf.graphs import retrieval_graph
from provgraph.rdf.iris import collection_iri, conversation_iri
from provgraph.rdf.terms import NamedNode, nodes_of, text_of
from provgraph.rdf.vocabulary import PROV, TG
from provgraph.reading.syntax import Parser

_BACKWARD: Final = re.compile(
    r"\b(?:it|its|they|them|their|theirs|these|those|he|she|his|her"
    r"|(?:this|that|the same) (?:paper|method|model|approach|dataset|toolkit|work|one))\b",
    re.IGNORECASE,
)

_PLACES: Final = {
    "first": 0,
    "former": 0,
    "second": 1,
    "latter": 1,
    "third": 2,
    "fourth": 3,
    "fifth": 4,
    "last": -1,
}
_ONE_OF: Final = re.compile(
    rf"\bthe (?P<place>{'|'.join(_PLACES)})(?: (?:one|paper|article))(?! of\b)\b|\bthe (?P<of_two>former|latter)\b",
    re.IGNORECASE,
)

REMEMBERED: Final = 10
"""Questions of a conversation that a later one may rest on."""


@dataclass(frozen=True)
class Remembered:
    """`questions` are the last of a conversation, the oldest first; `papers` those that the last one chose."""

    questions: tuple[str, ...] = ()
    papers: tuple[NamedNode, ...] = ()


@dataclass(frozen=True)
class Conversations:
    store: QuadStore
    explain_collection: str
    now: Callable[[], datetime] = field(default=lambda: datetime.now(UTC))

    async def begin(self, collection: str) -> str:
        """The name of a new conversation."""
        name = str(uuid4())
        await self.joined(name, collection)
        return name

    async def joined(self, name: str, collection: str) -> NamedNode:
        """The conversation of that name, which is begun where there is none.

        Raises `Conflict` for one that asks another collection.
        """
        node, graph = conversation_iri(quote(name, safe="")), retrieval_graph(self.explain_collection)
        quads = conversation_quads(node, collection_iri(collection), self.now(), graph)
        beside, pattern = self.store.of(collection), QuadPattern(node, TG.conversation_with, None, graph)
        (known,) = await beside.match([pattern])
        if not known:
            (known,) = await self.store.match([pattern])
        if not known:
            await beside.add_absent([WriteUnit(quads[1], tuple(quads))])
            (known,) = await beside.match([pattern])
        if any(quad.object != collection_iri(collection) for quad in known):
            raise Conflict(
                f"The conversation {name[:80]!r} is with another collection. Name that one, or begin another "
                "conversation under another name."
            )
        return node

    async def collection_of(self, name: str) -> str:
        """Raises `NotFound` for a conversation that there is not."""
        node, graph = conversation_iri(quote(name, safe="")), retrieval_graph(self.explain_collection)
        (quads,) = await self.store.match([QuadPattern(node, TG.conversation_with, None, graph)])
        for quad in quads:
            if isinstance(quad.object, NamedNode):
                return quad.object.value.rpartition(":")[2]
        raise NotFound(f"There is no session {name[:80]!r}. Build a graph first, which gives one.")

    async def remembered(self, conversation: NamedNode) -> Remembered:
        """What was asked in it; nothing of a session that is at work or failed before it had an answer."""
        graph = retrieval_graph(self.explain_collection)
        (quads,) = await self.store.match([QuadPattern(None, TG.conversation, conversation, graph)])
        nodes = [quad.subject for quad in quads if isinstance(quad.subject, NamedNode)]
        described = await self.store.match([QuadPattern(node, graph=graph) for node in nodes])
        sessions = sorted(described, key=lambda quads: text_of(quads, PROV.started_at_time).removesuffix("Z"))
        if not sessions:
            return Remembered()
        questions = [text_of(quads, TG.query) for quads in sessions]
        named_nodes = sorted(nodes_of(sessions[-1], TG.chosen_paper), key=lambda node: node.value)
        return Remembered(tuple(filter(None, questions))[-REMEMBERED:], tuple(named_nodes))


def in_words(question: str, earlier: Sequence[str], parser: Parser) -> str:
    """The question with what it points back to in its own words; as it is where that is open."""
    return in_context(question, [ConversationTurn(each) for each in earlier], parser)


@dataclass(frozen=True)
class PointedPaper:
    """`words` of a question that mean one paper of several, and which of them, counted from 0; -1 is the last."""

    words: str
    place: int


def pointed_paper(question: str) -> PointedPaper | None:
    """ "The second one": None where a question does not say so."""
    match = _ONE_OF.search(question)
    if match is None:
        return None
    return PointedPaper(match.group(), _PLACES[(match["place"] or match["of_two"]).casefold()])


def carried(question: str, earlier: Sequence[str]) -> tuple[str, ...]:
    """The names in the last question before, where this one points back and names nothing itself; else nothing."""
    if not earlier or not _BACKWARD.search(question) or _names(question):
        return ()
    before = next((names for question in reversed(earlier) if (names := _names(question))), ())
    return before or concepts(earlier[-1])


def _names(question: str) -> tuple[str, ...]:
    """Concepts that are written as names; the first word of a question is no name for its capital alone."""
    first = question.split()[0] if question.split() else ""
    return tuple(
        concept
        for concept in concepts(question)
        if any(letter.isupper() for letter in (concept[1:] if concept.split()[0] == first else concept))
    )
