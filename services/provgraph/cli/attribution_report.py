"""The verdicts on the claims of a text: as lines, and as one HTML page that needs no server, no network and no script.

Each claim has its table and the words it rests on. On the page the text has a mark on each claim, the sources on each
quoted word. Whatever comes from a text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from html import escape
from importlib.resources import files
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from provgraph.cli.explanation import element_lines
from provgraph.cli.options import counted
from provgraph.cli.terminal import harmless, shortened

if TYPE_CHECKING:
    from provgraph.cli.attribution import FileSource


WHOLE: Final = 8_000
AROUND: Final = 400
"""Characters: shorter sources are shown whole, of longer ones what is around the quoted words."""
LIKELY: Final = 0.5
"""The chance from which an open claim is told to be attributable by its words."""
_SIGNS: Final = {"SUPPORTS": "✓", "REFUTES": "✕", "NOT ENOUGH INFO": "?", "NOT A CLAIM": "·"}
_KINDS: Final = {
    "SUPPORTS": "supports",
    "REFUTES": "refutes",
    "NOT ENOUGH INFO": "unknown",
    "NOT A CLAIM": "other",
}
_POLICY: Final = "default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'"

Json = dict[str, Any]


def report_page(report: Json, text: str, sources: Sequence[FileSource]) -> str:
    """The whole page, in UTF-8 without a byte order mark."""
    quoted = [_QuotedSource(number, source) for number, source in enumerate(sources, 1)]
    for at, claim in enumerate(report["claims"], 1):
        for quoted_source in quoted:
            quoted_source.take(at, claim)
    style = (files("provgraph.cli") / "attribution_report.css").read_text("utf-8")
    body = "\n".join(
        (
            f"<header><h1>Claims checked</h1><p>{_text(summary_line(report['summary']))}</p>{_legend()}</header>",
            f'<section aria-labelledby="text"><h2 id="text">The text</h2><div class="words">{_marked(report, text)}'
            "</div></section>",
            '<section aria-labelledby="claims"><h2 id="claims">Claims</h2><ol class="claims">',
            *(_claim(at, claim, quoted) for at, claim in enumerate(report["claims"], 1)),
            "</ol></section>",
            '<section aria-labelledby="sources"><h2 id="sources">Sources</h2>',
            *(quoted_source.section() for quoted_source in quoted),
            f"</section><footer><p>{_text(_origin(report['summary']))}</p></footer>",
        )
    )
    return (
        '<!doctype html>\n<html lang="en">\n<head>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="Content-Security-Policy" content="{_POLICY}">\n'
        '<meta name="viewport" content="width=device-width, initial-scale=1">\n'
        '<meta name="color-scheme" content="light dark">\n'
        f"<title>Claims checked</title>\n<style>\n{style}</style>\n</head>\n"
        f"<body>\n<main>\n{body}\n</main>\n</body>\n</html>"
    )


def _origin(summary: Json) -> str:
    against = f"the collection {summary['collection']}" if summary.get("collection") else "the sources below"
    session = f" Trace: {summary['session']}." if summary.get("session") else ""
    return f"Checked against {against} by ProvGraph {summary['version']}.{session}"


def _text(words: str) -> str:
    return escape(harmless(words))


def _legend() -> str:
    items = "".join(
        f'<li><span class="mark {_KINDS[label]}"><span aria-hidden="true">{_SIGNS[label]}</span> '
        f"{label.lower()}</span></li>"
        for label in ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
    )
    return f'<ul class="legend" aria-label="Marks">{items}</ul>'


# the text


def _marked(report: Json, text: str) -> str:
    """The text with a link over each claim, which leads to the verdict on it."""
    parts: list[str] = []
    at = 0
    for number, claim in enumerate(report["claims"], 1):
        parts.append(_text(text[at : claim["start"]]))
        at = claim["end"]
        words = _text(text[claim["start"] : at])
        label = verdict_words(claim)
        if label == "NOT A CLAIM":
            parts.append(words)
            continue
        parts.append(
            f'<a class="mark {_KINDS[label]}" id="said-{number}" href="#claim-{number}">{words}'
            f'<sup><span class="unseen">{label.lower()}, claim </span>{number}'
            f'<span aria-hidden="true"> {_SIGNS[label]}</span></sup></a>'
        )
    return "".join([*parts, _text(text[at:])])


# a claim


def _claim(number: int, claim: Json, sources: Sequence[_QuotedSource]) -> str:
    label = verdict_words(claim)
    back = f'<a href="#said-{number}">in the text</a>' if label != "NOT A CLAIM" else ""
    sure = f'<span class="soft">confidence {claim["confidence"]:.2f}</span>' if is_decided(claim) else ""
    lines = [
        f'<li id="claim-{number}" class="claim {_KINDS[label]}" value="{number}">',
        f'<p class="verdict">{number} <span class="sign" aria-hidden="true">{_SIGNS[label]}</span> {label} '
        f"{sure} {back}</p>",
        f'<p class="words">{_text(claim["text"])}</p>',
    ]
    lines += [f"<p>{_text(words)}</p>" for words in (claim["missing"], cited_words(claim)) if words]
    lines += [f'<p class="soft">{_text(note)}</p>' for note in claim["notes"] if note != "not a claim"]
    lines += [
        *_table(number, claim["elements"]),
        *(_quote(place, sources) for place in claim["evidence"]),
        "</li>",
    ]
    return "\n".join(lines)


def _table(number: int, elements: Sequence[Json]) -> Iterator[str]:
    if not elements:
        return
    heads = ("Element of the claim", "The evidence says", "So it is")
    yield f'<div class="scrolled" role="region" tabindex="0" aria-label="Elements of claim {number}">'
    yield "<table><thead><tr>"
    yield "".join(f'<th scope="col">{head}</th>' for head in heads) + "</tr></thead><tbody>"
    for element in elements:
        said = f"<q>{_text(element['evidence']['text'])}</q>" if element["evidence"] else "–"
        why = f'<span class="soft"> {_text(element["why"])}</span>' if element["why"] else ""
        kind = element["relation"].replace(" ", "-")
        yield (
            f'<tr><th scope="row"><span class="words">{_text(element["element"])}</span>'
            f'<span class="soft"> {_text(element["role"])}</span></th><td><span class="words">{said}</span>{why}</td>'
            f'<td class="{kind}">{element["relation"]}</td></tr>'
        )
    yield "</tbody></table></div>"


def _quote(place: Json, sources: Sequence[_QuotedSource]) -> str:
    where = place_words(place, [source.source for source in sources])
    own = next((source for source in sources if source.holds(place)), None)
    link = f'<a href="#{own.anchor(place["start"])}">{_text(where)}</a>' if own else _text(where)
    words = f'<blockquote class="words">{_text(place["text"])}</blockquote>'
    return f"<figure>{words}<figcaption>{link}</figcaption></figure>"


# a source


@dataclass
class _QuotedSource:
    """A source with what is quoted of it: by characters, sentences with the claims that they decide, and elements."""

    number: int
    source: FileSource
    sentences: dict[tuple[int, int], list[int]] = field(default_factory=dict)
    elements: list[tuple[int, int, str]] = field(default_factory=list)

    def holds(self, place: Json) -> bool:
        return self.source.id in (place["source"], place.get("page"))

    def anchor(self, start: int) -> str:
        return f"source-{self.number}-{start}"

    def take(self, number: int, claim: Json) -> None:
        for place in claim["evidence"]:
            if self.holds(place):
                self.sentences.setdefault((place["start"], place["end"]), []).append(number)
        for element in claim["elements"]:
            if (place := element["evidence"]) and self.holds(place) and is_decided(claim):
                self.elements.append((place["start"], place["end"], element["relation"]))

    def section(self) -> str:
        name = _text(self.source.title or self.source.id)
        where = f' <span class="soft">{_text(self.source.id)}</span>' if self.source.title else ""
        words = (
            "".join(self._windows())
            if self.sentences
            else '<p class="soft">No words of it decide a claim.</p>'
        )
        return f"<article><h3>{self.number}. {name}{where}</h3>{words}</article>"

    def _windows(self) -> Iterator[str]:
        """The text, or what is around the quoted words of a long one."""
        for start, end in self._shown():
            before, behind = "…" if start else "", "…" if end < len(self.source.text) else ""
            yield f'<div class="words source">{before}{"".join(self._segments(start, end))}{behind}</div>'

    def _shown(self) -> list[tuple[int, int]]:
        text = self.source.text
        if len(text) <= WHOLE:
            return [(0, len(text))]
        shown: list[tuple[int, int]] = []
        for start, end in sorted(self.sentences):
            start, end = max(0, start - AROUND), min(len(text), end + AROUND)
            if shown and start <= shown[-1][1]:
                shown[-1] = (shown[-1][0], max(end, shown[-1][1]))
            else:
                shown.append((start, end))
        return shown

    def _segments(self, start: int, end: int) -> Iterator[str]:
        """The characters, cut wherever a mark begins or ends."""
        bounds = {start, end}
        for begins, ends in [*self.sentences, *((s, e) for s, e, _ in self.elements)]:
            bounds |= {at for at in (begins, ends) if start <= at <= end}
        ordered = sorted(bounds)
        anchored = {begins for begins, _ in self.sentences}
        for one, other in pairwise(ordered):
            if one in anchored:
                yield f'<span id="{self.anchor(one)}"></span>'
            yield self._piece(one, other)
            yield "".join(
                f'<sup class="number"><a href="#claim-{number}">'
                f'<span class="unseen">decides claim </span>{number}</a></sup>'
                for (_, ends), numbers in self.sentences.items()
                if ends == other
                for number in dict.fromkeys(numbers)
            )

    def _piece(self, start: int, end: int) -> str:
        words = _text(self.source.text[start:end])
        if not any(begins <= start and end <= ends for begins, ends in self.sentences):
            return words
        relations = {kind for begins, ends, kind in self.elements if begins <= start and end <= ends}
        kind = next((each for each in ("contradicted", "entailed") if each in relations), "")
        return f'<mark class="{kind}">{words}</mark>' if kind else f"<mark>{words}</mark>"


def report_lines(report: Json, sources: Sequence[FileSource]) -> Iterator[str]:
    """Each claim, and behind them how many got which verdict."""
    for number, claim in enumerate(report["claims"], 1):
        yield from claim_lines(number, claim, sources)
        yield ""
    yield summary_line(report["summary"])
    if session := report["summary"].get("session"):
        yield f"Trace: {session}"


def claim_lines(number: int, claim: Json, sources: Sequence[FileSource]) -> Iterator[str]:
    sure = f" (confidence {claim['confidence']:.2f})" if is_decided(claim) else ""
    if claim["verdict"] == "NOT ENOUGH INFO" and claim.get("attributable", 0.0) >= LIKELY:
        sure = f" (by its words attributable with a chance of {claim['attributable']:.2f})"
    yield f"{number}. {verdict_words(claim)}{sure}: {shortened(claim['text'], 400)}"
    if claim["missing"]:
        yield f"  {claim['missing']}"
    if "not a claim" in claim["notes"]:
        return
    yield from element_lines(claim["elements"])
    for place in claim["evidence"]:
        yield f"  “{shortened(place['text'], 400)}”"
        yield f"    {place_words(place, sources)}"
    if cited := cited_words(claim):
        yield f"  {cited}"
    yield from (f"  Note: {note}" for note in claim["notes"])


def is_decided(claim: Json) -> bool:
    return bool(claim["verdict"] != "NOT ENOUGH INFO")


def verdict_words(claim: Json) -> str:
    return "NOT A CLAIM" if "not a claim" in claim["notes"] else str(claim["verdict"])


def place_words(place: Json, sources: Sequence[FileSource]) -> str:
    """Where words stand: source, page where it has several, and characters."""
    source = next((file_source for file_source in sources if file_source.id == place["source"]), None)
    name, start = place.get("title") or place["source"], place["start"]
    page = place.get("page_number")
    if source is not None and len(source.pages) > 1:
        page, start = source.page_number(start), source.on_page(start)
    on_page = f", page {page}" if page else ""
    return f"{name}{on_page}, characters {start}–{start + place['end'] - place['start']}"


def cited_words(claim: Json) -> str:
    """Whether what a claim cites supports it; nothing where it cites nothing."""
    cited = ", ".join(f"[{each}]" if each.isdecimal() else each for each in claim["cited"])
    if not cited:
        return ""
    if claim["cited_supports"] is None:
        return f"Cites {cited}; no source has that number or name."
    names = ", ".join(claim["cited_sources"])
    return (
        f"Cites {cited} ({names}), which {'supports' if claim['cited_supports'] else 'does not support'} it."
    )


def summary_line(summary: Json) -> str:
    parts = [
        f"{summary['supported']} supported",
        f"{summary['refuted']} refuted",
        f"{summary['not_enough_info']} not enough information",
    ]
    said = f"{counted(summary['claims'], 'claim')}: {', '.join(parts)}."
    if summary["not_claims"]:
        said += f" {counted(summary['not_claims'], 'other sentence')} not judged."
    if summary["cited"]:
        cite = "cites" if summary["cited"] == 1 else "cite"
        said += (
            f" {counted(summary['cited'], 'claim')} {cite} a source, "
            f"which supports {summary['cited_supported']} of them."
        )
    return said
