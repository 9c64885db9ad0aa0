"""HTML of notebooks: self-contained, without scripts and addresses, every text escaped.

Nothing says a colour of text or page: what is marked is tinted, which reads on light and on dark.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import Final

from provgraph.client.evidence import QuotedSource

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
