"""Where a sentence names methods, data, measures and tasks: spans, with their kind where that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from provgraph.extraction.model_free.sentence import Sentence
from provgraph.extraction.papers.reading.lexicon import BARE, HEADS, KNOWN, NO_NAMES, TASKS

_KNOWN: Final = re.compile(
    r"(?<![\w-])(?:" + "|".join(sorted(map(re.escape, KNOWN), key=len, reverse=True)) + r")(?![\w-]|\.\w)"
)
_NAME: Final = re.compile(
    r"(?<![\w./@-])(?:[A-Z][a-z]+[A-Z][\w]*|[A-Z]{2,}[\w]*|[A-Z]\w*\d\w*)(?:-[A-Z\d][\w]*)*(?![\w@/]|-\w|\.\w)"
)
_HEAD: Final = re.compile(
    r"\s+(?:\[[\d,\s]+\]\s*)?(" + "|".join(sorted(map(re.escape, HEADS), key=len, reverse=True)) + r")\b"
)
_LONGEST_TASK: Final = 4
_SHORTEST_PLAIN: Final = 4


@dataclass(frozen=True)
class PaperMention:
    """`text[start:end]` names a thing, called `label`; `kind` is a class of the ontology, or empty for a bare name.

    `reach` is where what belongs to it ends: a noun that tells its kind, a reference behind it. A plain name is written
    as those of people and places are, so that its form does not tell that it is a method's.
    """

    start: int
    end: int
    label: str
    kind: str
    reach: int
    plain: bool = False


def mentions(sentence: Sentence, introduced: Mapping[str, str]) -> list[PaperMention]:
    """In order, none within another: names that the passage has introduced before those that are widely known, these
    before other names, names before tasks. `introduced` are names with their kinds."""
    found: list[PaperMention] = []
    for mention in (
        *_introduced(sentence, introduced),
        *_known(sentence),
        *_names(sentence),
        *_plain(sentence),
        *_tasks(sentence),
    ):
        if all(mention.start >= other.reach or mention.reach <= other.start for other in found):
            found.append(mention)
    return sorted(found, key=lambda mention: mention.start)


def _introduced(sentence: Sentence, kinds: Mapping[str, str]) -> Iterator[PaperMention]:
    for token in sentence.tokens:
        name = sentence.text[token.start : token.end]
        if name in kinds:
            yield PaperMention(token.start, token.end, name, kinds[name], _reach(sentence, token.end)[0])


def _plain(sentence: Sentence) -> Iterator[PaperMention]:
    """Single capitalised words within the sentence; two beside each other name a person or a place more often."""
    tokens, tags = sentence.tokens, sentence.tags
    for at, token in enumerate(tokens[1:], 1):
        name = sentence.text[token.start : token.end]
        alone = tags[at] == "P" and tags[at - 1] != "P" and tags[at + 1 : at + 2] != "P"
        if alone and name.istitle() and name not in NO_NAMES and len(name) >= _SHORTEST_PLAIN:
            reach, kind = _reach(sentence, token.end)
            yield PaperMention(token.start, token.end, name, kind, reach, plain=not kind)


def _known(sentence: Sentence) -> Iterator[PaperMention]:
    for match in _KNOWN.finditer(sentence.text, sentence.start, sentence.end):
        yield PaperMention(
            match.start(), match.end(), match[0], KNOWN[match[0]], _reach(sentence, match.end())[0]
        )


def _names(sentence: Sentence) -> Iterator[PaperMention]:
    for match in _NAME.finditer(sentence.text, sentence.start, sentence.end):
        if match[0] not in NO_NAMES and len(match[0]) <= 40:
            reach, kind = _reach(sentence, match.end())
            yield PaperMention(match.start(), match.end(), match[0], kind, reach)


def _reach(sentence: Sentence, end: int) -> tuple[int, str]:
    """Where the noun behind a name ends, and what it says."""
    head = _HEAD.match(sentence.text, end, sentence.end)
    return (head.end(), HEADS[head[1]]) if head else (end, "")


def _tasks(sentence: Sentence) -> Iterator[PaperMention]:
    """A noun of a task with the words that tell which: document layout analysis."""
    tokens, tags = sentence.tokens, sentence.tags
    for at, token in enumerate(tokens):
        if token.lower not in TASKS:
            continue
        first = at
        while first and at - first < _LONGEST_TASK - 1 and tags[first - 1] in "JNPG":
            first -= 1
        while first < at and tokens[first].lower in BARE:
            first += 1
        if first < at and all(tokens[each].lower not in BARE for each in range(first, at)):
            start, end = tokens[first].start, token.end
            label = " ".join(sentence.text[start:end].split())
            yield PaperMention(start, end, label, "CONCEPT", end)
