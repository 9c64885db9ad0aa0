"""Where a sentence names methods, data, measures and tasks: spans, with their kind where that is known."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from provgraph.extraction.papers.reading.lexicon import BARE, HEADS, KNOWN, NO_NAMES, TASKS
from provgraph.reading.syntax import ParsedSentence, Token

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
class PaperSentence:
    """`text[start:end]` of a passage, with its words."""

    text: str
    parsed: ParsedSentence

    @property
    def start(self) -> int:
        return self.parsed.start

    @property
    def end(self) -> int:
        return self.parsed.end


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


def mentions(sentence: PaperSentence, introduced: Mapping[str, str]) -> list[PaperMention]:
    """In order, none within another: names that the passage has introduced before those that are widely known, these
    before other names, names before tasks. `introduced` are names with their kinds."""
    paper_mentions: list[PaperMention] = []
    for mention in (
        *_introduced(sentence, introduced),
        *_known(sentence),
        *_names(sentence),
        *_plain(sentence),
        *_tasks(sentence),
    ):
        if all(mention.start >= other.reach or mention.reach <= other.start for other in paper_mentions):
            paper_mentions.append(mention)
    return sorted(paper_mentions, key=lambda mention: mention.start)


def _introduced(sentence: PaperSentence, kinds: Mapping[str, str]) -> Iterator[PaperMention]:
    for name, kind in kinds.items():
        pattern = re.compile(rf"(?<![\w-]){re.escape(name)}(?![\w-])")
        for match in pattern.finditer(sentence.text, sentence.start, sentence.end):
            yield PaperMention(*match.span(), name, kind, _reach(sentence, match.end())[0])


def _plain(sentence: PaperSentence) -> Iterator[PaperMention]:
    """Single capitalised words within the sentence; two beside each other name a person or a place more often."""
    tokens = sentence.parsed.tokens
    for at, token in enumerate(tokens[1:], 1):
        name = token.text
        beside = (*tokens[at - 1 : at], *tokens[at + 1 : at + 2])
        alone = token.pos == "PROPN" and all(token.pos != "PROPN" for token in beside)
        if alone and name.istitle() and name not in NO_NAMES and len(name) >= _SHORTEST_PLAIN:
            reach, kind = _reach(sentence, token.end)
            yield PaperMention(token.start, token.end, name, kind, reach, plain=not kind)


def _known(sentence: PaperSentence) -> Iterator[PaperMention]:
    for match in _KNOWN.finditer(sentence.text, sentence.start, sentence.end):
        yield PaperMention(
            match.start(), match.end(), match[0], KNOWN[match[0]], _reach(sentence, match.end())[0]
        )


def _names(sentence: PaperSentence) -> Iterator[PaperMention]:
    for match in _NAME.finditer(sentence.text, sentence.start, sentence.end):
        if match[0] not in NO_NAMES and len(match[0]) <= 40:
            reach, kind = _reach(sentence, match.end())
            yield PaperMention(match.start(), match.end(), match[0], kind, reach)


def _reach(sentence: PaperSentence, end: int) -> tuple[int, str]:
    """Where the noun behind a name ends, and what it says."""
    head = _HEAD.match(sentence.text, end, sentence.end)
    return (head.end(), HEADS[head[1]]) if head else (end, "")


def _tasks(sentence: PaperSentence) -> Iterator[PaperMention]:
    """A noun of a task with the words that tell which: document layout analysis."""
    tokens = sentence.parsed.tokens
    for at, token in enumerate(tokens):
        if token.text.lower() not in TASKS:
            continue
        first = at
        while first and at - first < _LONGEST_TASK - 1 and _tells_which(tokens[first - 1]):
            first -= 1
        while first < at and tokens[first].text.lower() in BARE:
            first += 1
        if first < at and all(tokens[each].text.lower() not in BARE for each in range(first, at)):
            start, end = tokens[first].start, token.end
            label = " ".join(sentence.text[start:end].split())
            yield PaperMention(start, end, label, "CONCEPT", end)


def _tells_which(token: Token) -> bool:
    """Whether a word before the noun of a task can be a part of its name."""
    return token.pos in ("ADJ", "NOUN", "PROPN") or token.relation == "compound" or token.tag == "VBG"
