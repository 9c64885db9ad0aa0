"""Titles and quoted names as single words, so that a parser does not read "Never Cry Wolf" as an order.

The text that is parsed has a made-up name of the same length in their place; the tokens get the real words back.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Parser, Token
from provgraph.verdicts.judgement import EvidenceText

_QUOTED: Final = re.compile(
    r"[\"“«]([A-Z0-9][^\"“”«»\n]{2,60}?)[,.]?[\"”»]|``\s?([A-Z0-9][^`'\n]{2,60}?)\s?''"
)
_PLAIN: Final = re.compile(r"[A-Z][a-z]+(?: [A-Z][a-z]+){0,2}")
_RUN: Final = re.compile(
    r"\b[A-Z][\w'’-]*(?:,? (?:[A-Z0-9][\w'’-]*|the|a|of|in|at|on|to|for|with|or|from|over|against|is|are|it|my|your))* "
    r"[A-Z0-9][\w'’-]*"
)
_SMALL: Final = re.compile(
    r" (?:the|a|or|it|me|up|with|over|against|is|are|to|my|your|you|down|out|now|here|not|on|off)\b|"
    r"^(?:How|What|When|Who|Make|Never|Do|Is|Are|I|Down|Up|Over|In) ",
    re.IGNORECASE,
)
"""Small words by which a name is read as something else."""
_SHORTEST: Final = 6

_TOLD_OF: Final = re.compile(
    r"^(?:(?:A|The) )?(?:Short |Brief )?(?:History|Story|Portrait|Profile|Biography|Introduction) (?:of|to) "
    r"(?:the )?(?=[A-Z])"
)


def bare_title(evidence: EvidenceText) -> str:
    """The title without what tells it from others, "Never Cry Wolf (film)", or what is told: "History of the Orme"."""
    bare = re.sub(r"(?<!\s)\s*\([^()]*\)\s*$", "", evidence.title).strip()
    return _TOLD_OF.sub("", bare) if _TOLD_OF.fullmatch(bare) is None else bare


def titles_of(text: str) -> list[str]:
    """The names in quotation marks: each begins with a capital and is no sentence."""
    found = [match[1] or match[2] for match in _QUOTED.finditer(text)]
    return [name for name in found if not name.rstrip().endswith((".", "!", "?")) or len(name.split()) < 4]


def shared_names(claim: str, texts: Sequence[str]) -> list[str]:
    """Runs of capitalised words with small ones among them that claim and evidence both have: "Knocked Up"."""
    runs = [match.group() for match in _RUN.finditer(claim)]
    found = [run[4:] if run.startswith("The ") else run for run in runs]
    return [run for run in found if _SMALL.search(run) and any(run in text for text in texts)]


def parse_masked(
    text: str, spans: Sequence[tuple[int, int]], parser: Parser, names: Sequence[str]
) -> list[ParsedSentence]:
    """The sentences of `text`, each of `names` in it one word where it would be read as something else."""
    odd = sorted({n for n in names if len(n) >= _SHORTEST and " " in n and _is_odd(n)}, key=len)
    if not odd:
        return parser.parse(text, spans)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in reversed(odd)))
    masked = pattern.sub(lambda match: _mask(match.group()), text)
    if masked == text:
        return parser.parse(text, spans)
    return [_unmasked(sentence, text) for sentence in parser.parse(masked, spans)]


def _is_odd(name: str) -> bool:
    return not _PLAIN.fullmatch(name) or bool(_SMALL.search(name))


def _mask(name: str) -> str:
    letters = "".join(c.lower() if c.isascii() and c.isalpha() else "o" for c in name)
    return letters[0].upper() + letters[1:]


def _unmasked(sentence: ParsedSentence, text: str) -> ParsedSentence:
    return ParsedSentence(
        tuple(_real(token, text) for token in sentence.tokens), sentence.start, sentence.end
    )


def _real(token: Token, text: str) -> Token:
    words = text[token.start : token.end]
    if words == token.text:
        return token
    return replace(token, text=words, lemma=words, pos="PROPN", tag="NNP")
