"""The chunks of an ingest, read by model: calls in parallel, each result written as soon as it has come.

A chunk that the store has from the same extractor, model, prompt and settings is not sent. One that fails leaves the
others alone, is noted in the store with its reason, and is sent again by the next ingest of the same document.
"""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final, Generic, TypeVar

from provgraph.errors import BudgetSpent, ModelRefused, ModelUnavailable, ProvGraphError
from provgraph.extraction.by_model.extractor import ModelExtraction, PassageExtractor
from provgraph.extraction.extractors import ChosenExtractors
from provgraph.extraction.facts import ExtractorProfile, Passage
from provgraph.ingestion.planning import PlannedChunk
from provgraph.ingestion.recording import Recorder
from provgraph.ports.language_model import TokenUsage
from provgraph.ports.quad_store import QuadPattern, QuadStore, StoreChange, StoreReader
from provgraph.rdf.iris import agent_iri
from provgraph.rdf.terms import NamedNode, Quad, named
from provgraph.rdf.vocabulary import PROV, TG


@dataclass(frozen=True)
class FailureNotes:
    """A chunk has at most one note for each extractor, that of the last attempt; one that is gone has none."""

    recorder: Recorder
    store: QuadStore

    async def note(self, chunk: PlannedChunk, extractor: ExtractorProfile, failure: ProvGraphError) -> None:
        quads = self.recorder.attempt(chunk, extractor, str(failure))

        def decide(reader: StoreReader) -> StoreChange[None]:
            if not all(reader.contains([self.recorder.place(chunk)])):
                return StoreChange(None)
            before = self._notes(reader, chunk, extractor)
            return StoreChange(None, [quad for quad in before if quad not in quads], quads)

        await self.store.transact(decide)

    async def forget(self, chunk: PlannedChunk, extractor: ExtractorProfile) -> None:
        """What the extractor has read now, with whatever prompt and model, did not fail.

        Most chunks never failed, and a decision costs more than a look where several processes share the store.
        """
        graph = self.recorder.graphs.source
        (used,) = await self.store.match([QuadPattern(None, PROV.used, chunk.iri, graph)])
        activities = [quad.subject for quad in used if isinstance(quad.subject, NamedNode)]
        patterns = [QuadPattern(node, TG.failure, None, graph) for node in activities]
        if not any(await self.store.match(patterns, limit=1)):
            return
        await self.store.transact(lambda reader: StoreChange(None, self._notes(reader, chunk, extractor)))

    def _notes(self, reader: StoreReader, chunk: PlannedChunk, extractor: ExtractorProfile) -> list[Quad]:
        graph, agent = self.recorder.graphs.source, agent_iri(extractor.name)
        (used,) = reader.match([QuadPattern(None, PROV.used, chunk.iri, graph)])
        activities = [quad.subject for quad in used if isinstance(quad.subject, NamedNode)]
        described = reader.match([QuadPattern(node, graph=graph) for node in activities])
        return [quad for quads in described if _failed(quads, agent) for quad in quads]


def _failed(quads: list[Quad], agent: NamedNode) -> bool:
    failed = any(quad.predicate == TG.failure for quad in quads)
    return failed and any(
        quad.predicate == PROV.was_associated_with and quad.object == agent for quad in quads
    )


Owner = TypeVar("Owner")

AHEAD: Final = 2
"""Chunks under way for each parallel call, so that one is sent while another's result is verified and written."""
FAILURES_IN_A_ROW: Final = 2
"""For each parallel call: after so many failures and no success the model is given up for this ingest."""
_CHARACTERS_PER_TOKEN: Final = 4
_FIRST_GUESS_OUT: Final = 300


@dataclass(frozen=True)
class ChunkCall(Generic[Owner]):
    """One chunk for one extractor; `owner` is whatever the chunk belongs to."""

    chunk: PlannedChunk
    extractor: PassageExtractor
    owner: Owner


@dataclass(frozen=True)
class ChunkRead(Generic[Owner]):
    """What became of a call: what was read, or why not; `new` where the store did not have it already."""

    call: ChunkCall[Owner]
    extraction: ModelExtraction | None = None
    failure: ProvGraphError | None = None
    new: bool = False


