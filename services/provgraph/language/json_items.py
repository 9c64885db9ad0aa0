"""What a model answered → the JSON objects in it, whatever stands around them and wherever it breaks off."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any, Final

LONGEST_ANSWER: Final = 100_000
MOST_ITEMS: Final = 200

Item = dict[str, Any]

_DECODER: Final = json.JSONDecoder(strict=False)


def items_of(answer: str) -> list[Item] | None:
    """The complete objects of an answer, at most `MOST_ITEMS`; None when there is no JSON in it at all.

    Takes one object with a list, a bare list, or objects line by line; Markdown fences and prose around them are
    passed over. Of JSON that is cut off or broken the objects that are whole are kept.
    """
    items: list[Item] = []
    seen_json = False
    for value in _values(answer[:LONGEST_ANSWER]):
        seen_json = True
        for item in _items(value):
            items.append(item)
            if len(items) == MOST_ITEMS:
                return items
    return items if seen_json or "[]" in "".join(answer.split()) else None


def _values(text: str) -> Iterator[Item]:
    """The outermost objects that can be decoded, in order."""
    at = text.find("{")
    while at >= 0:
        try:
            value, end = _DECODER.raw_decode(text, at)
        except (json.JSONDecodeError, RecursionError):
            end = at + 1
        else:
            yield value
        at = text.find("{", end)


def _items(value: Item) -> Iterator[Item]:
    """The objects of all lists in an object; the object itself where it has none."""
    lists = [part for part in value.values() if isinstance(part, list)]
    if not lists:
        yield value
    for part in lists:
        yield from (item for item in part if isinstance(item, dict))
