"""Answers, verdicts and rows as a notebook shows them: self-contained HTML without scripts and addresses, every text
escaped.

Nothing says a colour of text or page: what is marked is tinted, which reads on light and on dark.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from html import escape
from typing import TYPE_CHECKING, Final

from provgraph.client.evidence import ProvedFact, QuotedSource

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provgraph.client.answers import (
        ClaimPart,
        EvidenceForClaim,
        ProofStep,
        ProvedAnswer,
        ProvedSentence,
        ProvedVerdict,
    )
    from provgraph.client.sparql_results import SparqlRows


FAINT: Final = "opacity:.7;font-size:.9em"
MARK: Final = "background:rgba(255,196,0,.35);color:inherit;border-radius:3px;padding:0 .1em"
QUOTE: Final = "margin:.3em 0;padding:.1em .8em;border-left:3px solid rgba(128,128,128,.5)"
TINTS: Final = {
    "good": "background:rgba(46,160,67,.25)",
    "bad": "background:rgba(248,81,73,.28)",
    "open": "background:rgba(128,128,128,.25)",
}


def text(words: str) -> str:
    """Words as HTML; characters that turn the direction of what follows are shown as boxes."""
    return escape(words.translate(_TURNING), quote=True)


_TURNING: Final = dict.fromkeys((*range(8234, 8239), *range(8294, 8298)), "�")


def element(name: str, content: str, style: str = "") -> str:
    return f'<{name} style="{style}">{content}</{name}>' if style else f"<{name}>{content}</{name}>"


def badge(words: str, tint: str) -> str:
    return element("span", text(words), f"{TINTS[tint]};border-radius:1em;padding:.1em .7em;font-size:.9em")


def opened(summary: str, content: str, is_open: bool = False) -> str:
    """A part that a reader opens, or closes."""
    return f"<details{' open' if is_open else ''}><summary>{summary}</summary>{content}</details>"


def items(parts: Iterable[str]) -> str:
    inside = "".join(element("li", part) for part in parts)
    return element("ul", inside, "margin:.2em 0;padding-left:1.4em") if inside else ""


def framed(parts: Iterable[str]) -> str:
    style = "border:1px solid rgba(128,128,128,.4);border-radius:6px;padding:.8em 1em;max-width:60em"
    return element("div", "".join(parts), style)


def quotation(source: QuotedSource, number: int | None = None) -> str:
    """The cited words, marked, with what stands around them, and where that is."""
    words = f"{text(source.before)}{element('mark', text(source.text), MARK)}{text(source.after)}"
    place = f"{source.file or source.title}, page {source.page}, characters {source.start}–{source.end}"
    lead = element("b", f"[{number}] ") if number else ""
    return element("blockquote", f"{lead}{words}<br>{element('span', text(place), FAINT)}", QUOTE)


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
    for sentence in sorted(answer.sentences, key=lambda proved_sentence: proved_sentence.start):
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
    below = [*(_step(proof_step) for proof_step in step.earlier), *map(text, step.inputs)]
    return line + items([*below, *(f"“{text(words)}”" for words in step.quotations)])


def _fact(fact: ProvedFact, numbers: Mapping[QuotedSource, int]) -> str:
    names = element("b", f"{text(fact.subject)} — {text(fact.relation)} — {text(fact.object)}")
    score = f" {fact.score:.2f}" if fact.score is not None else ""
    places = {(each.page_iri, each.start, each.end): number for each, number in numbers.items()}
    below = [
        f"[{places[place]}]"
        if (place := (source.page_iri, source.start, source.end)) in places
        else text(str(source))
        for source in fact.sources
    ]
    return f"{names}{element('span', text(f'{score} {fact.reasoning}'), FAINT)}{items(below)}"


_LABELS: Final = {"SUPPORTS": "good", "REFUTES": "bad"}
_RELATIONS: Final = {"entailed": "good", "contradicted": "bad"}


def verdict_page(verdict: ProvedVerdict) -> str:
    """HTML of the verdict. The texts of documents in it are escaped."""
    label = badge(f"{verdict.label} {verdict.confidence:.2f}", _LABELS.get(verdict.label, "open"))
    parts = [element("p", _claim(verdict)), label, element("p", text(verdict.explanation))]
    if verdict.missing:
        parts.append(element("p", text(verdict.missing), FAINT))
    parts += [element("p", text(note), FAINT) for note in verdict.notes]
    parts += [_evidence("For", verdict.supporting), _evidence("Against", verdict.opposing)]
    parts.append(element("div", text(verdict.session), FAINT))
    return framed(parts)


MOST_ROWS: Final = 50


def rows_page(found: SparqlRows) -> str:
    """A table of the first rows; what an ASK or a CONSTRUCT gives as its text."""
    if not found.columns:
        return element("pre", text(found.turtle or str(found.boolean)))
    head = "".join(element("th", text(name), "text-align:left") for name in found.columns)
    body = "".join(
        element("tr", "".join(element("td", text(_cell(value)), "text-align:left") for value in row.values()))
        for row in found.rows[:MOST_ROWS]
    )
    shown = f"{len(found)} rows" + (f", the first {MOST_ROWS} shown" if len(found) > MOST_ROWS else "")
    table = element("table", element("thead", element("tr", head)) + element("tbody", body))
    return framed([table, element("div", "; ".join((shown, *map(text, found.notes))), FAINT)])


def _cell(value: object) -> str:
    return "" if value is None else str(value)


def _claim(verdict: ProvedVerdict) -> str:
    """The claim with its parts tinted by what documents say of them."""
    parts, end = [], 0
    for claim_part in sorted(verdict.elements, key=lambda part: part.start):
        if claim_part.start < end:
            continue
        parts += [text(verdict.claim[end : claim_part.start]), _part(claim_part)]
        end = claim_part.end
    return "".join([*parts, text(verdict.claim[end:])])


def _part(part: ClaimPart) -> str:
    said = f"{part.relation}: {part.why}" + (f" (“{part.source.text}”)" if part.source else "")
    style = f"{TINTS[_RELATIONS.get(part.relation, 'open')]};border-radius:3px"
    return f'<span style="{style}" title="{text(said)}">{text(part.text)}</span>'


def _evidence(title: str, evidence: Sequence[EvidenceForClaim]) -> str:
    if not evidence:
        return ""
    shown = "".join(element("p", text(claim.reason)) + quotation(claim.source) for claim in evidence)
    return opened(title, shown, is_open=True)
