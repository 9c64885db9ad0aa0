"""A run: one session while it is answered. Everything that a flow's steps share is here, and nothing is passed down
beside it.

The run writes each step to the store before it emits it, keeps what models were asked and what they cost, collects
warnings, and records how the session ends.
"""

from __future__ import annotations

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Final
from uuid import uuid4

import anyio

from provgraph.catalogue.sources import MOST_SOURCES, Source, SourceReader, Words
from provgraph.documents.stored_tables import StoredTables
from provgraph.errors import ProvGraphError
from provgraph.flows.runner.answers import DraftAnswer, sentence_quads
from provgraph.flows.runner.events import Emit, Explained, Finished, TextAdded
from provgraph.flows.runner.model_calls import (
    ModelCall,
    milliseconds_since,
    prompt_text,
    reply_text,
    usage_of_both,
    usage_of_step,
)
from provgraph.flows.runner.passages import RetrievedPassage, passages, unsaid
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.services import FlowServices
from provgraph.flows.runner.session_leases import note, noted
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.ports.quad_store import StoreChange, StoreReader
from provgraph.ports.retriever import ChunkHit, RetrievalRequest, RetrievalResult, Without
from provgraph.prompts import Prompt
from provgraph.provenance import trace
from provgraph.provenance.derivation import short_answer_quads
from provgraph.provenance.flows import FlowName
from provgraph.provenance.model_calls import Usage, call_quads, warning_quads
from provgraph.provenance.trace import SessionOutcome, TraceScope
from provgraph.rdf.graphs import collection_graphs, retrieval_graph
from provgraph.rdf.iris import SessionNames
from provgraph.rdf.terms import NamedNode, Quad, Triple
from provgraph.traces.stale_answers import late_loss_quads, still_quoted
from provgraph.wire.attribution import AttributedClaim

logger = logging.getLogger(__name__)

CUT_OFF: Final = "Cut off before the answer was complete."


