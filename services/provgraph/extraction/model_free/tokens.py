"""Words of a sentence with their exact places; knows nothing of grammar."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

_WORD = r"[^\W_][\u0300-\u036f]*(?:[^\W_]|[\u0300-\u036f])*"
_TOKEN = re.compile(
    rf"""
      (?:[^\W\d_]\.){{2,}}                                              # U.S., e.g.
    | (?:Dr|Mr|Mrs|Ms|Prof|St|Jr|Sr|Inc|Ltd|Corp|Co|Bros|No|Rev|Gen|Col|Lt|Capt|Sgt|Gov|Sen|Rep|Mt|Ft|vs)\.
    | [^\W\d_]\.(?=\s?[^\W\d_])                                         # J. in a name
    | -[LR][RSC]B-
    | n['’]t\b | ['’](?:s|re|ve|ll|d|m)\b
    | (?:do|does|did|is|are|was|were|has|have|had|would|could|should|must|might|need|ca|wo)(?=n['’]t\b)
    | \d+(?:[.,:]\d+)+
    | {_WORD}(?:(?:[-‐‑&/.@+]|['’](?=[^\W_]{{3}})){_WORD})*[+#]*
    | \.\.+ | `` | '' | \S
    """,
    re.VERBOSE | re.IGNORECASE,
)


@dataclass(slots=True)
class TextToken:
    """One word or sign, `text[start:end]` of the passage; `tag` is the letter that `tagging` gives it."""

    text: str
    start: int
    end: int
    tag: str = ""
    lower: str = ""


@dataclass(frozen=True)
class Atom:
    """A stretch that is read as one word, such as a date or a quoted title, with its tag."""

    start: int
    end: int
    tag: str


def tokenize(text: str, start: int, end: int, atoms: Iterable[Atom] = ()) -> list[TextToken]:
    """The tokens of `text[start:end]`; what lies inside one of the `atoms` (in order) becomes one token."""
    tokens: list[TextToken] = []
    position = start
    for atom in atoms:
        tokens.extend(_plain(text, position, atom.start))
        words = text[atom.start : atom.end]
        tokens.append(TextToken(words, atom.start, atom.end, atom.tag, words.lower()))
        position = atom.end
    tokens.extend(_plain(text, position, end))
    return tokens


def _plain(text: str, start: int, end: int) -> Iterator[TextToken]:
    for match in _TOKEN.finditer(text, start, end):
        word = match.group()
        yield TextToken(word, match.start(), match.end(), "", word.lower())
