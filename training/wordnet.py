"""Builds `services/provgraph/language/words/wordnet.npz` from the files of WordNet 3.0.

    python training/wordnet.py /usr/share/wordnet services/provgraph/language/words/wordnet.npz

Source: the database of Princeton's WordNet 3.0 (format: wndb(5WN)), as Debian's `wordnet-base` installs it. Kept are
the lemmas, up to eight senses each in their order of frequency, and seven relations; glosses and named instances are
not.
"""

from __future__ import annotations

import sys
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

import numpy as np

PARTS = ("noun", "verb", "adj", "adv")
LETTERS = "nvar"
LONGEST = 28
"""Bytes of a lemma; longer ones are no words that a sentence is compared by."""
SENSES = 8
OF_SYNSETS = {"hypernyms": "@", "entailments": "*", "causes": ">", "similar": "&", "groups": "$"}
OF_WORDS = {"antonyms": "!", "derived": "+"}


@dataclass(frozen=True)
class Synset:
    key: tuple[str, int]
    field: int
    words: tuple[str, ...]
    pointers: tuple[tuple[str, tuple[str, int], int, int], ...]
    """(symbol, target, number of the own word, number of the target's word); numbers count from 1, and 0 means all."""


def synsets(folder: Path, part: str, letter: str) -> Iterator[Synset]:
    for line in (folder / f"data.{part}").read_text(encoding="latin-1").splitlines():
        if line.startswith(" "):
            continue
        cells = line.partition("|")[0].split()
        count = int(cells[3], 16)
        words = tuple(_lemma(word) for word in cells[4 : 4 + 2 * count : 2])
        at = 4 + 2 * count
        pointers = tuple(
            (symbol, (target_part, int(target)), int(places[:2], 16), int(places[2:], 16))
            for symbol, target, target_part, places in zip(
                *(cells[at + 1 + column : at + 1 + 4 * int(cells[at]) : 4] for column in range(4)),
                strict=True,
            )
        )
        if not any(symbol == "@i" for symbol, *_ in pointers):
            yield Synset((letter, int(cells[0])), int(cells[1]), words, pointers)


def _lemma(word: str) -> str:
    return word.partition("(")[0].replace("_", " ").lower()


def index(folder: Path, part: str) -> Iterator[tuple[str, list[int]]]:
    """Of each lemma its synsets, the most frequent sense first."""
    for line in (folder / f"index.{part}").read_text(encoding="latin-1").splitlines():
        if not line.startswith(" "):
            cells = line.split()
            yield _lemma(cells[0]), [int(offset) for offset in cells[-int(cells[2]) :]]


def rows(pairs: Iterable[tuple[int, int]], count: int) -> tuple[np.ndarray, np.ndarray]:
    """Pairs as compressed rows: where each row begins, and the columns."""
    columns: dict[int, list[int]] = defaultdict(list)
    for row, column in pairs:
        if column not in columns[row]:
            columns[row].append(column)
    starts = np.zeros(count + 1, dtype=np.int32)
    starts[1:] = np.cumsum([len(columns[row]) for row in range(count)])
    return starts, np.array([column for row in range(count) for column in columns[row]], dtype=np.int32)


def built(folder: Path) -> dict[str, np.ndarray]:
    kept = [
        each for part, letter in zip(PARTS, LETTERS, strict=True) for each in synsets(folder, part, letter)
    ]
    number = {each.key: position for position, each in enumerate(kept)}
    senses = {
        (word, letter): [number[letter, offset] for offset in offsets if (letter, offset) in number][:SENSES]
        for part, letter in zip(PARTS, LETTERS, strict=True)
        for word, offsets in index(folder, part)
        if len(word.encode()) <= LONGEST and not any(character.isdigit() for character in word)
    }
    lemmas = sorted(f"{letter}{word}" for (word, letter), found in senses.items() if found)
    position = {lemma: place for place, lemma in enumerate(lemmas)}
    data: dict[str, np.ndarray] = {
        "lemmas": np.array([lemma.encode() for lemma in lemmas]),
        "fields": np.array([each.field for each in kept], dtype=np.uint8),
    }
    tables: dict[str, tuple[Iterable[tuple[int, int]], int]] = {
        "senses": (_of_words(senses, position), len(lemmas))
    }
    for name, symbol in OF_SYNSETS.items():
        tables[name] = _between_synsets(kept, number, symbol), len(kept)
    for name, symbol in OF_WORDS.items():
        tables[name] = _between_words(kept, number, position, symbol), len(lemmas)
    for name, (pairs, count) in tables.items():
        data[f"{name}_starts"], data[name] = rows(pairs, count)
    return data


def _of_words(
    senses: Mapping[tuple[str, str], Sequence[int]], position: Mapping[str, int]
) -> Iterator[tuple[int, int]]:
    for (word, letter), found in senses.items():
        for one in found:
            yield position[letter + word], one


def _between_synsets(
    kept: Sequence[Synset], number: Mapping[tuple[str, int], int], symbol: str
) -> Iterator[tuple[int, int]]:
    for place, each in enumerate(kept):
        for found, target, _, _ in each.pointers:
            if found == symbol and _key(target) in number:
                yield place, number[_key(target)]


def _between_words(
    kept: Sequence[Synset], number: Mapping[tuple[str, int], int], position: Mapping[str, int], symbol: str
) -> Iterator[tuple[int, int]]:
    for each in kept:
        for found, target, own, other in each.pointers:
            if found == symbol and own and other and _key(target) in number:
                there = kept[number[_key(target)]]
                one = each.key[0] + each.words[own - 1]
                two = there.key[0] + there.words[other - 1]
                if one in position and two in position:
                    yield position[one], position[two]


def _key(target: tuple[str, int]) -> tuple[str, int]:
    return ("a" if target[0] == "s" else target[0], target[1])


def main(folder: str, output: str) -> None:
    data = built(Path(folder))
    np.savez_compressed(output, allow_pickle=False, **data)
    print(
        f"{len(data['lemmas']):,} lemmas, {len(data['fields']):,} meanings, {Path(output).stat().st_size:,} bytes"
    )


if __name__ == "__main__":
    main(*sys.argv[1:])
