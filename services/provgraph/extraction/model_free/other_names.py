"""Other names of a thing that stand right beside its name: "Istanbul, formerly Constantinople, …"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from provgraph.extraction.model_free.definitions import Draft
from provgraph.extraction.model_free.phrases import noun_phrase
from provgraph.extraction.model_free.sentence import Phrase, Sentence

_CUE: Final = re.compile(
    r"(?:(?:also|better|best|commonly|popularly|formerly|previously|originally) (?:known as|called)"
    r"|formerly|previously|aka|a\.k\.a\.?|abbreviated(?: as| to)?|née|nee|né|born)\Z",
    re.IGNORECASE,
)
_RELATIONS: Final = {
    "abbreviated": "abbreviated as",
    "nee": "née",
    "born": "née",
    "a.k.a.": "aka",
    "a.k.a": "aka",
}
_OF_FULL_NAMES: Final = frozenset(["née", "né"])
_LONGEST_CUE: Final = 3
_CERTAINTY: Final = 0.9


def other_names(sentence: Sentence) -> Iterator[Draft]:
    """Facts of a name, what joins it to the other, and the other, which a comma or a bracket ends."""
    for index, chunk in enumerate(sentence.chunks):
        if chunk.kind == "n" and sentence.tags[chunk.end - 1] == "P":
            phrase, after = noun_phrase(sentence, index)
            if sentence.kinds[after] in ",(" and (found := _beside(sentence, sentence.chunks[after].end)):
                relation, name = found
                yield Draft(phrase, relation, name, _CERTAINTY)


def _beside(sentence: Sentence, start: int) -> tuple[str, Phrase] | None:
    """The relation and the other name that begin at token `start`."""
    for length in range(_LONGEST_CUE, 0, -1):
        if start + length < len(sentence.tokens) and _CUE.match(sentence.words(start, start + length)):
            cue = sentence.words(start, start + length).lower()
            relation, name = _RELATIONS.get(cue, cue), _name(sentence, start + length)
            surname_only = relation in _OF_FULL_NAMES and name and name.end - name.start < 2
            return (relation, name) if name and not surname_only else None
    return None


def _name(sentence: Sentence, start: int) -> Phrase | None:
    """The proper name from token `start` up to a comma, a bracket or the end."""
    tokens, end = sentence.tokens, start
    if end < len(tokens) and tokens[end].lower == "the":
        end = start = start + 1
    if end < len(tokens) and sentence.tags[end] != "P":
        return None
    while end < len(tokens) and (sentence.tags[end] == "P" or tokens[end].lower in ("the", "of")):
        end += 1
    closed = end >= len(tokens) or tokens[end].text in (",", ")", ".", ";")
    return Phrase(start, end, end) if end > start and closed and sentence.tags[end - 1] == "P" else None
