"""The judge by model, and the facts that a model reads for it.

The judge reads the linearised graph and the sentences, all numbered, and names the numbers behind its
verdict. One that names nothing of the evidence is not trusted, and the rules judge instead. Facts are read from the
passages side by side, within one limit of time for all of them; what a model quotes has to stand in the passage. These
facts are part of the local graph and of the response; they are not stored.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

import anyio

from provgraph.catalogue.sources import Words
from provgraph.errors import ModelUnavailable
from provgraph.flows.fact_verification.by_rules import RuleJudge
from provgraph.flows.fact_verification.judgement import JudgedClaim, Material, VerdictArgument
from provgraph.flows.fact_verification.local_graph import GraphFact
from provgraph.flows.runner.model_calls import ModelCall
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.language.json_items import items_of
from provgraph.language.quotes import QuotableText
from provgraph.ports.language_model import LanguageModel
from provgraph.prompts import Prompt
from provgraph.provenance.trace import Origin
from provgraph.provenance.verification_trace import ClaimJudgement, Label, Stance

JUDGE_PLACES: Final = frozenset({"claim", "facts", "sentences"})
READER_PLACES: Final = frozenset({"title", "text"})
CONFIDENCE: Final = 0.75
"""Of a fact whose quote stands in the passage, and that nothing else was held against."""

_LONGEST_LABEL: Final = 120
UNREADABLE: Final = "The model's verdict could not be read. The rules judged instead."
UNFOUNDED: Final = "The model's verdict named no evidence that there is. The rules judged instead."
CONTRADICTED: Final = "The model's verdict was SUPPORTS, and the documents contradict it."
_NO_CONFIDENCE: Final = 0.5
_LONGEST_EXPLANATION: Final = 500


@dataclass(frozen=True)
class ModelJudge:
    model: LanguageModel
    prompt: Prompt
    rules: RuleJudge

    async def judged(self, run: Run, material: Material) -> JudgedClaim:
        by_rules = await self.rules.judged(run, material)
        if not material.passages:
            return by_rules
        evidence = list(_evidence(material))
        call = run.call(self.model, self.prompt, _values(material, evidence))
        try:
            verdict = _verdict(await call.whole(), by_rules, evidence)
        except ModelUnavailable as unavailable:
            verdict = f"{unavailable} The rules judged instead."
        if isinstance(verdict, JudgedClaim):
            return turned_down(verdict, by_rules)
        run.warn(verdict)
        return by_rules


def turned_down(verdict: JudgedClaim, by_rules: JudgedClaim) -> JudgedClaim:
    """A model's SUPPORTS that the words of the documents contradict is not enough, and told so."""
    supports = verdict.judgement.label is Label.SUPPORTS
    if not supports or by_rules.judgement.label is not Label.REFUTES:
        return verdict
    judgement = ClaimJudgement(Label.NOT_ENOUGH_INFO, _NO_CONFIDENCE, by_rules.judgement.coverage)
    note = f"{CONTRADICTED} {by_rules.explanation}"
    return replace(
        verdict, judgement=judgement, explanation=note, arguments=(), notes=(note,), origin=Origin.DERIVED
    )


@dataclass(frozen=True)
class _Cited:
    """A numbered piece of the evidence: words in the passage of that index."""

    passage: int
    words: Words


def _evidence(material: Material) -> Iterator[_Cited]:
    """The facts of the graph, then the sentences of the passages, as they are numbered."""
    chunks = {each.hit.chunk: index for index, each in enumerate(material.passages)}
    for ranked in material.graph.facts:
        words = ranked.fact.words[0]
        yield _Cited(chunks[words.place.chunk], words)
    for index, passage in enumerate(material.passages):
        yield from (_Cited(index, words) for words in passage.sentences)


def _values(material: Material, evidence: Sequence[_Cited]) -> dict[str, str]:
    first = len(material.graph.facts)
    sentences = [
        f"[{number}] {' '.join(each.words.text.split())}"
        for number, each in enumerate(evidence[first:], first + 1)
    ]
    return {
        "claim": material.claim,
        "facts": material.graph.linearised(),
        "sentences": "\n".join(sentences),
    }


