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
_SHORTEST: Final = 6


def bare_title(evidence: EvidenceText) -> str:
    """The title without what tells it from others: "Never Cry Wolf (film)"."""
    return re.sub(r"\s*\([^()]*\)\s*$", "", evidence.title).strip()


def titles_of(text: str) -> list[str]:
    """The names in quotation marks: each begins with a capital and is no sentence."""
    found = [match[1] or match[2] for match in _QUOTED.finditer(text)]
    return [name for name in found if not name.rstrip().endswith((".", "!", "?")) or len(name.split()) < 4]


def parse_masked(
    text: str, spans: Sequence[tuple[int, int]], parser: Parser, names: Sequence[str]
) -> list[ParsedSentence]:
    """The sentences of `text`, each of `names` in it one word where it would be read as something else."""
    odd = sorted({n for n in names if len(n) >= _SHORTEST and " " in n and not _PLAIN.fullmatch(n)}, key=len)
    if not odd:
        return parser.parse(text, spans)
    pattern = re.compile("|".join(rf"(?<!\w){re.escape(name)}(?!\w)" for name in reversed(odd)))
    masked = pattern.sub(lambda match: _mask(match.group()), text)
    if masked == text:
        return parser.parse(text, spans)
    return [_unmasked(each, text) for each in parser.parse(masked, spans)]


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
