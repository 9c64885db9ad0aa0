"""fact-verification: is a claim true, by these documents? Chunks, their facts as a local graph, a verdict."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from anyio import CapacityLimiter

from provgraph.documents.tables import has_rows
from provgraph.flows.fact_verification.by_cells import cell_verdict, passages_of
from provgraph.flows.fact_verification.by_model import JUDGE_PLACES, READER_PLACES, ModelJudge, ModelReader
from provgraph.flows.fact_verification.by_rules import RuleJudge
from provgraph.flows.fact_verification.claim_trace import ClaimTrace
from provgraph.flows.fact_verification.judgement import CellVerdict, ClaimJudge, Material, verdict_text
from provgraph.flows.fact_verification.local_graph import GraphFact, local_graph, stored_facts
from provgraph.flows.runner.flow import Flow
from provgraph.flows.runner.meant_documents import heads_of
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.reading_passages import PassageFinder, Readings
from provgraph.flows.runner.run import Run
from provgraph.flows.runner.services import FlowServices
from provgraph.language.concepts import concepts
from provgraph.prompts import read_prompt
from provgraph.provenance import document_trace, trace
from provgraph.provenance.flows import VERIFICATION
from provgraph.provenance.trace import RankedBy
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import Parser
from provgraph.wire.flow_requests import PostedVerifyRequest, VerifyRequest

MOST_AT_ONCE: Final = 2
"""Claims that are judged side by side, in one interpreter: one that is long holds no other up."""


@dataclass(frozen=True)
class ClaimQuestion(Question):
    """`chunk_limit` chunks are read at most; reading facts from them by model ends after `seconds` in all."""

    chunk_limit: int = 5
    seconds: float = 20.0

    default_method = "bm25"
    """A claim has the words of what says it."""

    @property
    def fetched(self) -> int:
        return self.chunk_limit


class FactVerification(Flow[ClaimQuestion]):
    name = VERIFICATION
    path = "verify"
    summary = "Verify"
    description = (
        "Judge a claim by the documents of a collection, as a stream with `Accept: text/event-stream`."
    )
    query = VerifyRequest
    body = PostedVerifyRequest

    def __init__(self, parser: Parser | None = None) -> None:
        self._parser: Parser = BuiltInParser() if parser is None else parser
        self._turns = CapacityLimiter(MOST_AT_ONCE)
        self._readings = Readings(self._parser)

    def question(self, request: VerifyRequest) -> ClaimQuestion:
        return ClaimQuestion(
            request.question,
            request.collection,
            request.method,
            request.engine,
            chunk_limit=request.doc_limit,
            seconds=request.time_limit,
        )

    def check(self, question: ClaimQuestion, services: FlowServices) -> None:
        self._judge(services, question.engine)

    async def answer(self, run: Run, question: ClaimQuestion) -> None:
        scope, grounding = run.scope, concepts(question.text)
        await run.explain("grounding", trace.grounding_quads(scope, grounding))

        result = await run.retrieve(question.request(grounding))
        read = await run.passages(result.chunks)
        cells, read = await self._by_cells(run, question, read)
        ranked = RankedBy(result.method, result.parameters)
        await run.explain("retrieval", document_trace.chunk_retrieval_quads(scope, len(read), ranked=ranked))

        run.begin("selection", document_trace.chunk_selection_quads(scope, ()))
        facts = [*await stored_facts(run, read), *await _facts_by_model(run, question, read)]
        graph, heads = local_graph(question.text, facts), await heads_of(run, read)
        material = Material(question.text, read, graph, cells, heads)
        claim_trace = ClaimTrace(scope, material)
        await run.explain("selection", claim_trace.selection())

        await run.announce_answer()
        judged = await self._judge(run.services, question.engine).judged(run, material)
        await run.finish(await run.say_all(claim_trace.draft(judged, verdict_text(judged))))

    async def _by_cells(
        self, run: Run, question: ClaimQuestion, read: list[RetrievedPassage]
    ) -> tuple[CellVerdict | None, list[RetrievedPassage]]:
        """What tables say of the claim, and the passages with those of its cells; of prose alone nothing is asked."""
        if run.model is not None or not any(has_rows(passage.hit.text) for passage in read):
            return None, read
        finder = PassageFinder(run, self._readings, question.method)
        cells = await cell_verdict(run, question.text, finder)
        known = {passage.hit.chunk for passage in read}
        return cells, [
            *read,
            *(passage for passage in passages_of(cells, finder) if passage.hit.chunk not in known),
        ]

    def _judge(self, services: FlowServices, engine: str) -> ClaimJudge:
        """Raises `InvalidInput` for an engine, or a prompt, that cannot be used."""
        use, rules = services.model_use, RuleJudge(self._parser, self._turns)
        model = use.chosen(engine)
        if model is None:
            return rules
        return ModelJudge(model, read_prompt("verification", JUDGE_PLACES, use.prompts), rules)


async def _facts_by_model(run: Run, claim: ClaimQuestion, read: list[RetrievedPassage]) -> list[GraphFact]:
    """More facts than are stored, where a model is to read them."""
    if run.model is None or not read:
        return []
    prompt = read_prompt("relationships", READER_PLACES, run.services.model_use.prompts)
    return await ModelReader(run.model, prompt, claim.seconds).facts(run, read)
