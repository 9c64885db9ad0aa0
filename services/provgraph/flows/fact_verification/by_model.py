"""The judge by model: it reads the linearised graph and the sentences, all numbered, and names the numbers behind its
verdict. One that names nothing of the evidence is not trusted, and the rules judge instead."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from provgraph.catalogue.sources import Words
from provgraph.errors import ModelUnavailable
from provgraph.flows.fact_verification.judgement import Argument, Judged, Material
from provgraph.flows.fact_verification.rules.decision import decide
from provgraph.flows.fact_verification.rules.judge import RuleJudge, passage_texts
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.usage import Account
from provgraph.language.json_items import items_of
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.prompts import Prompt
from provgraph.provenance.verification_trace import Judgement, Label, Stance

PLACES: Final = frozenset({"claim", "facts", "sentences"})
UNREADABLE: Final = "The model's verdict could not be read. The rules judged instead."
UNFOUNDED: Final = "The model's verdict named no evidence that there is. The rules judged instead."
_UNSAID: Final = 0.5
_LONGEST_EXPLANATION: Final = 500


@dataclass(frozen=True)
class ModelJudge:
    """`exchanges` gets the words of the call when it begins."""

    model: LanguageModel
    prompt: Prompt
    max_output_tokens: int
    exchanges: list[Exchange]

    async def judged(self, material: Material) -> Judged:
        rules = RuleJudge()
        if not material.passages:
            return await rules.judged(material)
        evidence = list(_evidence(material))
        call = Call(self.model, self.prompt, _values(material, evidence), self.max_output_tokens)
        self.exchanges.append(call.exchange)
        try:
            found = _verdict(await call.whole(), material, evidence)
        except ModelUnavailable as unavailable:
            found = f"{unavailable} The rules judged instead."
        if isinstance(found, Judged):
            return replace(found, account=Account(call.made()))
        return replace(await rules.judged(material), account=Account(call.made(), (found,)))


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


def _verdict(reply: str, material: Material, evidence: Sequence[_Cited]) -> Judged | str:
    """What a model said, or why that is not taken."""
    said = next((item for item in items_of(reply) or () if "verdict" in item), None) or _whole(reply)
    label = next((each for each in Label if said and each == _label(said.get("verdict"))), None)
    if said is None or label is None:
        return UNREADABLE
    confidence, explanation = _share(said.get("confidence")), _line(said.get("explanation"))
    arguments = [
        Argument(stance, cited.passage, cited.words, explanation or "The model names it.", confidence)
        for stance in Stance
        for cited in _cited(said.get(stance), evidence)
    ]
    coverage = decide(material.claim, passage_texts(material)).coverage
    judgement = Judgement(label, confidence, coverage)
    if label is Label.NOT_ENOUGH_INFO:
        return Judged(judgement, explanation or "The evidence does not say.")
    decisive = Stance.FOR if label is Label.SUPPORTS else Stance.AGAINST
    arguments.sort(key=lambda each: each.stance is not decisive)
    if not arguments or arguments[0].stance is not decisive:
        return UNFOUNDED
    return Judged(judgement, explanation or arguments[0].reason, tuple(arguments))


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


def _label(said: object) -> str:
    return " ".join(said.upper().replace("_", " ").split()) if isinstance(said, str) else ""


def _share(said: object) -> float:
    if isinstance(said, bool) or not isinstance(said, int | float) or not 0 <= said <= 1:
        return _UNSAID
    return float(said)


def _line(said: object) -> str:
    return " ".join(said.split())[:_LONGEST_EXPLANATION] if isinstance(said, str) else ""
