"""Where the sentences of a text are, as exact spans.

Knows punctuation, abbreviations and lines; knows nothing of pages, chunks, grammar or facts. Every step looks
at a bounded window or moves forward only, so the time is linear in the text, whatever it holds.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

_LINE = re.compile(r"\r\n|[\n\r\v\f\u2028\u2029]")
_NOT_SPACE = re.compile(r"\S")
_STOP = re.compile(r"""(?:[。！？؟।۔｡]+[」』）】”’"')\]]*|[.!?…]+["'”’»)\]]*(?:\[\d{1,3}\])*)""")
_ALWAYS_ENDS = frozenset("。！？؟।۔｡")
_OPENERS = "\"'“‘«([¿¡"

_BULLET = re.compile(r"\s*(?:[-*•‣◦▪●■–—]\s|#{1,6}\s|\|)")
_NUMBERED = re.compile(r"\s*(?:\(?[0-9]{1,3}[.)]|\(?[a-zA-Z]\)|[0-9]{1,2}(?:\.[0-9]{1,2}){1,3}\.?)\s")
_BULLET_MARK = re.compile(r"[-*•‣◦▪●■–—]\s+")
FIELD = re.compile(
    r"\s*(?P<name>[A-Z][^\W_]*(?:[ /&.'’()-]{1,2}[^\W_]+){0,4}[.)]?) ?:[ \t]+(?P<value>\S[^\n]{0,78}?)\s*"
)
"""A line of a form: the name of a field, and its value."""
_SIGNED = re.compile(r"[A-Z][\w.’'-]{0,30}(?: [A-Z][\w.’'-]{0,30}){1,3}, [a-z][^\n.,;:]{2,50}")
"""A line with somebody's name and office, as at the end of a letter."""
_ROW = re.compile(r"\s*(?:#{1,6}\s|\|)")
_FINISHED = re.compile(r"""[.!?:;…。！？؟।۔]["'”’»)\]]*\s*\Z""")
_OPEN_END = re.compile(
    r"(?:[,\-–—(&]|\b(?:a|an|the|of|and|or|in|on|at|to|for|from|by|with|as|that|is|are|was|were))\s*\Z", re.I
)
_HEADING_LENGTH = 90
_FILLED = 0.8


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


_BEFORE_A_NAME = _words(
    "dr mr mrs ms messrs prof rev hon gen col lt maj capt cmdr adm sgt cpl sen rep gov pres mt fr "
    "hr supt insp det dir esp cf vs viz approx ca c e.g i.e eg ie ph.d b.a m.a"
)
_BEFORE_A_NUMBER = _words(
    "no nos fig figs eq eqs sec secs ch art vol vols pp p para ref refs tab app ser "
    "jan feb mar apr jun jul aug sep sept oct nov dec"
)
_BEFORE_A_DAY = _words("am vom zum zur bis den dem der des seit ab und nach vor beim")
_GERMAN_MONTH = re.compile(
    r"(?:Januar|Jänner|Februar|März|April|Mai|Juni|Juli|August|September|Oktober|November|Dezember)\b"
)
_EITHER_WAY = _words(
    "etc jr sr st ft ed eds inc ltd corp co bros al u.s u.k u.n e.u d.c bc ad b.c a.d dept univ"
)
_HOURS = _words("a.m p.m")
_BEHIND_AN_HOUR = re.compile(
    r"(?:(?:Mon|Tues|Wednes|Thurs|Fri|Satur|Sun)day|Jan|Feb|Mar|Apr|May|Jun|Jul|Aug|Sep|Oct|Nov|Dec|[A-Z]{2,4}\b|"
    r"Eastern|Central|Mountain|Pacific|Greenwich|Local)"
)
"""What an hour goes on with: a day, a month, a time zone."""
_STARTERS = _words(
    "the a an in on at he she it they we this that these those there his her its their our but and however "
    "after before during since when while as for from with by to if although though then later today both "
    "some many most all one two such what who why how where i you my your no not also according"
)
_ENUMERATORS = frozenset("ABCDEFGHJKLMNOPQRSTUVWXYZ")
_INITIALS = re.compile(r"(?:\w[.\-])*\w\Z")
_WORD = re.compile(r"[^\W\d_]+(?:['’][^\W\d_]+)?")
_LOOK_BACK = 24


@dataclass(frozen=True, slots=True)
class _Line:
    start: int
    end: int
    text: str

    @property
    def blank(self) -> bool:
        return not self.text or self.text.isspace()


def sentence_spans(text: str) -> list[tuple[int, int]]:
    """The sentences of `text` in order, as (start, end) with `end` exclusive.

    Spans never overlap, never begin or end with white space, and leave out nothing but white space. A blank
    line always ends a sentence, a single line end where the line is a heading, a list item or a table row.
    """
    return list(each_sentence(text))


def each_sentence(text: str) -> Iterator[tuple[int, int]]:
    """As `sentence_spans`, one after another, for texts whose sentences are too many to hold."""
    for start, end in _blocks(text):
        for cut_start, cut_end in _split(text, start, end):
            span = _trimmed(text, cut_start, cut_end)
            if span is not None:
                yield span


def after_list_mark(text: str, start: int, end: int) -> int:
    """Where the words of a sentence begin: behind the bullet or number of a list item, if it has one."""
    mark = _BULLET_MARK.match(text, start, end) or _NUMBERED.match(text, start, end)
    return mark.end() if mark and mark.end() < end else start


def _blocks(text: str) -> Iterator[tuple[int, int]]:
    """Runs of lines that read on into each other."""
    start = 0
    open_line = False
    lines = _lines(text)
    line = next(lines)
    for following in lines:
        if _line_ends_block(line, following, open_line):
            yield start, line.end
            start = following.start
            open_line = False
        else:
            open_line = not _FINISHED.search(line.text[-8:])
        line = following
    yield start, line.end


def _lines(text: str) -> Iterator[_Line]:
    start = 0
    for match in _LINE.finditer(text):
        yield _Line(start, match.start(), text[start : match.start()])
        start = match.end()
    yield _Line(start, len(text), text[start:])


def _line_ends_block(line: _Line, following: _Line, inside: bool) -> bool:
    """`inside` says that `line` goes on with a sentence begun on a line before it."""
    if line.blank or following.blank or _ROW.match(line.text) or _BULLET.match(following.text):
        return True
    if FIELD.fullmatch(line.text) and FIELD.fullmatch(following.text):
        return True
    if _SIGNED.fullmatch(line.text.strip()) and _SIGNED.fullmatch(following.text.strip()):
        return True
    if _NUMBERED.match(following.text):
        return bool(
            _FINISHED.search(line.text[-8:]) or _NUMBERED.match(line.text) or _is_heading(line, following)
        )
    return not inside and _is_heading(line, following)


def _is_heading(line: _Line, following: _Line) -> bool:
    """Whether the line ends on purpose: the next word would have fitted on it, or it is all in capitals."""
    words = line.text.strip()
    first = (
        following.text.split(maxsplit=1)[0]
        if len(following.text) < 1000
        else following.text.lstrip()[:20].split()[0]
    )
    if len(words) > _HEADING_LENGTH or _FINISHED.search(words[-8:]) or _OPEN_END.search(words[-12:]):
        return False
    if first[0].islower() or not words[0].isalnum() or words[0].islower():
        return False
    fits = len(words) + 1 + len(first) < _FILLED * len(following.text.strip())
    return fits or words.isupper() or _title_case(words)


def _title_case(words: str) -> bool:
    """Whether every longer word has a capital, as in a heading; one name alone on its line counts too."""
    return all(
        word[0].isupper() or word[0].isdigit() for word in words.split() if len(word) > 4 or word == words
    )


def _split(text: str, start: int, end: int) -> Iterator[tuple[int, int]]:
    for match in _STOP.finditer(text, start, end):
        if _is_end(text, match, start, end):
            yield start, match.end()
            start = match.end()
    yield start, end


def _is_end(text: str, stop: re.Match[str], start: int, end: int) -> bool:
    if text[stop.start()] in _ALWAYS_ENDS:
        return True
    after = stop.end()
    if after >= end:
        return True
    if not text[after].isspace():
        return False
    match = _NOT_SPACE.search(text, after, end)
    if match is None:
        return True
    following = text[match.start() : match.start() + 40].lstrip(_OPENERS)
    if _goes_on(following):
        return False
    if stop.group().rstrip("\"'”’»)]") != ".":
        return True
    return not _is_abbreviation(text, start, stop.start(), following)


def _goes_on(following: str) -> bool:
    """Whether what follows cannot begin a sentence: a word in lower case (but iPhone can), a comma …"""
    if not following:
        return False
    return (following[0].islower() and not following[1:2].isupper()) or following[0] in ",;:)]"


def _is_abbreviation(text: str, start: int, stop: int, following: str) -> bool:
    """Whether the full stop at `stop` belongs to its word and ends no sentence."""
    before = text[max(start, stop - _LOOK_BACK) : stop]
    words = before.split()
    if not words or before[-1:].isspace():
        return False
    word = words[-1].lstrip(_OPENERS)
    lower = word.casefold()
    if (
        lower.isdigit()
        and words[-2:-1]
        and words[-2].casefold() in _BEFORE_A_DAY
        and _GERMAN_MONTH.match(following)
    ):
        return True
    if len(words) == 1 and _NUMBERED.match(text[start : start + 8]) and word.isalnum() and len(word) <= 3:
        return True
    if word.isupper() and len(word) == 1:
        return not _starts_a_sentence(following)
    if lower in _BEFORE_A_NAME:
        return True
    if lower in _BEFORE_A_NUMBER:
        return following[:1].isdigit() or following[:2].strip() in _ENUMERATORS
    if lower in _HOURS:
        return not following[:1].isupper() or _BEHIND_AN_HOUR.match(following) is not None
    if lower in _EITHER_WAY or (_INITIALS.match(word) and word[-1].isupper()):
        return not _starts_a_sentence(following)
    return False


def _starts_a_sentence(following: str) -> bool:
    match = _WORD.match(following)
    return match is not None and match.group().casefold() in _STARTERS


def _trimmed(text: str, start: int, end: int) -> tuple[int, int] | None:
    while start < end and text[start].isspace():
        start += 1
    while end > start and text[end - 1].isspace():
        end -= 1
    return (start, end) if start < end else None
