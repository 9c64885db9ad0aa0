"""What the retrievers of other libraries give: passages with all that says where they stand.

The frames around them differ; a passage, and what its metadata is called, is the same in each.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, Final, Literal

from provgraph.client.async_client import AsyncClient
from provgraph.client.client import Client
from provgraph.client.evidence import ProvedFact, QuotedSource, RetrievedChunk, RetrievedEvidence

Content = Literal["chunks", "facts", "both"]
Boxes = list[dict[str, float]]

_WITH_PICTURES: Final = ".pdf"


@dataclass(frozen=True)
class ProvedPassage:
    """The characters `start` to `end` of a page, and `score`, how well they fit the question.

    A chunk tells the facts that were read from it; a fact is a sentence that says it, and perhaps others.
    """

    text: str
    score: float
    iri: str
    document: str
    title: str
    file: str
    page: int | None
    page_iri: str
    start: int | None
    end: int | None
    chunk: str
    facts: tuple[ProvedFact, ...] = ()
    is_fact: bool = False

    @property
    def may_have_boxes(self) -> bool:
        """Whether its page may have a picture, on which the words have places."""
        return self.start is not None and self.file.casefold().endswith(_WITH_PICTURES)

    def metadata(self, boxes: Boxes) -> dict[str, Any]:
        """All of it but the text, as plain values. `boxes` are where the words stand on the picture of the page."""
        return {
            "kind": "fact" if self.is_fact else "chunk",
            "score": self.score,
            "document": self.document,
            "title": self.title,
            "file": self.file,
            "page": self.page,
            "page_iri": self.page_iri,
            "start": self.start,
            "end": self.end,
            "chunk": self.chunk,
            "fact": self.iri if self.is_fact else "",
            "facts": [_fact(fact) for fact in self.facts],
        } | ({"boxes": boxes} if boxes else {})


def _fact(fact: ProvedFact) -> dict[str, Any]:
    """Its labels, its statement in N-Triples, and its IRI as its first sentence says it."""
    return {
        "subject": fact.subject,
        "relation": fact.relation,
        "object": fact.object,
        "statement": fact.statement,
        "iri": fact.sources[0].quotation if fact.sources else "",
        "confidence": fact.confidence,
    }


def passages(evidence: RetrievedEvidence, content: Content) -> list[ProvedPassage]:
    """Chunks, facts, or both, the best of each in turn."""
    facts = _sentences(evidence.facts) if content != "chunks" else []
    chunks = [_of_chunk(chunk, evidence.facts) for chunk in evidence.chunks] if content != "facts" else []
    in_turn = (each for pair in zip_longest(facts, chunks) for each in pair)
    return [passage for passage in in_turn if passage is not None]


def _of_chunk(chunk: RetrievedChunk, facts: tuple[ProvedFact, ...]) -> ProvedPassage:
    inside = tuple(fact for fact in facts if any(source.chunk == chunk.iri for source in fact.sources))
    return ProvedPassage(**vars(chunk), chunk=chunk.iri, facts=inside)


def _sentences(facts: tuple[ProvedFact, ...]) -> list[ProvedPassage]:
    """A passage for each sentence that says facts first, with all of these; it fits as well as the best of them."""
    by_place: dict[tuple[str, int, int], list[ProvedFact]] = {}
    for fact in facts:
        if fact.sources:
            source = fact.sources[0]
            by_place.setdefault((source.page_iri, source.start, source.end), []).append(fact)
    return [
        of_source(proved_facts[0].sources[0], proved_facts[0].score or 0.0, tuple(proved_facts))
        for proved_facts in by_place.values()
    ]


def of_source(source: QuotedSource, score: float, facts: tuple[ProvedFact, ...] = ()) -> ProvedPassage:
    """The words that a fact or an answer cites."""
    return ProvedPassage(
        text=source.text,
        score=score,
        iri=source.quotation or f"{source.page_iri}#char={source.start},{source.end}",
        document=source.document,
        title=source.title,
        file=source.file,
        page=source.page,
        page_iri=source.page_iri,
        start=source.start,
        end=source.end,
        chunk=source.chunk,
        facts=facts,
        is_fact=True,
    )


@dataclass(frozen=True)
class PlacedSearch:
    """What a retriever asks for, by either client."""

    limit: int
    content: Content
    boxes: bool
    options: dict[str, Any]

    def found(self, client: Client, question: str) -> Iterator[tuple[ProvedPassage, Boxes]]:
        """Passages, the best first, each with its boxes."""
        evidence = client.retrieve(question, limit=self.limit, **self.options)
        for passage in passages(evidence, self.content)[: self.limit]:
            yield passage, self.boxes_of(client, passage)

    async def found_async(
        self, client: AsyncClient, question: str
    ) -> AsyncIterator[tuple[ProvedPassage, Boxes]]:
        """The same, while a program does something else."""
        evidence = await client.retrieve(question, limit=self.limit, **self.options)
        for passage in passages(evidence, self.content)[: self.limit]:
            yield passage, await self.boxes_of_async(client, passage)

    def boxes_of(self, client: Client, passage: ProvedPassage) -> Boxes:
        if not self.boxes or passage.start is None or passage.end is None or not passage.may_have_boxes:
            return []
        return client.page_boxes(passage.page_iri, passage.start, passage.end)

    async def boxes_of_async(self, client: AsyncClient, passage: ProvedPassage) -> Boxes:
        if not self.boxes or passage.start is None or passage.end is None or not passage.may_have_boxes:
            return []
        return await client.page_boxes(passage.page_iri, passage.start, passage.end)