@dataclass
class TokenBudget:
    """What an ingest may spend. A call is let in while it and those under way fit, each taken for an average one."""

    limit: int
    spent: int = 0
    calls: int = 0
    under_way: int = 0

    def enter(self, characters: int) -> None:
        """Raises `BudgetSpent` where there is no room for a call of so many characters."""
        guess = (
            self.spent / self.calls if self.calls else characters / _CHARACTERS_PER_TOKEN + _FIRST_GUESS_OUT
        )
        if self.limit and self.spent + guess * (self.under_way + 1) > self.limit:
            raise BudgetSpent(
                f"The budget of {self.limit} tokens has no room for another call. "
                "Ingest the same again with a larger --max-tokens: what is read is kept."
            )
        self.under_way += 1

    def leave(self, usage: TokenUsage | None, characters: int) -> None:
        self.under_way -= 1
        if usage:
            counted = (usage.in_tokens or characters // _CHARACTERS_PER_TOKEN) + (usage.out_tokens or 0)
            self.spent += counted
            self.calls += 1


@dataclass
class ModelStage(Generic[Owner]):
    """Reads chunks with every chosen extractor. `close` ends the calls that are under way."""

    chosen: ChosenExtractors
    recorder: Recorder
    store: QuadStore
    rules: Sequence[ExtractorProfile] = ()
    _asked: set[Quad] = field(default_factory=set)
    _under_way: set[asyncio.Task[ChunkRead[Owner]]] = field(default_factory=set)
    _stopped: ProvGraphError | None = None
    _failures: int = 0
    _any_success: bool = False

    def __post_init__(self) -> None:
        self._failed = FailureNotes(self.recorder, self.store)
        self._budget = TokenBudget(self.chosen.max_tokens)
        self._parallel = max((extractor.parallel for extractor in self.chosen.by_model), default=1)

    @property
    def full(self) -> bool:
        return len(self._under_way) >= AHEAD * self._parallel

    @property
    def busy(self) -> bool:
        return bool(self._under_way)

    async def missing(self, chunks: Sequence[PlannedChunk]) -> list[list[PassageExtractor]]:
        """For each chunk the extractors that have not read it, neither before nor earlier in this ingest."""
        extractors = self.chosen.by_model
        markers = [
            self.recorder.marker(chunk, passage_extractor.profile)
            for chunk in chunks
            for passage_extractor in extractors
        ]
        known = iter(zip(markers, await self.store.contains(markers) if markers else [], strict=True))
        left = await self._left(chunks)
        missing: list[list[PassageExtractor]] = []
        for chunk in chunks:
            missing.append([])
            for extractor, (marker, is_known) in zip(extractors, known, strict=False):
                wanted = (chunk.iri in left or not extractor.profile.model) and self.chosen.wants(
                    chunk.iri, extractor
                )
                if wanted and not is_known and marker not in self._asked:
                    self._asked.add(marker)
                    missing[-1].append(extractor)
        return missing

    async def _left(self, chunks: Sequence[PlannedChunk]) -> set[NamedNode]:
        """The chunks that are left for the models: all, or those in which the rules found nothing."""
        if not self.chosen.sparing or not self.rules:
            return {chunk.iri for chunk in chunks}
        graph = self.recorder.graphs.source
        subgraphs = [
            (chunk.iri, named(self.recorder.marker(chunk, profile).subject))
            for chunk in chunks
            for profile in self.rules
        ]
        contained = await self.store.match(
            [QuadPattern(subgraph, TG.contains, None, graph) for _, subgraph in subgraphs], limit=1
        )
        read = {chunk for (chunk, _), facts in zip(subgraphs, contained, strict=True) if facts}
        return {chunk.iri for chunk in chunks} - read

    def start(self, call: ChunkCall[Owner]) -> None:
        self._under_way.add(asyncio.create_task(self._read(call)))

    async def finished(self) -> list[ChunkRead[Owner]]:
        """What has been read since the last call; waits until there is anything."""
        done, self._under_way = await asyncio.wait(self._under_way, return_when=asyncio.FIRST_COMPLETED)
        return [task.result() for task in done]

    async def close(self) -> None:
        for task in self._under_way:
            task.cancel()
        await asyncio.gather(*self._under_way, return_exceptions=True)

    async def _read(self, call: ChunkCall[Owner]) -> ChunkRead[Owner]:
        try:
            extraction = await self._extracted(call.extractor, call.chunk.passage)
        except (ModelUnavailable, BudgetSpent) as failure:
            await self._failed.note(call.chunk, call.extractor.profile, failure)
            return ChunkRead(call, failure=failure)
        profile = call.extractor.profile
        unit = self.recorder.subgraph(call.chunk, extraction.facts, profile, extraction.usage)
        (added,) = await self.store.add_absent([unit])
        await self._failed.forget(call.chunk, profile)
        return ChunkRead(call, extraction, new=added)

    async def _extracted(self, extractor: PassageExtractor, passage: Passage) -> ModelExtraction:
        if self._stopped:
            raise self._stopped
        request = extractor.request(passage)
        characters = len(request.system) + len(request.user) if request else 0
        usage = None
        self._enter(characters)
        try:
            extraction = await extractor.extract(passage)
            usage = extraction.usage
        except ModelUnavailable as failure:
            self._note(failure)
            raise
        finally:
            self._budget.leave(usage, characters)
        self._failures, self._any_success = 0, True
        return extraction

    def _enter(self, characters: int) -> None:
        try:
            self._budget.enter(characters)
        except BudgetSpent as spent:
            self._stopped = spent
            raise

    def _note(self, failure: ModelUnavailable) -> None:
        """A wrong key fails every call alike, and a model that is gone most of them: neither is asked for ever."""
        self._failures += 1
        hopeless = isinstance(failure, ModelRefused) and not self._any_success
        if hopeless or self._failures >= FAILURES_IN_A_ROW * self._parallel:
            self._stopped = failure
