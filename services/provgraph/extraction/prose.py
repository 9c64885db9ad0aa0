"""Which sentences of a passage are prose: no code, no list of references, no heading, table or other language."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise
from typing import Final

from provgraph.extraction.facts import Passage
from provgraph.language.languages import ENGLISH, STOP_WORDS, language_of
from provgraph.language.sentences import after_list_mark, sentence_spans
from provgraph.reading.datelines import after_dateline
from provgraph.reading.life_dates import names_an_office

LONGEST_SENTENCE: Final = 1200
_SHORTEST: Final = 8
_SHORT: Final = 7
"""Words that a sentence may have without one of the words that English sentences are held together by."""
_CLOSERS: Final = "\"”’')]0123456789"
_FUNCTION_WORD: Final = re.compile(
    r"\b(?:the|of|and|in|to|an?|is|was|by|for|with|on|at|from|as|his|her|its|are|were|be|has|had|who|which|that)\b",
    re.IGNORECASE,
)
_FENCED: Final = re.compile(r"^[ \t]*(```|~~~).*?(?:^[ \t]*\1|\Z)", re.M | re.S)
_REFERENCES: Final = re.compile(
    r"^[ \t]*(?:#+ )?(?:\d{1,2}\.? )?(?:References|REFERENCES|Bibliography|Works [Cc]ited|Literature [Cc]ited)[ \t]*\n"
    r".*?(?=^#+ |\Z)",
    re.M | re.S,
)
_ENTRY: Final = re.compile(r"^[ \t]*(?:\[\d{1,3}\] *[A-Z]|[A-Z][\w'’-]+, (?:[A-Z]\.[ -]?)+)", re.M)
_PUBLISHED: Final = re.compile(
    r"\bet al\b|\bpp?\. ?\d|\bpages \d|\b[Vv]ol\.|\bProceedings\b|\bJournal\b|\bConference\b|\bPress\b|arXiv|\bdoi\b"
    r"|https?://|\d\(\d+\)|\d[–-]\d"
)
_YEAR: Final = re.compile(r"\b(?:19|20)\d\d[a-z]?\b")
_LONGEST_ENTRY: Final = 500


def prose_spans(passage: Passage, language: str = ENGLISH) -> Iterator[tuple[int, int]]:
    """The sentences of prose of a passage in that language, behind the mark of a list item.

    Those that are not its own tell who is meant, and what the things are that its own name.
    """
    passed_over = _asides(passage.text)
    for start, end in sentence_spans(passage.text):
        inside = any(first <= start < last for first, last in passed_over)
        if (
            not inside
            and _is_prose(passage.text, start, end)
            and _is_sentence(passage.text[start:end], language)
        ):
            yield after_dateline(passage.text, after_list_mark(passage.text, start, end), end), end


def _is_prose(text: str, start: int, end: int) -> bool:
    """Whether its letters are those of an assertion in a Latin script: no table, no heading, no code, no question."""
    if not _SHORTEST <= end - start <= LONGEST_SENTENCE or text[end - 1] == "?":
        return False
    words = text[start:end]
    letters = sum(map(str.isalpha, words))
    latin = sum("a" <= word <= "z" or "A" <= word <= "Z" for word in words)
    if latin < 0.5 * (end - start) or latin < 0.8 * letters:
        return False
    return sum(map(str.islower, words)) >= 0.5 * letters


def reads_as_english(words: str) -> bool:
    """Whether no other language knows more of its words, and its letters are Latin."""
    letters = sum(map(str.isalpha, words))
    latin = sum("a" <= word <= "z" or "A" <= word <= "Z" for word in words)
    return latin >= 0.8 * letters and language_of(words) == "en"


def _is_sentence(words: str, language: str) -> bool:
    """Whether it reads as that language and is no heading: a heading has no full stop, and most of its words a capital.

    A list of people with their offices is one.
    """
    if names_an_office(words):
        return True
    short = len(words.split()) <= _SHORT and words.endswith(".")
    if not short and not _holds_together(words, language):
        return False
    alphabetic = [word for word in words.split() if word[0].isalpha()]
    capitals = sum(word[0].isupper() for word in alphabetic)
    return words.rstrip(_CLOSERS).endswith((".", "!", ":", ";")) or capitals * 2 < len(alphabetic)


def _holds_together(words: str, language: str) -> bool:
    """Whether it has one of the words that sentences of the language are held together by."""
    if language == ENGLISH:
        return _FUNCTION_WORD.search(words) is not None
    return any(word.lower() in STOP_WORDS[language] for word in words.split())


def _asides(text: str) -> list[tuple[int, int]]:
    """Spans (start, end) of code and references, which look like prose here and there; in no order, may overlap."""
    spans = [match.span() for match in _FENCED.finditer(text)] if "```" in text or "~~~" in text else []
    spans += [match.span() for match in _REFERENCES.finditer(text)]
    spans += _entries(text)
    return spans


def _entries(text: str) -> Iterator[tuple[int, int]]:
    """[12] Smith, J.: a work with its year and where it was published, up to the next such or an empty line."""
    starts = [match.start() for match in _ENTRY.finditer(text)]
    for start, following in pairwise([*starts, len(text)]):
        end = min(following, start + _LONGEST_ENTRY)
        blank = text.find("\n\n", start, end)
        end = blank if blank > start else end
        entry = text[start:end]
        if _YEAR.search(entry) and _PUBLISHED.search(entry):
            yield start, end
