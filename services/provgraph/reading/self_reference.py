"""Whom "we" and "our" stand for: the organisation that a document names as its author.

It does so where it says so ("Northwind Holdings, Inc. (“Northwind,” “we” or “our”)", "“we” and “our” refer to …"), or
where its title is the name of an organisation. Anything else leaves "we" open: it may be anybody who is quoted.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final

from provgraph.reading.entity_types import type_of_name
from provgraph.reading.propositions import Span

WE: Final = frozenset("we us our ours ourselves".split())
_WORD = r"[A-Z][\w&’'-]{0,60}\.?"
_WHOLE = r"[A-Z][\w&’'-]{0,60}+\.?"
_NAME = rf"(?P<name>{_WHOLE}(?:,? (?:{_WHOLE}|&|(?:of|and|for)(?: the)?(?= [A-Z]))){{0,7}})"
_TOGETHER = r"(?:,? (?:and|together with|including) (?:its|our|all)[\w ,-]{0,60})?,?"
_QUOTED_WE = r"[“\"‘'](?:we|us|our)[,.]?[”\"’']"
_QUOTED: Final = re.compile(_QUOTED_WE)
_DEFINED: Final = re.compile(
    rf"{_NAME}{_TOGETHER} \((?P<terms>[^()]{{0,160}}{_QUOTED_WE}[^()]{{0,80}})\)", re.DOTALL
)
_REFERS: Final = re.compile(
    rf"(?P<terms>{_QUOTED_WE}[^.]{{0,120}}?)\b(?:refers?|means?|relates?)(?: collectively)?(?: to)? (?:the )?{_NAME}",
    re.DOTALL,
)
_TERM: Final = re.compile(rf"[“\"‘'](?:[Tt]he )?({_WORD}(?: {_WORD}){{0,4}}?)[,.]?[”\"’']")
_QUOTATION: Final = re.compile(r"“[^”]{20,}(?:”|\Z)|\"[^\"]{20,}(?:\"|\Z)")
_OWN: Final = re.compile(r"\b(?:[Ww]e|[Oo]ur|us)\b")
_ABOUT: Final = re.compile(r"About (?:Us\W+)?(?=[A-Z])")


@dataclass(frozen=True)
class SelfReference:
    """The `name` that "we" stands for and why; `span` is where the text has it, None where its title has. `terms` are
    what else it calls itself ("Company"), `quotations` the spans (start, end) in which "we" is somebody else."""

    name: str
    reason: str
    span: Span | None = None
    terms: tuple[str, ...] = ()
    quotations: tuple[tuple[int, int], ...] = ()

    def holds_at(self, start: int) -> bool:
        """Whether a "we" that stands there is its own."""
        return not any(first < start < last for first, last in self.quotations)


def self_reference(text: str, title: str) -> SelfReference | None:
    """Who speaks in a text as "we"; None where it does not tell."""
    if not _OWN.search(text):
        return None
    quotations = tuple(match.span() for match in _QUOTATION.finditer(text))
    match = (_DEFINED.search(text) or _REFERS.search(text)) if _QUOTED.search(text) else None
    if match is not None:
        span = Span(*match.span("name"), match["name"])
        terms = tuple(term for term in _TERM.findall(match["terms"]) if term.lower() not in WE)
        return SelfReference(match["name"], "who the text says that it means", span, terms, quotations)
    name = _ABOUT.sub("", title.strip())
    if not name or type_of_name(name) != "Organization" or len(name.split()) > 6:
        return None
    return SelfReference(name, "whose document it is, by its title", None, (), quotations)
