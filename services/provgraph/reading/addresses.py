"""Addresses: names of places that only commas join, smaller before larger: "Essex County, New Jersey, United States".

A list ("Graz, Vienna and Paris") looks alike. An address ends with a known place, a known place in it lies in the next
one, and no further name follows.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Final

from provgraph.reading.entity_types import larger_places, places
from provgraph.reading.propositions import Argument

_COMMA: Final = re.compile(r",\s*")
_GOES_ON: Final = re.compile(r",?\s*(?:and|or|&|as well as)\s+(?:in\s+)?(?:the\s+)?[A-Z]|\s*,\s*[A-Z]")
_LISTS: Final = re.compile(
    r"(?:\b(?:between|and|or|includes?|including|are|were|as|like)\s+(?:the\s+)?|[,:]\s*)$"
)


def addresses(names: Sequence[Argument], text: str) -> Iterator[list[Argument]]:
    """The addresses among the `names` of places of one sentence, which stand in the order of `text`."""
    chain: list[Argument] = []
    for name in names:
        if chain and not _COMMA.fullmatch(text[chain[-1].span.end : name.span.start]):
            if _is_address(chain, text):
                yield chain
            chain = []
        chain = [*chain, name]
    if _is_address(chain, text):
        yield chain


def may_contain(whole: Argument, part: Argument) -> bool:
    """Whether nothing known speaks against it: Austria, a country, is no part of Germany. Towns share names, so that a
    known one (Moscow) may lie anywhere (in Pennsylvania)."""
    above = larger_places().get(part.text)
    return above is None or _lies_in(part, whole) or any(larger_places().get(name) for name in above)


def _lies_in(part: Argument, whole: Argument) -> bool:
    return whole.text in larger_places().get(part.text, ())


def _is_address(chain: Sequence[Argument], text: str) -> bool:
    if len(chain) < 2 or chain[-1].text not in places():
        return False
    if _GOES_ON.match(text, chain[-1].span.end) or _LISTS.search(text[: chain[0].span.start]):
        return False
    return all(
        part.text != whole.text and (part.text not in places() or _lies_in(part, whole))
        for part, whole in pairwise(chain)
    )
