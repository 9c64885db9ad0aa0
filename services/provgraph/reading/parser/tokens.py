"""Where the words of a sentence are: Penn Treebank words with hyphens parted, as OntoNotes has them.

"can't" is "ca" + "n't", "Ada's" is "Ada" + "'s", "$1.7m" is "$" + "1.7" + "m", "well-known" is three words; "U.S.",
"e.g.", "3.5", "1,200", "19th", "2020-05-03", "F-16", addresses of the web and of mail are one. Every character that
is not white space stands in exactly one word. Time is linear: a run without white space is cut into words once and
remembered.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import Final

_RUN: Final = re.compile(r"\S+")
_LONGEST_REMEMBERED: Final = 40
_LETTER: Final = "[^\\W\\d_]"
_MARKS: Final = "\u0300-\u036f"
_UNITS: Final = (
    "km|cm|mm|nm|kg|mg|kHz|MHz|GHz|Hz|GB|MB|TB|KB|kB|ml|mL|kW|MW|GW|kWh|mph|km/h|ft|lb|lbs|oz|ha|min|hrs|hr|yr|yrs|"
    "bn|mn|tn|am|pm|AM|PM|BC|AD|m|g|k|K|M|B|h"
)
_TITLES: Final = (
    "Mr|Mrs|Ms|Dr|Prof|St|Mt|Ft|Gen|Col|Lt|Capt|Maj|Sgt|Cmdr|Adm|Rev|Hon|Gov|Sen|Rep|Pres|No|Nos|Vol|Vols|Fig|Figs|"
    "Eq|Eqs|Sec|Dept|Univ|Assn|Ave|Blvd|Rd|Jan|Feb|Mar|Apr|Jun|Jul|Aug|Sept|Sep|Oct|Nov|Dec|nos|vol|vols|fig|figs|"
    "eq|eqs|vs|viz|approx|cf|pp|ed|eds|est|ca|dept|mr|mrs|dr"
)
_MAY_END: Final = "Inc|Ltd|Co|Corp|Bros|Jr|Sr|LLC|PhD|etc|al|inc|ltd|corp|jr|sr"
DESIGNATION: Final = r"[A-Z][A-Za-z]{0,5}-\d{1,5}[A-Za-z]{0,2}"
"""A name of letters and a number, as of a model."""
_WORD: Final = re.compile(
    rf"""
      (?:https?://|www\.)[^\s<>"]*[^\s<>".,;:!?')\]}}]          # an address of the web
    | [\w.+\-]{{1,64}}@\w[\w\-]{{0,64}}(?:\.\w[\w\-]{{0,64}})+ # an address of mail
    | \d{{4}}-\d\d-\d\d(?!\d)                                   # a date
    | \d{{1,2}}:\d\d(?::\d\d)?(?!\d)                            # a time
    | \d+(?:st|nd|rd|th|s)(?!\w)                                # 19th, 1990s
    | \d+(?:[.,]\d+)*(?={_UNITS}(?!\w)|[^\w]|\Z)               # 1,234.5 and 10 of 10km
    | \.\d+(?!\w)                                               # .5
    | (?:{_LETTER}\.){{2,}}(?:{_LETTER}(?!\w))?                  # U.S., e.g., U.S.S.R
    | [A-ZÀ-Þ]\.(?![\w'’"”)\],;:?!.])                           # J. before a last name
    | (?:Ph\.D|M\.Sc|B\.Sc)\.?
    | (?:{_TITLES}|{_MAY_END})\.                                 # Dr.
    | {_LETTER}+?(?=[Nn]['’][Tt](?!\w))                          # ca + n't
    | [Nn]['’][Tt](?!\w)
    | [Cc][Aa][Nn](?=[Nn][Oo][Tt](?!\w))
    | ['’](?:[sS]|[rR][eE]|[vV][eE]|[lL][lL]|[dD]|[mM])(?!\w)    # clitics
    | [A-Z](?:\+\+|\#)(?!\w)                                     # C++, C#
    | {DESIGNATION}(?![\w\-])                                    # D-45, COVID-19, F-16
    | (?:[OoDdLl]['’](?={_LETTER}{{2}}))?{_LETTER}[\w{_MARKS}]*(?:&{_LETTER}+(?!\w))?   # O'Brien, AT&T, B2B
    | [\w{_MARKS}]+
    | \.{{2,}}|-{{2,}}|—+|…
    | ``|''|[^\w\s]
    """,
    re.VERBOSE,
)
_ENDS_SHORT: Final = re.compile(rf"(?:{_LETTER}\.){{2,}}|(?:{_MAY_END})\.")


def word_spans(text: str, start: int, end: int) -> list[tuple[int, int]]:
    """The words of the sentence `text[start:end]` as (start, end) in `text`, in order."""
    spans: list[tuple[int, int]] = []
    for run in _RUN.finditer(text, start, end):
        at, characters = run.start(), run.group()
        if characters.isalpha() and len(characters) < 6:
            spans.append((at, run.end()))
            continue
        last = run.end() == end
        pieces = _pieces if len(characters) <= _LONGEST_REMEMBERED else _pieces.__wrapped__
        spans.extend((at + first, at + behind) for first, behind in pieces(characters, last))
    return spans


@lru_cache(maxsize=16_384)
def _pieces(run: str, last: bool) -> tuple[tuple[int, int], ...]:
    """The words of one run; the full stop of a sentence's `last` run is a word, unless the run is "U.S." or "Inc."."""
    if run.isalpha() and run.lower() != "cannot":
        return ((0, len(run)),)
    if last and run.endswith(".") and not run.endswith("..") and not _is_short(run):
        return (*_pieces.__wrapped__(run[:-1], False), (len(run) - 1, len(run)))
    return tuple(match.span() for match in _WORD.finditer(run))


def _is_short(run: str) -> bool:
    return _ENDS_SHORT.fullmatch(run.lstrip("(\"'“‘[")) is not None
