"""An answer as a notebook shows it: short answer, sentences with their citations, quoted words, tree of the proof."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from provgraph.client.evidence import ProvedFact, QuotedSource
from provgraph.client.markup import FAINT, badge, element, framed, items, opened, quotation, text

if TYPE_CHECKING:
    from provgraph.client.answers import ProofStep, ProvedAnswer, ProvedSentence

_BY_A_MODEL: Final = (
    ' property="https://schema.org/digitalSourceType"'
    ' resource="https://schema.org/TrainedAlgorithmicMediaDigitalSource"'
)
"""What a machine is told of words that a language model wrote, in RDFa."""


def answer_page(answer: ProvedAnswer) -> str:
    """HTML of the answer. The texts of documents in it are escaped."""
    numbers = {source: number for number, source in enumerate(answer.sources, 1)}
    parts = [element("div", text(answer.question), FAINT)]
    if answer.short_answer:
        parts.append(element("div", text(answer.short_answer), "font-size:1.4em;font-weight:600"))
    if answer.outcome not in ("", "answered"):
        parts.append(badge(answer.outcome, "open"))
    parts.append(element("p", _sentences(answer, numbers)))
    parts += [badge(warning, "bad") for warning in answer.warnings]
    if numbers:
        quoted = "".join(quotation(source, number) for source, number in numbers.items())
        parts.append(opened("Sources", quoted, is_open=True))
    if proof := _proof(answer, numbers):
        parts.append(opened("Proof", proof, is_open=True))
    parts.append(element("div", text(answer.session), FAINT))
    return framed(parts)


def _sentences(answer: ProvedAnswer, numbers: Mapping[QuotedSource, int]) -> str:
    """The text with the citation markers after each sentence; what stands between sentences stays."""
    parts, end = [], 0
    for sentence in sorted(answer.sentences, key=lambda each: each.start):
        parts += [text(answer.text[end : sentence.start]), _sentence(sentence, numbers)]
        end = sentence.end
    return "".join([*parts, text(answer.text[end:])]).replace("\n", "<br>")


def _sentence(sentence: ProvedSentence, numbers: Mapping[QuotedSource, int]) -> str:
    markers = "".join(f"[{numbers[source]}]" for source in sentence.sources)
    title = sentence.origin if sentence.supported else "not supported"
    words = text(sentence.text) if sentence.supported else element("i", text(sentence.text))
    made = f' data-origin="{text(sentence.origin)}"{_BY_A_MODEL if sentence.origin == "generated" else ""}'
    return f'<span title="{text(title)}"{made}>{words}</span>{element("sup", markers)}'


def _proof(answer: ProvedAnswer, numbers: Mapping[QuotedSource, int]) -> str:
    if answer.proof is None:
        return ""
    steps = items([_step(answer.proof.step)]) if answer.proof.step else ""
    facts = items(_fact(fact, numbers) for fact in answer.proof.facts)
    return steps + (element("div", "Selected facts", FAINT) + facts if facts else "")


def _step(step: ProofStep) -> str:
    line = f"{text(step.operation)} → {element('b', text(step.value))}: {text(step.explanation)}"
    below = [*(_step(each) for each in step.earlier), *map(text, step.inputs)]
    return line + items([*below, *(f"“{text(words)}”" for words in step.quotations)])


def _fact(fact: ProvedFact, numbers: Mapping[QuotedSource, int]) -> str:
    names = element("b", f"{text(fact.subject)} — {text(fact.relation)} — {text(fact.object)}")
    score = f" {fact.score:.2f}" if fact.score is not None else ""
    places = {(each.page_iri, each.start, each.end): number for each, number in numbers.items()}
    below = [
        f"[{places[place]}]"
        if (place := (each.page_iri, each.start, each.end)) in places
        else text(str(each))
        for each in fact.sources
    ]
    return f"{names}{element('span', text(f'{score} {fact.reasoning}'), FAINT)}{items(below)}"
