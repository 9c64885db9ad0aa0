"""passages: the passages that rank best, each quoted by its best sentence with its place; nothing is selected.

A reader sees what a ranking alone finds. It is the baseline that the other flows are measured against.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer, joined
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.provenance import document_trace, trace
from provgraph.provenance.document_trace import SelectedChunk
from provgraph.provenance.flows import PASSAGES
from provgraph.provenance.trace import RankedBy
from provgraph.wire.flow_requests import AskPassagesRequest, PostedAskPassagesRequest

RANKING: Final = "ranking"


@dataclass(frozen=True)
class PassagesQuestion(Question):
    """At most `passage_limit` passages are quoted."""

    passage_limit: int = 5

    default_method = "bm25"

    @property
    def fetched(self) -> int:
        return self.passage_limit


class Passages(Flow[PassagesQuestion]):
    name = PASSAGES
    path = "passages"
    summary = "Show the best passages"
    description = "Quote the passages that rank best, with their places and without a selection."
    query = AskPassagesRequest
    body = PostedAskPassagesRequest
    inherited = ()

    def question(self, request: AskPassagesRequest) -> PassagesQuestion:
        return PassagesQuestion(
            request.question, request.collection, request.method, passage_limit=request.passage_limit
        )

    async def answer(self, run: Run, question: PassagesQuestion) -> None:
        scope, grounding = run.scope, concepts(question.text)
        await run.explain("grounding", trace.grounding_quads(scope, grounding))

        result = await run.retrieve(question.request(grounding))
        ranked = [passage for passage in await run.passages(result.chunks) if passage.sentences]
        method = RankedBy(result.method, result.parameters)
        await run.explain(
            "retrieval", document_trace.chunk_retrieval_quads(scope, len(ranked), ranked=method)
        )

        weights = QuestionWeights(result.terms)
        selected = [_selected(weights, passage) for passage in ranked]
        await run.explain("selection", document_trace.chunk_selection_quads(scope, selected))

        await run.announce_answer()
        await run.finish(await run.say_all(quoted_passages(weights, ranked)))


def quoted_passages(weights: QuestionWeights, ranked: list[RetrievedPassage]) -> DraftAnswer:
    """Of each passage the sentence that meets most of the question, in the order of the ranking."""
    best = [
        max(passage.sentences, key=lambda words: weights.coverage(weights.shares(words.text, passage)))
        for passage in ranked
    ]

    def sentence(index: int, start: int, end: int) -> AnswerSentence:
        return AnswerSentence(start, end, (best[index],), chunks=(index,))

    return joined([" ".join(words.text.split()) for words in best], sentence)


def _selected(weights: QuestionWeights, passage: RetrievedPassage) -> SelectedChunk:
    hit = passage.hit
    met = weights.met(hit.text)
    words = tuple(term.text for term in weights.terms if term.text in met)
    return SelectedChunk(hit.chunk, hit.score, words, f"Ranked as number {passage.rank}.", RANKING)