def _verdict(reply: str, by_rules: JudgedClaim, evidence: Sequence[_Cited]) -> JudgedClaim | str:
    """What a model said, or why that is not taken."""
    verdict = next((item for item in items_of(reply) or () if "verdict" in item), None) or _whole(reply)
    label = next((label for label in Label if verdict and label == _label(verdict.get("verdict"))), None)
    if verdict is None or label is None:
        return UNREADABLE
    confidence, explanation = _share(verdict.get("confidence")), _line(verdict.get("explanation"))
    arguments = [
        VerdictArgument(stance, cited.passage, cited.words, explanation or "The model names it.", confidence)
        for stance in Stance
        for cited in _cited(verdict.get(stance), evidence)
    ]
    judgement = ClaimJudgement(label, confidence, by_rules.judgement.coverage)
    judged = replace(by_rules, judgement=judgement, arguments=(), notes=(), origin=Origin.GENERATED)
    if label is Label.NOT_ENOUGH_INFO:
        return replace(judged, explanation=explanation or "The evidence does not say.")
    decisive = Stance.FOR if label is Label.SUPPORTS else Stance.AGAINST
    arguments.sort(key=lambda argument: argument.stance is not decisive)
    if not arguments or arguments[0].stance is not decisive:
        return UNFOUNDED
    return replace(
        judged, explanation=explanation or arguments[0].reason, arguments=tuple(arguments), missing=""
    )


def _whole(reply: str) -> dict[str, Any] | None:
    """The one object of a reply, whose own lists hold no objects."""
    start, end = reply.find("{"), reply.rfind("}")
    try:
        value = json.loads(reply[start : end + 1], strict=False) if 0 <= start < end else None
    except (ValueError, RecursionError):
        return None
    return value if isinstance(value, dict) else None


def _cited(numbers: object, evidence: Sequence[_Cited]) -> list[_Cited]:
    """The evidence of these numbers, each place once; numbers of nothing are passed over."""
    given = numbers if isinstance(numbers, list) else []
    known = [n for n in given if isinstance(n, int) and not isinstance(n, bool) and 0 < n <= len(evidence)]
    places = {(e.words.page, e.words.start, e.words.end): e for e in (evidence[n - 1] for n in known)}
    return list(places.values())


def _label(value: object) -> str:
    return " ".join(value.upper().replace("_", " ").split()) if isinstance(value, str) else ""


def _share(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not 0 <= value <= 1:
        return _NO_CONFIDENCE
    return float(value)


def _line(value: object, longest: int = _LONGEST_EXPLANATION) -> str:
    return " ".join(value.split())[:longest] if isinstance(value, str) else ""


# facts that a model reads from the passages for one claim


@dataclass(frozen=True)
class ModelReader:
    """All calls end after `seconds`."""

    model: LanguageModel
    prompt: Prompt
    seconds: float

    async def facts(self, run: Run, passages: Sequence[RetrievedPassage]) -> list[GraphFact]:
        """What was read in time. Does not fail because the model does."""
        calls = [
            run.call(self.model, self.prompt, {"title": passage.hit.title, "text": passage.hit.text})
            for passage in passages
        ]
        failures: list[str] = []
        with anyio.move_on_after(self.seconds) as limit:
            async with anyio.create_task_group() as group:
                for call in calls:
                    group.start_soon(_finish, call, failures)
        if limit.cancelled_caught:
            failures.append(f"Reading facts by model was ended after {self.seconds:g} s.")
        run.warn(*dict.fromkeys(failures))
        return [
            fact
            for passage, call in zip(passages, calls, strict=True)
            for fact in _facts(passage, call.reply)
        ]


async def _finish(call: ModelCall, failures: list[str]) -> None:
    try:
        await call.whole()
    except ModelUnavailable as unavailable:
        failures.append(f"{unavailable} The facts that are stored were used.")


def _facts(passage: RetrievedPassage, reply: str) -> Iterator[GraphFact]:
    """The statements of a reply whose quotes stand in the passage."""
    quotable = QuotableText.of(passage.hit.text)
    for item in items_of(reply) or ():
        subject, relation, object_ = (
            _line(item.get(key), _LONGEST_LABEL) for key in ("subject", "relation", "object")
        )
        span = quotable.find(_line(item.get("quote"), 2_000))
        if subject and relation and object_ and span:
            yield GraphFact(
                labels=(subject, relation, object_),
                ends=(subject.casefold(), object_.casefold()),
                confidence=CONFIDENCE,
                rank=passage.rank,
                words=(passage.words(*span),),
            )
