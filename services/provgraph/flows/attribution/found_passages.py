"""The passages of a collection that are found for each claim of a text, those of the documents that it cites first."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final

from provgraph.catalogue.document_names import names_of_document
from provgraph.catalogue.documents import DocumentCatalogue, DocumentSummary
from provgraph.catalogue.sources import Words
from provgraph.flows.attribution.claims import search_words
from provgraph.flows.attribution.deadline import Deadline
from provgraph.flows.runner.meant_documents import heads_of
from provgraph.flows.runner.passages import RetrievedPassage, passages
from provgraph.flows.runner.reading_passages import prose_spans, topic
from provgraph.flows.runner.run import Run
from provgraph.language.terms import content_terms
from provgraph.ports.retriever import ChunkHit, RetrievalRequest
from provgraph.provenance.document_trace import SelectedChunk
from provgraph.rdf.terms import NamedNode
from provgraph.verdicts.answers import SplitAnswer, cited_sources
from provgraph.verdicts.judgement import EvidenceText, Place
from provgraph.wire.attribution import AttributionPlace

READER: Final = "claim-judge"
_MOST_NAMED: Final = 12


@dataclass(frozen=True)
class ClaimPassages:
    """What one claim is judged by: texts of the documents that it cites, by their ids, and of others."""

    cited_documents: tuple[str, ...] = ()
    cited: Sequence[EvidenceText] = ()
    others: Sequence[EvidenceText] = ()


@dataclass(frozen=True)
class _ClaimHits:
    documents: tuple[str, ...] = ()
    cited: Sequence[ChunkHit] = ()
    others: Sequence[ChunkHit] = ()

    @property
    def chunks(self) -> tuple[NamedNode, ...]:
        return tuple(hit.chunk for hit in (*self.cited, *self.others))


class FoundPassages:
    """Of one text. `passages` are all that were found, each once; the id of an evidence text is its index there."""

    def __init__(
        self, run: Run, request: Callable[[str], RetrievalRequest], answer: SplitAnswer, question: str
    ) -> None:
        self._run = run
        self._request = request
        self._answer = answer
        self._question = question
        self._documents: list[DocumentSummary] = []
        self._names: list[tuple[str, ...]] = []
        self.passages: list[RetrievedPassage] = []
        self.evidence: list[EvidenceText] = []
        self.of_claims: list[ClaimPassages] = []
        self.parameters: Mapping[str, float] = {}
        self._sought_for: dict[NamedNode, list[int]] = {}

    async def retrieve(self, deadline: Deadline) -> None:
        """Find and read the passages of all claims. Raises `TimedOut`."""
        if any(claim.citations for claim in self._answer.claims):
            self._documents = await DocumentCatalogue(self._run.services.store, self._run.graphs).documents()
            self._names = [
                (document.iri.value, document.source, *names_of_document(document))
                for document in self._documents
            ]
        found = []
        for number in range(len(self._answer.claims)):
            deadline.step()
            found.append(await self._hits_of(number))
        hits = {hit.chunk: hit for claim_hits in found for hit in (*claim_hits.cited, *claim_hits.others)}
        for number, claim_hits in enumerate(found, 1):
            for chunk in dict.fromkeys(claim_hits.chunks):
                self._sought_for.setdefault(chunk, []).append(number)
        self.passages = await passages(self._run.reader, list(hits.values()), self._run.tables)
        heads = await heads_of(self._run, self.passages)
        self.evidence = [
            _evidence(at, each, heads.get(each.hit.document, frozenset()))
            for at, each in enumerate(self.passages)
        ]
        texts = {
            each.hit.chunk: text for each, text in zip(self.passages, self.evidence, strict=True)
        }  # fmt: skip
        self.of_claims = [
            ClaimPassages(
                claim_hits.documents, _known(claim_hits.cited, texts), _known(claim_hits.others, texts)
            )
            for claim_hits in found
        ]

    async def _hits_of(self, number: int) -> _ClaimHits:
        claim = self._answer.claims[number]
        if claim.why_no_claim:
            return _ClaimHits()
        words = search_words(self._answer, number, self._question)
        named = cited_sources(claim, self._answer.notes, self._names, by_place=False)
        own = [self._documents[at].iri for at in named]
        every = await self._retrieved(words)
        cited = await self._retrieved(words, own) if own else []
        others = [hit for hit in every if hit.document not in own]
        return _ClaimHits(tuple(named_node.value for named_node in own), cited, others)

    async def _retrieved(self, words: str, documents: Sequence[NamedNode] = ()) -> Sequence[ChunkHit]:
        """The best chunks, of these documents only where there are some."""
        others = (
            [document.iri for document in self._documents if document.iri not in documents]
            if documents
            else []
        )
        left_out = self._run.question.without
        without = replace(left_out, documents=tuple(dict.fromkeys((*left_out.documents, *others))))
        result = await self._run.retrieve(self._request(words), without)
        self.parameters = result.parameters
        return result.chunks

    def selected(self) -> list[SelectedChunk]:
        """Every passage that is read, with the claims that it was found for."""
        words = content_terms(self._answer.plain)
        return [
            SelectedChunk(
                passage.hit.chunk,
                passage.hit.score,
                tuple(words[term] for term in content_terms(passage.hit.text) if term in words),
                f"Retrieved for {_numbered(self._sought_for[passage.hit.chunk])}; all that is retrieved is read.",
                READER,
            )
            for passage in self.passages
        ]

    def words(self, place: Place) -> Words:
        """A place in an evidence text as words of a page."""
        return self.passages[int(place.source)].words(place.start, place.end)

    def view(self, place: Place) -> AttributionPlace:
        words = self.words(place)
        return AttributionPlace(
            source=words.place.document.value,
            start=words.start,
            end=words.end,
            text=words.text,
            title=words.place.title,
            page=words.page.value,
            page_number=words.page_number,
            chunk=words.place.chunk.value,
        )


def _evidence(number: int, passage: RetrievedPassage, head: frozenset[str]) -> EvidenceText:
    text = passage.hit.text
    return EvidenceText(str(number), text, topic(passage.hit.title, text), prose_spans(text), head)


def _known(hits: Iterable[ChunkHit], texts: Mapping[NamedNode, EvidenceText]) -> list[EvidenceText]:
    return [texts[hit.chunk] for hit in hits if hit.chunk in texts]


def _numbered(claims: Sequence[int]) -> str:
    """ "claims 1, 3 and 7"."""
    names = [str(number) for number in claims[:_MOST_NAMED]]
    if len(claims) > _MOST_NAMED:
        names[-1] = f"{len(claims) - _MOST_NAMED + 1} more"
    return f"claim {names[0]}" if len(names) == 1 else f"claims {', '.join(names[:-1])} and {names[-1]}"
