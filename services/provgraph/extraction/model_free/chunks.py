"""Noun and verb phrases: one regular expression over the letters of `tagging`."""

from __future__ import annotations

import re
from dataclasses import dataclass

_CORE = r"(?:R(?=J)|J(?:,?U?J(?=[JNP]))?|[NPC])*[NPC]"
_NOUN_PHRASE = rf"(?:D?[DS]?{_CORE}(?:A{_CORE})*|Y|O|E|D(?![JNPCR])|J(?=o))"
_INFINITIVE = r"T[XR]*(?:b[XR]*L?|H[XR]*L?|v)"
_VERB_PHRASE = (
    r"(?:(?:M[XR]*(?:H[XR]*)?(?:b[XR]*)*[vLGHF]?|H[XR]*(?:b[XR]*)*[LG]?|F[XR]*[vH]|B[XR]*(?:b[XR]*)*[LG]?|X?V|F)"
    rf"K?(?:R*{_INFINITIVE}K?)*)"
)
_CHUNK = re.compile(
    rf"(?P<v>{_VERB_PHRASE})|(?P<n>{_NOUN_PHRASE})|(?P<t>{_INFINITIVE}K?)|(?P<b>(?<=U)R*vK?)|(?P<l>LK?)|(?P<g>GK?)|(?P<x>.)"
)


@dataclass(slots=True)
class PhraseChunk:
    """Tokens `start` to `end`.

    `kind`: v finite verb phrase, n noun phrase, t infinitive, l and g participles, else the token's letter.
    """

    kind: str
    start: int
    end: int


def chunk(tags: str) -> list[PhraseChunk]:
    """The chunks of a sentence, in order and without gaps; adverbs that stand alone are left out."""
    chunks = []
    for match in _CHUNK.finditer(tags):
        kind = match.lastgroup or "x"
        letter = match.group() if kind == "x" else "v" if kind == "b" else kind
        if letter != "R":
            chunks.append(PhraseChunk(letter, match.start(), match.end()))
    return chunks
