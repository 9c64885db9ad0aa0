"""Where and when a report was filed: "LONDON, March 3 (Reuters) -", which stands before its first sentence.

It is no part of what the sentence says, and its place does nothing there: every reader of sentences begins behind it.
"""

from __future__ import annotations

import re
from functools import cache
from typing import Final

from provgraph.reading.entity_types import places

_PLACE = r"(?P<place>[A-Z][\w.'’-]+(?: [A-Z][\w.'’-]+){0,3})(?:, [A-Z][A-Za-z. ]{1,20}?)?"
_MONTH = r"(?:Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec)[a-z]{0,6}\.?"
_DATE = rf"(?P<date>,? (?:{_MONTH} \d{{1,2}}|\d{{1,2}} {_MONTH})(?:,? \d{{4}})?)"
_AGENCY = r"(?P<agency> \((?:[A-Z][\w.-]*(?: [A-Z][\w.-]*){0,3})\)| /[A-Z][\w -]{1,30}/)"
_DATELINE: Final = re.compile(rf"{_PLACE}{_DATE}?{_AGENCY}? ?(?:-{{1,2}}|[–—])\s+(?=[A-Z\"“])")


def after_dateline(text: str, start: int, end: int) -> int:
    """Where the words of the sentence `text[start:end]` begin: behind its dateline, if it has one.

    A place in capitals with a date or an agency is one, or in capitals alone where the list of places has it; one in
    small letters needs both.
    """
    match = _DATELINE.match(text, start, end)
    if match is None:
        return start
    place = match["place"]
    if place.isupper():
        known = bool(match["date"] or match["agency"]) or place in _in_capitals()
    else:
        known = bool(match["date"] and match["agency"])
    return match.end() if known else start


@cache
def _in_capitals() -> frozenset[str]:
    return frozenset(name.upper() for name in places() if len(name) > 3)
