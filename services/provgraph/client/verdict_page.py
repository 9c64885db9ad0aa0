"""A verdict as a notebook shows it: its label, the claim part by part, and the words for and against it."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final

from provgraph.client.markup import FAINT, TINTS, badge, element, framed, opened, quotation, text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from provgraph.client.judgements import ClaimPart, EvidenceForClaim, ProvedVerdict

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


def _claim(verdict: ProvedVerdict) -> str:
    """The claim with its parts tinted by what documents say of them."""
    parts, end = [], 0
    for each in sorted(verdict.elements, key=lambda part: part.start):
        if each.start < end:
            continue
        parts += [text(verdict.claim[end : each.start]), _part(each)]
        end = each.end
    return "".join([*parts, text(verdict.claim[end:])])


def _part(part: ClaimPart) -> str:
    said = f"{part.relation}: {part.why}" + (f" (“{part.source.text}”)" if part.source else "")
    style = f"{TINTS[_RELATIONS.get(part.relation, 'open')]};border-radius:3px"
    return f'<span style="{style}" title="{text(said)}">{text(part.text)}</span>'


def _evidence(title: str, evidence: Sequence[EvidenceForClaim]) -> str:
    if not evidence:
        return ""
    shown = "".join(element("p", text(each.reason)) + quotation(each.source) for each in evidence)
    return opened(title, shown, is_open=True)