class Run:
    """`store` is the part of the store in which the collection lies, `graphs` are its own.

    `usage` and `warnings` are of all steps so far.
    """

    def __init__(self, services: FlowServices, flow: FlowName, question: Question, emit: Emit) -> None:
        self.services = services
        self.question = question
        self._understood_as = question.text if question.circumstances.asked else ""
        self.emit = emit
        self.scope = TraceScope(
            SessionNames(str(uuid4()), flow.question_name),
            retrieval_graph(services.explain_collection),
            flow,
        )
        self.store = services.store.of(question.collection)
        self.graphs = collection_graphs(question.collection, services.explain_collection)
        self.reader = SourceReader(services.store, self.graphs.source)
        self.tables = StoredTables(services.library, question.collection)
        self.usage = Usage()
        self.warnings: list[str] = []
        self.exchanges: list[Exchange] = []
        """What models were asked in the step at hand, each from when it begins: it is kept even where the step is cut
        off."""
        self._step = ""
        self._bare: Sequence[Quad] = ()
        self._step_warnings: list[str] = []
        self._calls: list[ModelCall] = []
        self._other_usages: list[Usage] = []
        self._announced: Sequence[Quad] = ()
        self._ended = False
        self._left_out: Sequence[Words] | None = None

    @property
    def names(self) -> SessionNames:
        return self.scope.names

    @property
    def model(self) -> LanguageModel | None:
        """The model that answers this question; None for an answer without one."""
        return self.services.model_use.chosen(self.question.engine)

    # what happens in a step

    def begin(self, step: str, bare: Sequence[Quad] = ()) -> None:
        """A step that may ask a model; `bare` describes it where nothing comes of it."""
        self._step, self._bare = step, tuple(bare)
        self._forget_calls()

    def warn(self, *warnings: str) -> None:
        """What a reader of the step at hand, and of the answer, should be warned of."""
        self.warnings += warnings
        self._step_warnings += warnings

    def call(self, model: LanguageModel, prompt: Prompt, values: Mapping[str, str]) -> ModelCall:
        """A call of the step at hand, not yet sent."""
        call = ModelCall(model, prompt, values, self.services.model_use.max_output_tokens)
        self._calls.append(call)
        self.exchanges.append(call.exchange)
        return call

    def add_usage(self, usage: Usage) -> None:
        """What others than `call` asked of a model in the step at hand, whose words are in `exchanges`."""
        self._other_usages.append(usage)

    async def retrieve(self, request: RetrievalRequest, without: Without | None = None) -> RetrievalResult:
        """The candidates from what this question may be answered from, `without` more where that is given; warnings
        are noted. Raises as retrieval does."""
        left_out = self.question.without if without is None else without
        request = replace(request, collection=self.question.collection, without=left_out)
        result = await self.services.retriever.retrieve(request)
        self.warn(*(warning for warning in result.warnings if warning not in self._step_warnings))
        return result

    def leave_out(self, documents: Iterable[NamedNode]) -> None:
        """From here on the answer may not stand on these documents either."""
        without = self.question.without
        kept = tuple(dict.fromkeys((*without.documents, *documents)))
        self.question = replace(self.question, without=replace(without, documents=kept))

    async def sources(self, facts: Sequence[Triple]) -> Mapping[Triple, tuple[Source, ...]]:
        """The sentences that say each of some facts, at most `MOST_SOURCES` of each; none of what is left out."""
        left_out = set(self.question.without.documents)
        if not left_out:
            return await self.reader.sources(facts, most=MOST_SOURCES)
        every = await self.reader.sources(facts)
        return {
            fact: tuple(source for source in sources if source.place.document not in left_out)[:MOST_SOURCES]
            for fact, sources in every.items()
        }

    async def passages(self, hits: Sequence[ChunkHit]) -> list[RetrievedPassage]:
        """Retrieved chunks as passages; one that says an edge that is left out has blanks in the place of that."""
        retrieved_passages = await passages(self.reader, hits, self.tables)
        left_out = await self.left_out_words()
        return (
            [unsaid(passage, left_out) for passage in retrieved_passages] if left_out else retrieved_passages
        )

    async def left_out_words(self) -> Sequence[Words]:
        """The sentences and table rows that say an edge which is left out."""
        if self._left_out is None:
            edges = self.question.without.edges
            said = await self.reader.sources(edges) if edges else {}
            self._left_out = [source for sources in said.values() for source in sources]
        return self._left_out

    # what is recorded and emitted

    async def open(self, quads: Sequence[Quad]) -> None:
        """The session as it begins; from now on this process answers for it."""
        await self._record(self.names.session, quads, [note(self.names.session, self.services.process)])

    async def explain(self, step: str, quads: Sequence[Quad]) -> None:
        """A step that is over: its description, with the calls and warnings that belong to it."""
        await self._record(self.names.step(step), [*quads, *await self._call_quads(step)])

    async def announce_answer(self) -> None:
        self._announced = trace.answer_quads(self.scope)
        await self._record(self.names.step("answer"), self._announced)
        self.begin("answer")

    async def say(self, text: str, claim: AttributedClaim | None = None) -> None:
        """The next words of the answer, and the claim that they tell."""
        await self.emit(TextAdded(text, claim))

    async def say_all(self, draft: DraftAnswer) -> DraftAnswer:
        """The words of an answer that was made in one piece, sentence by sentence."""
        for piece in draft.pieces:
            await self.say(piece)
        return draft

    async def finish(self, draft: DraftAnswer) -> None:
        """Record an answer whose text was said, and emit what is known of it.

        All is in the store, and the text in the library, before either of the two events is emitted.
        """
        names, node = self.names, self.names.step("answer")
        text = draft.text.encode()
        await self.services.library.keep(self.services.explain_collection, names.answer_text, text)
        short = draft.short_answer
        known = [
            *sentence_quads(self.scope, draft.sentences),
            *draft.quads,
            *(short_answer_quads(self.scope, short) if short else ()),
            *await self._call_quads("answer"),
            *trace.answer_hash_quads(self.scope, text),
        ]
        await self.end(draft.ending(), [*known, *draft.rejected], str(draft.failure or ""))
        await self.emit(Explained(node, [*self._announced, *known]))
        await self.emit(
            Finished(
                session=names.session,
                outcome=draft.ending(),
                answer=draft.text,
                sentences=tuple(sentence.cited(names) for sentence in draft.sentences),
                usage=self.usage,
                warnings=tuple(self.warnings),
                error=draft.failure,
                highlights=draft.highlights,
                verdict=draft.verdict,
                attribution=draft.attribution,
                short_answer=short,
                understood_as=self._understood_as,
                derivation=short.iri(names) if short else None,
            )
        )

    # how it ends

    async def end(self, outcome: SessionOutcome, quads: Iterable[Quad] = (), failure: str = "") -> None:
        """Record how the session ended, once: later calls change nothing, nor does one after another process ended it.

        A write that is cut off still takes place, so only one that fails may be tried again.
        """
        if self._ended:
            return
        self._ended = True
        at, names = self.services.now(), self.names
        ending = [*quads, *trace.ending_quads(self.scope, outcome, at, failure)]

        def decide(reader: StoreReader) -> StoreChange[None]:
            if not (lease := noted(reader, names.session)):
                return StoreChange(None)
            standing = still_quoted(reader, ending, self.graphs)
            return StoreChange(None, lease, [*standing, *late_loss_quads(reader, names, self.graphs, at)])

        try:
            await self.store.transact(decide)
        except ProvGraphError:
            self._ended = False
            raise

    async def fail(self, error: ProvGraphError) -> None:
        """Record and emit that the session failed; emitted also where the store can no longer record it."""
        try:
            await self.end(SessionOutcome.FAILED, failure=str(error))
        except ProvGraphError:
            logger.exception(
                "the failure of a session is not recorded yet; it is tried again, or at the next start"
            )
        await self.emit(
            Finished(
                self.names.session,
                SessionOutcome.FAILED,
                usage=self.usage,
                warnings=tuple(self.warnings),
                error=error,
            )
        )

    async def cut_off(self) -> None:
        """Record that the client went away, with what a model had been asked by then."""
        with anyio.CancelScope(shield=True):
            quads: list[Quad] = []
            if self.exchanges:
                first = self.exchanges[0]
                spent = Usage(first.model, duration_ms=milliseconds_since(first.began))
                quads = [*self._bare, *await self._call_quads(self._step, spent)]
            await self.end(SessionOutcome.CUT_OFF, quads, CUT_OFF)

    async def _record(self, node: NamedNode, quads: Sequence[Quad], beside: Sequence[Quad] = ()) -> None:
        await self.store.add([*quads, *beside])
        await self.emit(Explained(node, quads))

    async def _call_quads(self, step: str, spent: Usage | None = None) -> list[Quad]:
        """What the trace says of the calls and warnings of a step; the words themselves go to the library."""
        names, graph = self.names, self.scope.graph
        quads = warning_quads(names, step, self._step_warnings, graph)
        if exchanges := list(self.exchanges):
            usage = spent or usage_of_step(self._calls, self._other_usages)
            self.usage = usage_of_both(self.usage, usage)
            words = {names.prompt(step): prompt_text(exchanges), names.reply(step): reply_text(exchanges)}
            await self.services.library.keep_all(self.services.explain_collection, words)
            quads += call_quads(names, step, usage, exchanges[0].prompt_hash, graph)
        self._step_warnings.clear()
        self._forget_calls()
        return quads

    def _forget_calls(self) -> None:
        self.exchanges.clear()
        self._calls.clear()
        self._other_usages.clear()
