"""attribution: is what somebody wrote true, by the documents of a collection? Text → claims → chunks → verdicts."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Final

from anyio import CapacityLimiter, to_thread

from provgraph import __version__
from provgraph.disconnects import computed
from provgraph.flows.attribution.claims import attributed
from provgraph.flows.attribution.deadline import Deadline
from provgraph.flows.attribution.found_passages import ClaimPassages, FoundPassages
from provgraph.flows.attribution.report import ReportLine, draft_report, report_line
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.run import Run
from provgraph.language.concepts import concepts
from provgraph.ports.retriever import RetrievalRequest
from provgraph.provenance import document_trace, trace, verification_trace
from provgraph.provenance.flows import ATTRIBUTION
from provgraph.provenance.trace import RankedBy
from provgraph.rdf.terms import Quad
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import Parser
from provgraph.verdicts.answers import SplitAnswer, split_answer
from provgraph.verdicts.checking import AnswerJudge, CheckedClaim
from provgraph.wire.attribution import UNKNOWN, CheckedTextRequest

_GROUNDED: Final = 2_000
_MOST_CONCEPTS: Final = 40


@dataclass(frozen=True)
class CheckedText(Question):
    """`text` is what `agent` wrote, perhaps to answer the question `answers`; `chunk_limit` chunks are read for each
    claim at most."""

    answers: str = ""
    agent: str = UNKNOWN
    chunk_limit: int = 5

    default_method = "bm25"
    """A claim has the words of what says it."""

    @property
    def fetched(self) -> int:
        return self.chunk_limit

    def claim_request(self, words: str) -> RetrievalRequest:
        """What is looked for, for one claim."""
        return replace(self.request(concepts(words)), question=words)


class Attribution(Flow[CheckedText]):
    name = ATTRIBUTION
    path = "attribution"
    summary = "Check what others wrote"
    description = "Judge each claim of a text by the documents of a collection."
    query = CheckedTextRequest
    body = CheckedTextRequest
    inherited = ("method",)
    unrecorded = frozenset({"agent"})

    def __init__(self, parser: Parser | None = None) -> None:
        self.parser: Parser = BuiltInParser() if parser is None else parser
        self.turns = CapacityLimiter(1)
        """One interpreter: others would only wait for it."""

    def question(self, request: CheckedTextRequest) -> CheckedText:
        return CheckedText(request.question, request.collection, answers=request.answers, agent=request.agent)

    def session_quads(self, run: Run, question: CheckedText) -> Sequence[Quad]:
        return verification_trace.checked_text_quads(run.scope, question.agent, __version__)

    async def answer(self, run: Run, question: CheckedText) -> None:
        scope, answer = run.scope, await to_thread.run_sync(split_answer, question.text)
        grounding = concepts(question.answers or answer.plain[:_GROUNDED])[:_MOST_CONCEPTS]
        await run.explain("grounding", trace.grounding_quads(scope, grounding))

        passages = FoundPassages(run, question.claim_request, answer, question.answers)
        deadline = Deadline()
        await passages.retrieve(deadline)
        ranked = RankedBy(question.method or question.default_method, passages.parameters)
        count = len(passages.passages)
        await run.explain("retrieval", document_trace.chunk_retrieval_quads(scope, count, ranked=ranked))
        selected = await to_thread.run_sync(passages.selected)
        await run.explain("selection", document_trace.chunk_selection_quads(scope, selected))

        await run.announce_answer()
        lines = await self._judged(run, question, answer, passages, deadline)
        await run.finish(await to_thread.run_sync(draft_report, scope, lines, passages))

    async def _judged(
        self,
        run: Run,
        question: CheckedText,
        answer: SplitAnswer,
        passages: FoundPassages,
        deadline: Deadline,
    ) -> list[ReportLine]:
        """The claims one by one in a thread, so that others take their turns between two of them."""
        judge = AnswerJudge(answer, self.parser, passages.evidence, question.answers)
        lines: list[ReportLine] = []
        for number, own in enumerate(passages.of_claims):
            checked = await computed(partial(_checked, judge, deadline, number, own), self.turns)
            claim = attributed(checked, own.cited_documents, passages.view)
            line = report_line(checked, claim, passages, start=lines[-1].end + 1 if lines else 0)
            lines.append(line)
            await run.say(f"\n{line.text}" if number else line.text, claim)
        return lines


def _checked(
    judge: AnswerJudge, deadline: Deadline, number: int, own: ClaimPassages, step: Callable[[], None]
) -> CheckedClaim:
    def stepped() -> None:
        step()
        deadline.step()

    stepped()
    judge.step = stepped
    return judge.judged(number, own.cited, own.others)
