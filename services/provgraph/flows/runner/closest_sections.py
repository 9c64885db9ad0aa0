"""Which sections of a document a question is closest to, by the words of their headings: a word that few headings have
tells more. Knows headings and words; knows nothing of stores.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.tables.item_names import telling_words
from provgraph.documents.page_layout import PageLayout
from provgraph.documents.tables import quotable_spans

_LONGEST: Final = 90
"""Characters of a heading; what is longer is a sentence in bold."""
_LEAST: Final = 0.35
_MOST_WEIGHT: Final = 12.0
"""What the words of a question weigh at most: those that no heading has are not held against it beyond this."""
_FEWEST_WORDS: Final = 6
_MOST_PAGES: Final = 2


_SHORT: Final = 700
_NOTE: Final = re.compile(r"\bNote (\d{1,2})\b")
_NUMBERED: Final = re.compile(r"(?:note )?(\d{1,2})\b", re.IGNORECASE)


@dataclass(frozen=True)
class Section:
    """The heading at `start` on the page of this index; it goes on to before `end` on page `last`."""

    heading: str
    page: int
    start: int
    last: int
    end: int


def sections(pages: Sequence[tuple[str, PageLayout]]) -> list[Section]:
    """The sections of a document, of which at most two pages are looked at."""
    heads = [(number, heading) for number, (_, layout) in enumerate(pages) for heading in layout.headings]
    made = []
    for at, (page, heading) in enumerate(heads):
        following = next((head for head in heads[at + 1 :] if head[1].level <= heading.level), None)
        last, end = (following[0], following[1].start) if following else (len(pages) - 1, len(pages[-1][0]))
        if last >= page + _MOST_PAGES:
            last = page + _MOST_PAGES - 1
            end = len(pages[last][0])
        made.append(Section(heading.text, page, heading.end, last, end))
    return made


def closest_sections(asked: Sequence[frozenset[str]], found: Sequence[Section]) -> list[Section]:
    """The sections whose headings have most of one of the `asked` sets of words, best first; none that has little."""
    words = {section.heading: content(section.heading) for section in found if _is_title(section.heading)}
    having = Counter(word for own in words.values() for word in own)

    def weight(of: frozenset[str]) -> float:
        return sum(math.log(1 + len(words) / max(having[word], 1)) for word in of)

    def likeness(own: frozenset[str]) -> float:
        return max(
            2 * weight(own & wanted) / (weight(own) + min(weight(wanted), _MOST_WEIGHT)) for wanted in asked
        )

    likely = {heading: likeness(own) for heading, own in words.items() if own} if any(asked) else {}
    close = [section for section in found if likely.get(section.heading, 0.0) >= _LEAST]
    return sorted(close, key=lambda section: -likely[section.heading])


def _is_title(heading: str) -> bool:
    return len(heading) <= _LONGEST and "|" not in heading


def content(text: str) -> frozenset[str]:
    """The words of a question or heading that tell what it is about."""
    return frozenset(telling_words(text))


def followed(section: Section, found: Sequence[Section], pages: Sequence[tuple[str, PageLayout]]) -> Section:
    """The note that a short section refers its reader to, which is numbered; else the section itself."""
    text = pages[section.page][0]
    own = text[section.start : section.end if section.last == section.page else len(text)]
    named = _NOTE.search(own) if len(own) <= _SHORT else None
    numbered = (
        section
        for section in found
        if (number := _NUMBERED.match(section.heading)) and named and number[1] == named[1]
    )
    return next(numbered, section)


def telling_spans(
    asked: frozenset[str], section: Section, pages: Sequence[tuple[str, PageLayout]]
) -> list[tuple[int, int, int]]:
    """Of each page of a section the sentence that has most of the words that are asked for, the first of several:
    (page, start, end)."""
    told = []
    for page in range(section.page, section.last + 1):
        text = pages[page][0]
        start = section.start if page == section.page else 0
        end = section.end if page == section.last else len(text)
        spans = [(a, b) for a, b in quotable_spans(text) if start <= a and b <= end]
        whole = [span for span in spans if len(text[slice(*span)].split()) >= _FEWEST_WORDS]
        if whole:
            best = max(whole, key=lambda span: len(asked & content(text[slice(*span)])))
            told.append((page, *best))
    return told
