"""English sentences parsed by the network that comes with the package: no download, nothing to install.

The weights are loaded once a process, with the first sentence. What a sentence is parsed to depends on its words alone,
not on the sentences beside it.
"""

from __future__ import annotations

import re
import threading
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources
from itertools import pairwise
from typing import Final

import numpy as np

from provgraph.reading.parser.blas import one_thread
from provgraph.reading.parser.decoding import Integers, probabilities, trees
from provgraph.reading.parser.lemmas import lemma
from provgraph.reading.parser.network import Floats, ParserNetwork, Scores
from provgraph.reading.parser.subjects import with_subjects
from provgraph.reading.parser.tags import universal_pos
from provgraph.reading.parser.tokens import DESIGNATION, word_spans
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.tree_repairs import repaired

VERSION: Final = "1"
WORDS_A_BATCH: Final = 1_000
LONGEST: Final = 120
"""Words that are parsed as one. A longer sentence is parsed in parts, as the time of one grows with its square."""

_VERBS: Final = frozenset(("VB", "VBD", "VBZ", "VBP", "MD"))
_NOUNS: Final = frozenset(("NN", "NNS", "NNP", "NNPS", "PRP"))
_DESIGNATION: Final = re.compile(DESIGNATION)
_loading: Final = threading.Lock()


@dataclass(frozen=True)
class _Part:
    """A sentence, or as much of it as is parsed at once."""

    sentence: int
    words: tuple[str, ...]
    first: int


@dataclass(frozen=True)
class _Reading:
    """Labels of each word of a part; `heads` count within the part. `certainties` are of head and relation together."""

    tags: list[str]
    heads: list[int]
    relations: list[str]
    entities: list[str]
    certainties: list[float]


class BuiltInParser:
    """Implements `reading.syntax.Parser` for English; instances are free, and share one network."""

    @property
    def name(self) -> str:
        return f"provgraph/english-{VERSION}"

    @property
    def language(self) -> str:
        return "en"

    def parse(self, text: str, sentences: Sequence[tuple[int, int]]) -> list[ParsedSentence]:
        return self.parse_all([(text, span) for span in sentences])

    def parse_all(self, sentences: Sequence[tuple[str, tuple[int, int]]]) -> list[ParsedSentence]:
        spans = [word_spans(text, start, end) for text, (start, end) in sentences]
        words = [
            tuple(text[start:end] for start, end in own)
            for (text, _), own in zip(sentences, spans, strict=True)
        ]
        parts = [part for index, own in enumerate(words) for part in _parts(index, own)]
        found = _joined(parts, spans)
        clauses = [part for index, tokens in enumerate(found) for part in _clauses(index, tokens)]
        again = _joined(clauses, spans)
        found = [tokens or first for tokens, first in zip(again, found, strict=True)]
        return [
            repaired(ParsedSentence(tuple(with_subjects(tokens)), start, end))
            for tokens, (_, (start, end)) in zip(found, sentences, strict=True)
        ]


def _joined(parts: Sequence[_Part], spans: Sequence[list[tuple[int, int]]]) -> list[list[Token]]:
    """The words of each sentence, its parts read one by one and joined; none of a sentence that has no part."""
    found: list[list[Token]] = [[] for _ in spans]
    if not parts:
        return found
    with one_thread():
        readings = _read(parts)
    for part, reading in zip(parts, readings, strict=True):
        tokens = found[part.sentence]
        root = [token for token in tokens[:LONGEST] if token.head < 0]
        tokens.extend(_tokens(part, spans[part.sentence], reading, root))
    return found


def _clauses(sentence: int, tokens: Sequence[Token]) -> Iterator[_Part]:
    """The clauses between semicolons, each with a subject and a verb of its own: read as one, the parser takes the
    subject of one for that of another. None where there are none."""
    ends = [token.index + 1 for token in tokens if token.text == ";"]
    bounds = list(pairwise([0, *ends, len(tokens)])) if ends and len(tokens) <= LONGEST else []
    if bounds and all(_is_clause(tokens[first:end]) for first, end in bounds):
        for first, end in bounds:
            yield _Part(sentence, tuple(token.text for token in tokens[first:end]), first)


def _is_clause(tokens: Sequence[Token]) -> bool:
    """Whether they have a verb, and a subject or a noun before it that the whole may hang elsewhere: "Its chair is Ada
    Holm; the treasurer, Jon Feld, has left"."""
    verb = next((place for place, token in enumerate(tokens) if token.tag in _VERBS), 0)
    has_subject = any(token.relation.startswith(("nsubj", "expl")) for token in tokens)
    return verb > 0 and (has_subject or any(token.tag in _NOUNS for token in tokens[:verb]))


