"""research: a question to papers, answered with their names; a conversation remembers questions and chosen papers."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Final

from anyio import to_thread

from provgraph.catalogue.collections import Collections
from provgraph.catalogue.papers import PaperCatalogue, StoredPaper
from provgraph.flows.research.candidates import PaperCandidates, ranking_request
from provgraph.flows.research.conversations import (
    Conversations,
    PointedPaper,
    Remembered,
    carried,
    in_words,
    pointed_paper,
)
from provgraph.flows.research.from_tables import CellAnswer, cell_answer
from provgraph.flows.research.overview import overview_of, selected, told
from provgraph.flows.research.search import PaperSearchPlan, PassageSearch
from provgraph.flows.runner.answer_reading import spelt_out
from provgraph.flows.runner.answers import REFUSAL, DraftAnswer, joined
from provgraph.flows.runner.chunk_answers import (
    ChunkSelection,
    ChunkWriter,
    ModelChunkWriter,
    quoted_answer,
    select_chunks,
)
from provgraph.flows.runner.derivation import AnswerKind, Derivation, SentenceInput
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.read_passages import read_passages, select_read
from provgraph.flows.runner.reading_passages import Readings, is_english
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import FlowServices
from provgraph.language.asked_aspects import Overview, asked_overview
from provgraph.language.concepts import concepts
from provgraph.ports.retriever import Without
from provgraph.prompts import read_prompt
from provgraph.provenance import document_trace, trace
from provgraph.provenance.document_trace import document_retrieval_quads
from provgraph.provenance.flows import RESEARCH
from provgraph.provenance.papers import asked_papers_quads
from provgraph.provenance.trace import RankedBy
from provgraph.rdf.terms import NamedNode, Quad
from provgraph.reading.parser import BuiltInParser
from provgraph.wire.documents import CollectionSettings
from provgraph.wire.flow_requests import AskPapersRequest, PostedAskPapersRequest, reranker_name

FETCHED_TO_READ: Final = 30
"""Passages that are retrieved at least where no model has to read them: their sentences are read one by one."""


@dataclass(frozen=True)
class NamingWriter:
    """`papers` are those that may be named; `by_cells` is what a table answers, where one does."""

    papers: Mapping[NamedNode, StoredPaper]
    by_cells: CellAnswer | None = None

    async def answer(self, run: Run, question: str, selection: ChunkSelection) -> DraftAnswer:
        draft = self.named(await to_thread.run_sync(quoted_answer, selection), selection)
        if self.by_cells is not None:
            return await run.say_all(self.by_cells.draft(draft))
        return await run.say_all(_with_long_form(draft, question, selection))

    def named(self, quoted: DraftAnswer, selection: ChunkSelection) -> DraftAnswer:
        """The quoted sentences, with the name of its paper before each that is of another than the one before it."""
        texts: list[str] = []
        before: NamedNode | None = None
        for sentence in quoted.sentences:
            paper = selection.chosen[sentence.chunks[0]].passage.hit.document
            lead = "" if paper == before else f"{self._reference(paper)}: "
            before = paper
            texts.append(lead + quoted.text[sentence.start : sentence.end])
        return joined(texts, lambda index, start, end: replace(quoted.sentences[index], start=start, end=end))

    def _reference(self, paper: NamedNode) -> str:
        return self.papers[paper].reference if paper in self.papers else "Another paper"


def _with_long_form(draft: DraftAnswer, question: str, selection: ChunkSelection) -> DraftAnswer:
    """With what a short form stands for as the short answer, where that was asked."""
    form = spelt_out(question, selection.told[0].words.text) if draft.sentences and selection.told else None
    if form is None:
        return draft
    derivation = Derivation()
    long = " ".join(form.long.split())
    derivation.step("choose", [SentenceInput(0)], long, f"What the sentence says {form.short} stands for.")
    return replace(draft, short_answer=derivation.short_answer(AnswerKind.SPAN))


@dataclass(frozen=True)
class PaperQuestion(Question):
    """`papers` are the names of those to ask, none of them for all; None for those that the conversation asked last.

    Of `fetch_limit` passages `chunk_limit` are read for the answer; `alpha` is the weight of vectors in the ranking.
    When the question is resolved, `known` are the papers of the collection, `chosen` those that are asked (none: all),
    and `earlier` the questions of the conversation, the oldest first.
    """

    papers: tuple[str, ...] | None = None
    conversation: str = ""
    alpha: float = 0.5
    corrective: bool = True
    rerank: str = ""
    chunk_limit: int = 5
    fetch_limit: int = 10
    known: Mapping[NamedNode, StoredPaper] = field(default_factory=dict)
    chosen: tuple[NamedNode, ...] = ()
    conversation_node: NamedNode | None = None
    earlier: tuple[str, ...] = ()


@dataclass(frozen=True)
class Research(Flow[PaperQuestion]):
    """`readings` has the parser by which tables are asked."""

    readings: Readings = field(default_factory=Readings)

    name = RESEARCH
    path = "research"
    summary = "Answer from papers"
    description = (
        "Answer a question from papers, all or some, naming them; a stream with `Accept: text/event-stream`."
    )
    query = AskPapersRequest
    body = PostedAskPapersRequest
    inherited = ("engine",)
    unrecorded = frozenset({"conversation", "papers"})

    def question(self, request: AskPapersRequest) -> PaperQuestion:
        return PaperQuestion(
            request.question,
            request.collection,
            request.method,
            request.engine,
            papers=None if request.papers is None else tuple(request.papers),
            conversation=request.conversation.strip(),
            alpha=request.alpha,
            corrective=request.corrective,
            rerank=reranker_name(request.rerank),
            chunk_limit=request.doc_limit,
            fetch_limit=max(request.fetch_limit, request.doc_limit),
        )

    async def resolved(
        self,
        question: PaperQuestion,
        settings: CollectionSettings,  # noqa: ARG002 (the runner took what this flow inherits)
        services: FlowServices,
    ) -> PaperQuestion:
        """Raises also `Conflict`, for a conversation with another collection."""
        model = services.model_use.chosen(question.engine)
        fetched = question.fetch_limit if model else max(question.fetch_limit, FETCHED_TO_READ)
        ranking = ranking_request(question.text, question.method, question.alpha, fetched)
        await services.retriever.accept(ranking)
        rerank = question.rerank or services.default_reranker(question.engine)
        services.reranker(rerank)
        collections = Collections(services.store, services.explain_collection)
        catalogue = PaperCatalogue(services.store, await collections.require(question.collection))
        known = {paper.iri: paper for paper in await catalogue.papers()}
        named = tuple(paper.iri for paper in await catalogue.chosen(question.papers or ()))
        node, before = await _conversation(question, services)
        chosen = named
        if question.papers is None:
            chosen = tuple(paper for paper in before.papers if paper in known)
        counted = _counted_out(question.text, chosen)
        return replace(
            question,
            rerank=rerank,
            fetch_limit=fetched,
            known=known,
            chosen=chosen,
            conversation_node=node,
            earlier=before.questions,
            without=_only((counted,) if counted else chosen, known, question.without),
        )

    def session_quads(self, run: Run, question: PaperQuestion) -> list[Quad]:
        return asked_papers_quads(run.scope, question.chosen, question.conversation_node)

    async def answer(self, run: Run, question: PaperQuestion) -> None:
        scope = run.scope
        meant = _in_words(question)
        before = () if meant != question.text else carried(question.text, question.earlier)
        grounding = tuple(dict.fromkeys((*concepts(meant), *before)))
        await run.explain("grounding", trace.grounding_quads(scope, grounding))

        if (pointed := pointed_paper(meant)) is not None:
            await self._ask_back(run, pointed)
            return
        overview = asked_overview(question.text)
        if overview and run.model is None:
            await self._overview(run, question, overview)
            return
        plan = PaperSearchPlan(
            question.corrective, run.services.reranker(question.rerank), question.chunk_limit
        )
        search = PassageSearch(run, plan)
        text = " ".join((meant, *before))
        ranking = ranking_request(text, question.method, question.alpha, question.fetch_limit)
        await search.search(replace(ranking, concepts=grounding))

        candidates = search.candidates
        by_cells = None if run.model else await self._by_cells(run, text, candidates)
        selection = (
            by_cells.selection(candidates)
            if by_cells
            else await _selected(text, candidates, question.chunk_limit)
        )
        chunks = await to_thread.run_sync(selection.selected_chunks)
        selected_chunks = [replace(chunk, rerank_score=search.scores.get(chunk.chunk)) for chunk in chunks]
        focus = document_trace.chunk_selection_quads(scope, selected_chunks, search.origins)
        await run.explain("selection", focus)

        await run.announce_answer()
        draft = await _writer(run, question, by_cells).answer(run, _with_earlier(question), selection)
        rejected = [replace(chunk, retrieval=search.origins[0]) for chunk in selection.rejected]
        quads = document_trace.rejected_chunk_quads(scope, (*rejected, *search.rejected))
        await run.finish(replace(draft, rejected=quads))

    async def _by_cells(self, run: Run, text: str, candidates: PaperCandidates) -> CellAnswer | None:
        """What a table answers; its rows are read in English only."""
        if not is_english(text):
            return None
        return await cell_answer(run, self.readings, text, candidates.passages)

    async def _ask_back(self, run: Run, pointed: PointedPaper) -> None:
        """Nothing is guessed where a question means one of several papers, and it is not known of which."""
        await run.explain("retrieval", document_retrieval_quads(run.scope, 0, RankedBy(""), (), "", 0))
        await run.explain("selection", document_trace.chunk_selection_quads(run.scope, [], ["retrieval"]))
        await run.announce_answer()
        await run.finish(
            await run.say_all(DraftAnswer(f"{REFUSAL} Which one is “{pointed.words}”? Name it."))
        )

    async def _overview(self, run: Run, question: PaperQuestion, kind: Overview) -> None:
        papers = [question.known[iri] for iri in question.chosen or question.known]
        overviews = await overview_of(run, papers, question.without)
        selection = selected(overviews)
        chunks = await to_thread.run_sync(selection.selected_chunks)
        await run.explain("selection", document_trace.chunk_selection_quads(run.scope, chunks, ["retrieval"]))
        await run.announce_answer()
        await run.finish(await run.say_all(told(overviews, kind, selection)))


def conversations_of(services: FlowServices) -> Conversations:
    return Conversations(services.store, services.explain_collection, services.now)


async def _conversation(
    question: PaperQuestion, services: FlowServices
) -> tuple[NamedNode | None, Remembered]:
    """The conversation of a question, and what it remembers; nothing where it is in none."""
    if not question.conversation:
        return None, Remembered()
    conversations = conversations_of(services)
    node = await conversations.joined(question.conversation, question.collection)
    return node, await conversations.remembered(node)


def _in_words(question: PaperQuestion) -> str:
    """The question as it is read: with the names that it points back to, and the paper that it counts out."""
    text = in_words(question.text, question.earlier, BuiltInParser())
    paper = _counted_out(text, question.chosen)
    pointed = pointed_paper(text)
    if paper is None or pointed is None:
        return text
    return text.replace(pointed.words, f"“{question.known[paper].title}”")


def _counted_out(text: str, chosen: tuple[NamedNode, ...]) -> NamedNode | None:
    """ "The second one" of the papers that were chosen; None where it is not said, or there are not so many."""
    pointed = pointed_paper(text)
    if pointed is None or len(chosen) < 2 or pointed.place >= len(chosen):
        return None
    return chosen[pointed.place]


def _only(chosen: tuple[NamedNode, ...], known: Mapping[NamedNode, StoredPaper], without: Without) -> Without:
    """Without what is left out, and without the papers that were not chosen where some were."""
    others = tuple(paper for paper in known if paper not in chosen) if chosen else ()
    return replace(without, documents=tuple(dict.fromkeys((*without.documents, *others))))


async def _selected(text: str, candidates: PaperCandidates, limit: int) -> ChunkSelection:
    """By reading the passages where the question is in English, else by the words that they share with it."""
    if not is_english(text):
        return await to_thread.run_sync(select_chunks, candidates.weights, candidates.passages, limit)
    reading = await read_passages(text, candidates.weights, candidates.passages)
    return await to_thread.run_sync(select_read, candidates.weights, candidates.passages, limit, reading)


def _writer(run: Run, question: PaperQuestion, by_cells: CellAnswer | None) -> ChunkWriter:
    naming = NamingWriter(question.known, by_cells)
    model = run.model
    if model is None:
        return naming
    places = frozenset({"question", "passages"})
    prompt = read_prompt("research-answer", places, run.services.model_use.prompts)
    return ModelChunkWriter(model, prompt, naming)


def _with_earlier(question: PaperQuestion) -> str:
    """The question as a model reads it, after those before."""
    if not question.earlier:
        return question.text
    earlier = "\n".join(f"- {text}" for text in question.earlier)
    return f"{question.text}\n\nEarlier questions of this conversation:\n{earlier}"
