"""A flow that is made up for the test, run over a real store: what the runner does for whatever flow."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import aclosing
from dataclasses import dataclass
from pathlib import Path

import pytest
import pytest_asyncio

from api.retrievers import EmptyRetriever
from provgraph.adapters.folder_contents import FolderContentStore
from provgraph.adapters.oxigraph_store import OxigraphQuadStore
from provgraph.checking.shapes import shape_violations
from provgraph.cli.explanation import short_answer_lines
from provgraph.documents.library import Library
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.derivation import AnswerKind, ChunkInput, Derivation, SentenceInput
from provgraph.flows.runner.events import Event, Finished
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.messages import message, whole
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.runner import Runner
from provgraph.flows.runner.services import FlowServices
from provgraph.ports.quad_store import QuadPattern
from provgraph.provenance import document_trace, trace
from provgraph.provenance.document_trace import SelectedChunk
from provgraph.provenance.flows import PASSAGES
from provgraph.provenance.trace import Origin, SessionOutcome
from provgraph.rdf.iris import session_uuid
from provgraph.rdf.terms import NamedNode
from provgraph.traces.reader import Traces
from provgraph.traces.views import short_answer_view
from provgraph.wire.documents import CollectionSettings
from provgraph.wire.flow_requests import AskPassagesRequest, PostedAskPassagesRequest

CHUNK = NamedNode("https://example.org/doc/chunk/2c26b4-0")
TEXT = "There were two discoveries."


@dataclass(frozen=True)
class Counting(Flow[Question]):
    """Counts to two; with `failure` it breaks off while it does."""

    failure: bool = False

    name = PASSAGES
    path = "counting"
    description = "Count."
    query = AskPassagesRequest
    body = PostedAskPassagesRequest

    def question(self, request: AskPassagesRequest) -> Question:
        return Question(request.question, request.collection)

    async def resolved(
        self,
        question: Question,
        settings: CollectionSettings,  # noqa: ARG002
        services: FlowServices,  # noqa: ARG002
    ) -> Question:
        return question

    async def answer(self, run: Run, question: Question) -> None:
        await run.explain("grounding", trace.grounding_quads(run.scope, [question.text]))
        run.warn("Ranked without vectors.")
        await run.explain("retrieval", document_trace.chunk_retrieval_quads(run.scope, 1))
        if self.failure:
            raise RuntimeError("nobody thought of this")
        chunk = SelectedChunk(CHUNK, 1.0, (), "The only one.", "counting")
        await run.explain("selection", document_trace.chunk_selection_quads(run.scope, [chunk]))
        await run.announce_answer()
        await run.finish(await run.say_all(counted()))


def counted() -> DraftAnswer:
    derivation = Derivation()
    years = derivation.step("select", [ChunkInput(0), SentenceInput(0)], "1898, 1902", "Both years.")
    derivation.step("count", [years], "2", "There are two years.", "SELECT (COUNT(?y) AS ?n) { ?x ?p ?y }")
    sentence = AnswerSentence(0, len(TEXT), chunks=(0,), origin=Origin.DERIVED)
    return DraftAnswer(TEXT, (sentence,), derivation.short_answer(AnswerKind.COUNT))


@pytest_asyncio.fixture
async def services(tmp_path: Path) -> AsyncIterator[FlowServices]:
    library = Library(FolderContentStore(tmp_path))
    yield FlowServices(OxigraphQuadStore(), library, EmptyRetriever(), "explainability")


async def events_of(flow: Counting, services: FlowServices) -> list[Event]:
    async with aclosing(Runner(flow, services).answer(Question("How many?"))) as events:
        return [event async for event in events]


async def test_a_short_answer_is_in_the_reply_the_last_message_and_the_trace(services: FlowServices) -> None:
    events = await events_of(Counting(), services)
    last = events[-1]
    assert isinstance(last, Finished)
    derivation = f"urn:trustgraph:prov:operation:{session_uuid(last.session)}:1"
    told = {"text": "2", "kind": "count", "derivation": derivation}
    assert whole(events, "explainability").model_dump()["short_answer"] == told
    assert message(last, "explainability").model_dump()["short_answer"] == told

    opened = await Traces(services.store, services.library, "explainability").open(last.session.value)
    view = short_answer_view(opened)
    assert view is not None
    assert view.derivation == derivation
    select, count = view.steps
    assert select.inputs[0].startswith("urn:trustgraph:prov:chunk:")
    assert select.inputs[1] == f"“{TEXT}”"
    assert (count.earlier, count.value, count.sparql) == (
        [select.id],
        "2",
        "SELECT (COUNT(?y) AS ?n) { ?x ?p ?y }",
    )
    assert list(short_answer_lines({"short_answer": view.model_dump()})) == [
        "[short answer] 2 (count)",
        "  count → 2: There are two years.",
        "  └─ select → 1898, 1902: Both years.",
        f"     ├─ {select.inputs[0]}",
        f"     └─ “{TEXT}”",
    ]


async def test_a_derivation_conforms_and_goes_with_its_trace(services: FlowServices) -> None:
    events = await events_of(Counting(), services)
    last = events[-1]
    assert isinstance(last, Finished)
    traces = Traces(services.store, services.library, "explainability")
    assert shape_violations(await traces.quads(traces.names(last.session.value))) == []
    await traces.remove_session(last.session)
    (left,) = await services.store.match([QuadPattern()])
    assert not [quad for quad in left if session_uuid(last.session) in str(quad.subject)]


async def test_a_warning_of_a_step_is_in_the_answer_and_in_the_trace(services: FlowServices) -> None:
    last = (await events_of(Counting(), services))[-1]
    assert isinstance(last, Finished)
    assert last.warnings == ("Ranked without vectors.",)
    traces = Traces(services.store, services.library, "explainability")
    assert (await traces.open(last.session.value)).trace.warnings == last.warnings


async def test_an_error_that_nobody_foresaw_ends_the_session_as_failed(services: FlowServices) -> None:
    events: list[Event] = []

    async def emit(event: Event) -> None:
        events.append(event)

    with pytest.raises(RuntimeError, match="nobody"):
        await Runner(Counting(failure=True), services).run(Question("How?"), emit)
    last = events[-1]
    assert isinstance(last, Finished)
    assert (last.outcome, "RuntimeError" in str(last.error)) == (SessionOutcome.FAILED, True)
    (session,) = await Traces(services.store, services.library, "explainability").sessions()
    assert session.outcome == SessionOutcome.FAILED


def test_a_derivation_without_a_step_proves_nothing() -> None:
    assert Derivation().short_answer(AnswerKind.ENTITY) is None


def test_a_step_uses_something_and_only_what_is_before_it() -> None:
    derivation = Derivation()
    first = derivation.step("select", [ChunkInput(0)], "1898", "A year.")
    empty = Derivation()
    empty.step("select", [], "1", "x")
    with pytest.raises(ValueError, match="no input"):
        empty.short_answer(AnswerKind.NUMBER)
    alone = Derivation()
    alone.step("count", [first], "1", "One.")
    with pytest.raises(ValueError, match="not before it"):
        alone.short_answer(AnswerKind.NUMBER)
