"""The silver treebank: sentences with the teacher's reading in Universal Dependencies, as arrays, whole and spoilt."""

from __future__ import annotations

import json
import random
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path

import numpy as np
import torch

from provgraph.reading.clearnlp import to_universal
from provgraph.reading.parser.features import UNKNOWN_FORM, word_rows
from provgraph.reading.trees import is_tree

HELD_OUT = {"question": 1}
"""One document of so many is held out, by source; of others one of 40. Real questions are all kept for measuring."""
_rows = cache(word_rows)


@dataclass(frozen=True)
class Sentence:
    source: str
    document: str
    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]

    @property
    def held_out(self) -> bool:
        return zlib.crc32(self.document.encode()) % HELD_OUT.get(self.source, 40) == 0


@dataclass(frozen=True)
class Labels:
    tags: tuple[str, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]


def read(paths: Sequence[Path]) -> list[Sentence]:
    """Sentences of silver files; those of the teacher are turned into Universal Dependencies here."""
    sentences = []
    for path in paths:
        for line in path.read_text("utf-8").splitlines():
            item = json.loads(line)
            heads, relations = item["heads"], item["labels"]
            if not item.get("universal"):
                heads, relations = to_universal(item["words"], item["tags"], item["pos"], heads, relations)
            if is_tree(heads):
                columns = (item["words"], item["tags"], heads, relations, item["entities"])
                sentences.append(Sentence(item["source"], item["document"], *map(tuple, columns)))
    return sentences


def labels_of(sentences: Sequence[Sentence]) -> Labels:
    """Every label that occurs at least five times; the others are learnt as the commonest of their kind."""

    def frequent(name: str) -> tuple[str, ...]:
        counts = Counter(label for sentence in sentences for label in getattr(sentence, name))
        return tuple(label for label, count in counts.most_common() if count >= 5)

    return Labels(frequent("tags"), frequent("relations"), frequent("entities"))


@dataclass(frozen=True)
class Batch:
    rows: torch.Tensor
    mask: torch.Tensor
    tags: torch.Tensor
    heads: torch.Tensor
    relations: torch.Tensor
    entities: torch.Tensor


def batches(
    sentences: Sequence[Sentence], labels: Labels, words: int, chance: random.Random | None
) -> Iterator[Batch]:
    """Batches of about `words` words, alike in length; in any order, and spoilt, where there is `chance`."""
    order = sorted(
        range(len(sentences)), key=lambda i: len(sentences[i].words) + (chance.random() if chance else 0)
    )
    groups: list[list[int]] = [[]]
    for index in order:
        if groups[-1] and (len(groups[-1]) + 1) * len(sentences[index].words) > words:
            groups.append([])
        groups[-1].append(index)
    if chance:
        chance.shuffle(groups)
    for group in groups:
        yield _batch([sentences[index] for index in group], labels, chance)


def _batch(sentences: list[Sentence], labels: Labels, chance: random.Random | None) -> Batch:
    length = max(len(sentence.words) for sentence in sentences)
    rows = np.zeros((len(sentences), length, 6), np.int64)
    targets = np.full((4, len(sentences), length), -100, np.int64)
    mask = np.zeros((len(sentences), length), bool)
    for place, sentence in enumerate(sentences):
        size = len(sentence.words)
        rows[place, :size] = _word_rows(_spoilt(sentence, chance)) if chance else _word_rows(sentence.words)
        if chance:
            rows[place, :size][_NOISE.random(size) < _UNSEEN_SHARE] *= _UNSEEN
        mask[place, :size] = True
        targets[:, place, :size] = _targets(sentence, labels)
    return Batch(torch.from_numpy(rows), torch.from_numpy(mask), *map(torch.from_numpy, targets))


_NOISE = np.random.default_rng(1)
_UNSEEN_SHARE = 0.06
_UNSEEN = np.array([UNKNOWN_FORM, UNKNOWN_FORM, 1, 1, 1, 1])


@cache
def _word_rows(words: tuple[str, ...]) -> np.ndarray:
    return np.array([_rows(word) for word in words], np.int16)


@cache
def _targets(sentence: Sentence, labels: Labels) -> np.ndarray:
    return np.array(
        [
            [_index(labels.tags, tag) for tag in sentence.tags],
            [head + 1 for head in sentence.heads],
            [_index(labels.relations, relation) for relation in sentence.relations],
            [_index(labels.entities, entity) for entity in sentence.entities],
        ],
        np.int16,
    )


@cache
def _index(labels: tuple[str, ...], label: str) -> int:
    return labels.index(label) if label in labels else 0


def _spoilt(sentence: Sentence, chance: random.Random) -> tuple[str, ...]:
    """Now and then as people type it: without capitals, all in capitals, with a slip of the fingers."""
    draw, words = chance.random(), sentence.words
    if draw < (0.15 if sentence.source in {"question", "made", "claim"} else 0.04):
        return tuple(word.lower() for word in words)
    if draw > 0.99:
        return tuple(word.upper() for word in words)
    if draw > 0.96:
        place = chance.randrange(len(words))
        return (*words[:place], _slip(words[place], chance), *words[place + 1 :])
    return words


def _slip(word: str, chance: random.Random) -> str:
    if len(word) < 4:
        return word
    at = chance.randrange(1, len(word) - 1)
    return chance.choice(
        [
            word[:at] + word[at + 1] + word[at] + word[at + 2 :],
            word[:at] + word[at + 1 :],
            word[:at] + word[at] + word[at:],
        ]
    )
