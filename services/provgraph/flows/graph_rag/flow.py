"""graph-rag: a question answered from facts: concepts, candidate edges, the edges that answer, their words.

Knows nothing of HTTP. What is done at a step is an engine's affair, with a language model or without.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Final

from provgraph.derivation.answer import Answerer
from provgraph.derivation.form_answers import form_answer
from provgraph.derivation.inner_phrases import asks_of_described
from provgraph.derivation.question_forms import is_yes_no
from provgraph.derivation.relevance import can_answer, may_tell, says_all
from provgraph.derivation.result import Derived, Incomplete, Probable
from provgraph.documents.tables import has_rows, is_row
from provgraph.flows.graph_rag.asked_text import asked_text
from provgraph.flows.graph_rag.by_model import AnswerPrompts, ModelEngine
from provgraph.flows.graph_rag.candidates import KEPT, FactSearch, SearchPlan
from provgraph.flows.graph_rag.definitions import defined, told_of_name
from provgraph.flows.graph_rag.derived import (
    NO_ANSWER,
    NOT_NEEDED,
    Proof,
    derived_draft,
    incomplete_draft,
    probable_draft,
)
from provgraph.flows.graph_rag.engine import Engine, SelectedEdges
from provgraph.flows.graph_rag.from_passages import answer_from_passages, reads_no_answer
from provgraph.flows.graph_rag.model_free import ModelFreeEngine
from provgraph.flows.graph_rag.selection import Choice, EdgeSelection
from provgraph.flows.runner.answers import DraftAnswer
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.meant_documents import meant_document
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.reading_passages import RETRIEVED, PassageFinder, Readings, is_english
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import FlowServices, ModelAccess
from provgraph.flows.runner.table_answers import TableFinder
from provgraph.ports.reranker import NOBODY
from provgraph.ports.retriever import RetrievalLimits, RetrievalRequest
from provgraph.provenance import trace
from provgraph.provenance.candidates import RejectedEdge, rejected_edge_quads
from provgraph.provenance.document_trace import chunk_selection_quads
from provgraph.provenance.flows import GRAPH_RAG
from provgraph.provenance.model_calls import ignored_quads
from provgraph.rdf.terms import Quad
from provgraph.rdf.vocabulary import RDFS
from provgraph.wire.documents import CollectionSettings
from provgraph.wire.flow_requests import AskRequest, PostedAskRequest, reranker_name

LONGEST_DERIVED: Final = 1_500
"""Characters of a question that is derived; longer ones are answered from facts and passages."""
MOST_TABULAR: Final = 3
"""Where most of so many best passages are rows of tables, cells are asked before sentences."""


LEAST_OF_MEANT: Final = 0.4
"""How likely an answer must be right that is asked of the one document that a question means."""
SURE_OF_MEANT: Final = 0.8
"""The same of a yes or no."""
MOST_READ: Final = 3
"""Sentences of facts that are read together for whether they answer."""


@dataclass(frozen=True)
class GraphQuestion(Question):
    """What is empty or None is as the collection has it set, else as the service has.

    `parameters` are numbers that the method has, by name; `rerank` names who scores the candidates a second time.
    """

    limits: RetrievalLimits = RetrievalLimits()
    edge_limit: int = 25
    corrective: bool | None = None
    rerank: str = ""
    parameters: Mapping[str, float] = field(default_factory=dict)

    def request(self, concepts: tuple[str, ...] = (), chunks: int = 0) -> RetrievalRequest:
        return RetrievalRequest(
            self.text,
            concepts,
            self.collection,
            self.method,
            chunks=chunks,
            limits=self.limits,
            parameters=self.parameters,
        )


@dataclass(frozen=True)
class GraphRag(Flow[GraphQuestion]):
    """`corrective` and `rerank` are for questions that do not say, of collections that do not either."""

    corrective: bool = False
    rerank: bool = False
    readings: Readings = field(default_factory=Readings)

    name = GRAPH_RAG
    path = "graph-rag"
    summary = "Answer from facts"
    description = "Answer a question. `Accept: text/event-stream` streams it, else it comes as one JSON."
    query = AskRequest
    body = PostedAskRequest

    def question(self, request: AskRequest) -> GraphQuestion:
        return GraphQuestion(
            request.question,
            request.collection,
            request.method,
            request.engine,
            limits=request.limits,
            edge_limit=request.edge_limit,
            corrective=request.corrective,
            rerank=reranker_name(request.rerank),
            parameters=request.parameters if isinstance(request, PostedAskRequest) else {},
        )

    async def resolved(
        self, question: GraphQuestion, settings: CollectionSettings, services: FlowServices
    ) -> GraphQuestion:
        _engine(services.model_use, question.engine)
        services.reranker(question.rerank)
        await services.retriever.accept(question.request())
        wanted = _first(settings.rerank, self.rerank)
        default = services.default_reranker(question.engine) if wanted else NOBODY
        return replace(
            question,
            corrective=_first(question.corrective, settings.corrective, self.corrective),
            rerank=question.rerank or default,
        )

    async def answer(self, run: Run, question: GraphQuestion) -> None:
        scope, engine = run.scope, _engine(run.services.model_use, question.engine)
        if engine.is_model_free and is_english(question.text):
            question = replace(question, text=asked_text(question.text))
            run.question = replace(run.question, text=question.text)  # the trace has it as it was asked
        run.begin("grounding", trace.grounding_quads(scope, ()))
        concepts = await engine.ground(run, question.text)
        await run.explain("grounding", trace.grounding_quads(scope, concepts))

        reranker = run.services.reranker(question.rerank)
        plan = SearchPlan(bool(question.corrective), reranker, max(KEPT, question.edge_limit))
        search = FactSearch(run, plan)
        await search.search(engine, question.request(concepts, RETRIEVED if engine.is_model_free else 0))
        if engine.is_model_free:
            await search.narrow(question.text)

        run.begin("selection", trace.selection_quads(scope, (), search.origins))
        edges = await engine.select(run, question.text, search.candidates, question.edge_limit)
        selection = search.completed(edges.selection)
        derives = (
            engine.is_model_free and not search.is_ambiguous
        )  # of several things of one name, all are shown
        finder = PassageFinder(
            run, self.readings, question.method, None if question.parameters else search.first
        )
        proved = await self._derived(run, question, finder) if derives else None
        to_one = None
        if derives and (proved is None or not proved.is_answer):
            to_one = await self._put_to_one(run, question, finder)
            proved = to_one.proved if to_one and to_one.proved else proved
        if engine.is_model_free and (proved is None or not proved.is_answer):
            selection = await self._relevant(question, selection, finder)
        if proved is not None and (proved.is_answer or not selection.choices):
            await _prove(run, search, replace(edges, selection=selection), proved)
            return
        if engine.is_model_free and not selection.choices:
            put, within = (to_one.question, to_one.finder) if to_one else (question, finder)
            await answer_from_passages(run, put, search, selection, within)
            return
        await _explain_selection(run, search, replace(edges, selection=selection))

        await run.announce_answer()
        draft = await engine.answer(run, question.text, selection)
        rejected = rejected_edge_quads(scope, selection.rejected)
        await run.finish(replace(draft, rejected=rejected))

    async def _relevant(
        self, question: GraphQuestion, selection: EdgeSelection, finder: PassageFinder
    ) -> EdgeSelection:
        """The selection, or nothing of it where none of its sentences can be an answer: a row of a table, which nothing
        was derived from, only where it has every word that the question is about."""
        sentences = list(
            dict.fromkeys(source.text for choice in selection.choices for source in choice.sources)
        )
        if not sentences or not is_english(question.text):
            return selection
        kept = [choice for choice in selection.choices if self._may_tell(question, choice, finder)]
        told = list(dict.fromkeys(source.text for choice in kept for source in choice.sources))
        is_prose = not any(map(is_row, told))
        if (
            not told
            or not can_answer(question.text, told, self.readings.parser)
            or (is_prose and await reads_no_answer(question.text, told[:MOST_READ]))
        ):
            kept = []
        left = (_rejected(choice.selected, NO_ANSWER) for choice in selection.choices if choice not in kept)
        return EdgeSelection(tuple(kept), (*selection.rejected, *left))

    def _may_tell(self, question: GraphQuestion, choice: Choice, finder: PassageFinder) -> bool:
        """Whether one of the sentences of a fact can be told in answer."""
        return any(
            says_all(question.text, source.text)
            if is_row(source.text)
            else may_tell(question.text, source.text, source.place.title, self.readings.parser)
            for source in choice.sources
            if not finder.rules_out(question.text, source.text)
        )

    async def _derived(self, run: Run, question: GraphQuestion, finder: PassageFinder) -> Proved | None:
        """What can be derived from sentences; None where nothing of the question could be looked up, or it is too long
        for one: what takes it apart then takes seconds, and finds nothing."""
        if not is_english(question.text) or len(question.text) > LONGEST_DERIVED:
            return None
        result = told_of_name(question.text, await self._result(run, question, finder))
        if definition := await defined(question.text, finder, result):
            return Proved(definition, finder, defines=True)
        if result is None or not any(step.supports for step in result.steps):
            return None
        return Proved(result, finder)

    async def _put_to_one(self, run: Run, question: GraphQuestion, finder: PassageFinder) -> PutToOne | None:
        """The question put to the one document that it means by its names, where there is one."""
        if (
            question.without.documents
            or not is_english(question.text)
            or len(question.text) > LONGEST_DERIVED
        ):
            return None
        passages = list(finder.passages_by_key.values())
        meant = await meant_document(run, question.text, self.readings.parser, passages)
        if meant is None:
            return None
        put = replace(question, without=replace(question.without, documents=meant.others))
        within = PassageFinder(run, self.readings, question.method, without=put.without)
        answerer = Answerer(self.readings.parser, within, in_one=True, ruled_out=within.ruled_out)
        asked = [
            wording
            for wording in meant.wordings(question.text, self.readings.parser)
            if not asks_of_described(question.text if meant.is_article else wording, self.readings.parser)
        ]
        for wording in asked:
            result = await answerer.answer(wording)
            least = SURE_OF_MEANT if is_yes_no(wording) else LEAST_OF_MEANT
            if isinstance(result, Derived) and result.confidence >= least:
                why = meant.why(support.sentence.text for support in result.ending)
                told = replace(result, completeness=result.completeness or why)
                return PutToOne(put, within, Proved(told, within))
        return PutToOne(put, within) if asked else None

    async def _result(
        self, run: Run, question: GraphQuestion, finder: PassageFinder
    ) -> Derived | Probable | Incomplete | None:
        """What tables give where the best passages are rows, else what sentences give, else what tables give."""
        first = await finder.passages(question.text)
        tables = TableFinder(run, finder)
        from_statement = await tables.line_item(question.text)
        if from_statement is not None:
            return from_statement
        hits = [passage.hit for passage in finder.passages_by_key.values()]
        from_form = form_answer(
            question.text, [(hit.chunk.value, hit.document.value, hit.title, hit.text) for hit in hits]
        )
        if from_form is not None:
            return from_form
        tabular = sum(has_rows(passage.text) for passage in first[:MOST_TABULAR]) * 2 > MOST_TABULAR
        from_cells = await tables.answer(question.text) if tabular else None
        if from_cells is not None:
            return from_cells
        in_one = bool(question.without.documents) and len({passage.document for passage in first}) == 1
        answerer = Answerer(self.readings.parser, finder, in_one=in_one, ruled_out=finder.ruled_out)
        result = await answerer.answer(question.text)
        if isinstance(result, Derived) or tabular:
            return result
        return await tables.answer(question.text) or result


@dataclass(frozen=True)
class Proved:
    """What a derivation came to, and the finder of what it stands on; a sentence that `defines` what is asked for is
    an answer without a short one."""

    result: Derived | Probable | Incomplete
    finder: PassageFinder
    defines: bool = False

    @property
    def is_answer(self) -> bool:
        return self.defines or isinstance(self.result, Derived)

    def draft(self, proof: Proof) -> DraftAnswer:
        if isinstance(self.result, Derived):
            return derived_draft(self.result, proof)
        if isinstance(self.result, Probable):
            return probable_draft(proof)
        return incomplete_draft(self.result, proof)


@dataclass(frozen=True)
class PutToOne:
    """A question that is put to one document alone, what finds its passages, and the answer, where that is derived."""

    question: GraphQuestion
    finder: PassageFinder
    proved: Proved | None = None


async def _prove(run: Run, search: FactSearch, edges: SelectedEdges, proved: Proved) -> None:
    """The answer of a derivation, with the selected facts that its sentences say; the others are passed over."""
    proof = Proof(proved.result.steps, proved.finder, edges.selection.choices)
    rejected = [*edges.selection.rejected, *(_rejected(choice.selected) for choice in proof.left)]
    await run.explain("selection", [*_selected(run, search, proof), *_ignored(run, edges)])
    await run.announce_answer()
    draft = await run.say_all(proved.draft(proof))
    await run.finish(replace(draft, rejected=rejected_edge_quads(run.scope, rejected)))


def _rejected(selected: trace.Selected, reason: str = NOT_NEEDED) -> RejectedEdge:
    return RejectedEdge(
        selected.edge, selected.score, reason, rerank_score=selected.rerank_score, way=selected.way
    )


def _selected(run: Run, search: FactSearch, proof: Proof) -> list[Quad]:
    """One selection of facts and chunks."""
    quads = trace.selection_quads(run.scope, [fact.selected for fact in proof.facts], search.origins)
    node = run.names.step("selection")
    of_chunks = chunk_selection_quads(run.scope, proof.chunks, search.origins)
    return [*quads, *(quad for quad in of_chunks if quad.predicate != RDFS.label or quad.subject != node)]


async def _explain_selection(run: Run, search: FactSearch, edges: SelectedEdges) -> None:
    selected = [choice.selected for choice in edges.selection.choices]
    quads = trace.selection_quads(run.scope, selected, search.origins)
    await run.explain("selection", [*quads, *_ignored(run, edges)])


def _ignored(run: Run, edges: SelectedEdges) -> Sequence[Quad]:
    if edges.ignored is None:
        return ()
    return ignored_quads(run.names, "selection", edges.ignored, run.scope.graph)


def _engine(use: ModelAccess, name: str) -> Engine:
    """The engine of a question; an empty name is the model where there is one.

    Raises `InvalidInput` for a name that is not known, for the model where there is none, and for a prompt that cannot
    be used.
    """
    model = use.chosen(name)
    return ModelFreeEngine() if model is None else ModelEngine(model, AnswerPrompts.read(use.prompts))


def _first(*choices: bool | None) -> bool:
    """The first choice that was made."""
    return next((choice for choice in choices if choice is not None), False)