def _parts(sentence: int, words: tuple[str, ...]) -> Iterator[_Part]:
    for first in range(0, len(words), LONGEST):
        yield _Part(sentence, words[first : first + LONGEST], first)


def _read(parts: Sequence[_Part]) -> list[_Reading]:
    """Readings in the order of `parts`, computed in batches of parts of about one length."""
    readings: dict[int, _Reading] = {}
    for batch in _batches([len(part.words) for part in parts]):
        found = _read_batch([parts[index].words for index in batch])
        readings.update(zip(batch, found, strict=True))
    return [readings[index] for index in range(len(parts))]


def _batches(lengths: Sequence[int]) -> Iterator[list[int]]:
    batch: list[int] = []
    for index in sorted(range(len(lengths)), key=lengths.__getitem__):
        if batch and (len(batch) + 1) * lengths[index] > WORDS_A_BATCH:
            yield batch
            batch = []
        batch.append(index)
    if batch:
        yield batch


def _read_batch(sentences: list[tuple[str, ...]]) -> Iterator[_Reading]:
    network = _network()
    scores = network.scores(sentences)
    heads = trees(scores.arcs, scores.layout.lengths)[scores.layout.inside]
    tags, entities = _named(network.tags, scores.tags), _named(network.entities, scores.entities)
    labelled = _relation_scores(network, scores, heads)
    relations = _named(network.relations, labelled)
    arcs = scores.arcs[scores.layout.inside]
    certainties = probabilities(labelled, labelled.argmax(axis=-1))
    certainties *= probabilities(arcs, heads + 1, _same_group(heads, relations, scores.layout.places))
    end = 0
    for words in sentences:
        start, end = end, end + len(words)
        yield _Reading(
            tags[start:end],
            heads[start:end].tolist(),
            relations[start:end],
            _spans(entities[start:end]),
            certainties[start:end].tolist(),
        )


def _same_group(heads: Integers, relations: list[str], places: Integers) -> dict[int, list[int]]:
    """Of each conjunct (row) the columns of the arcs to those before it in its group: to hang on any says the same."""
    groups: dict[tuple[int, int], list[int]] = {}
    columns: dict[int, list[int]] = {}
    for row, relation in enumerate(relations):
        if relation == "conj":
            place = int(places[row])
            members = groups.setdefault((row - place, int(heads[row])), [int(heads[row]) + 1])
            columns[row] = list(members)
            members.append(place + 1)
    return columns


def _named(labels: Sequence[str], scores: Floats) -> list[str]:
    return [labels[index] for index in scores.argmax(axis=-1).tolist()]


def _relation_scores(network: ParserNetwork, scores: Scores, heads: Integers) -> Floats:
    """With "root" for the root, and for nothing else."""
    relation_scores = network.relation_scores(scores, np.maximum(heads, 0))
    relation_scores[:, network.relations.index("root")] = np.where(heads < 0, np.inf, -np.inf)
    return relation_scores


def _spans(entities: list[str]) -> list[str]:
    """An entity begins with "B-" and goes on with "I-" of its own class."""
    for place, (before, label) in enumerate(pairwise(["", *entities])):
        if label.startswith("I-") and before[2:] != label[2:]:
            entities[place] = "B-" + label[2:] if not before else "I-" + entities[place - 1][2:]
    return entities


def _tokens(
    part: _Part, spans: list[tuple[int, int]], reading: _Reading, root: list[Token]
) -> Iterator[Token]:
    """`root` holds the root of the sentence's first part where there is one: later parts hang on it."""
    first = part.first
    rows = zip(
        part.words, reading.tags, reading.heads, reading.relations, reading.entities, reading.certainties,
        strict=True,
    )  # fmt: skip
    for place, (word, tag, head, relation, entity, certainty) in enumerate(rows, first):
        start, end = spans[place]
        if _DESIGNATION.fullmatch(word):
            tag = "NNP"
        pos = universal_pos(tag, relation, word.lower())
        if head >= 0:
            head += first
        elif root:
            head, relation, certainty = root[0].index, "parataxis", 0.0
        yield Token(
            place, word, start, end, lemma(word, tag, pos), pos, tag, head, relation, entity, certainty
        )


def _network() -> ParserNetwork:
    with _loading:
        return _loaded()


@cache
def _loaded() -> ParserNetwork:
    with resources.files(__package__).joinpath("weights.npz").open("rb") as file, np.load(file) as arrays:
        return ParserNetwork(dict(arrays))
