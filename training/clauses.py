"""Statements taken apart: a verb, and what depends on it as pieces that are one subtree each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import silver


@dataclass(frozen=True)
class Piece:
    """Part of a sentence that is one subtree: `top` is its uppermost word, whose head stands outside."""

    words: tuple[str, ...]
    tags: tuple[str, ...]
    heads: tuple[int, ...]
    relations: tuple[str, ...]
    entities: tuple[str, ...]

    @property
    def top(self) -> int:
        return self.heads.index(-1)


@dataclass(frozen=True)
class Clause:
    """A statement taken apart: its verb, and what depends on it, each with its relation."""

    document: str
    source: str
    verb: str
    tag: str
    lemma: str
    subject: Piece
    passive: bool
    auxiliary: tuple[str, str] | None
    after: tuple[tuple[Piece, str], ...]

    def of(self, *relations: str) -> list[tuple[Piece, str]]:
        return [(piece, relation) for piece, relation in self.after if relation in relations]

    def without(self, dropped: Piece | None) -> list[tuple[Piece, str]]:
        return [(piece, relation) for piece, relation in self.after if piece is not dropped]


def word(text: str, tag: str) -> Piece:
    return Piece((text,), (tag,), (-1,), ("",), ("",))


def joined(parts: Sequence[tuple[Piece, str, int]]) -> Piece:
    """Pieces in order, each with its relation to the top of the piece at an index; -1 for the uppermost."""
    starts = [sum(len(piece.words) for piece, _, _ in parts[:place]) for place in range(len(parts))]
    tops = [start + piece.top for start, (piece, _, _) in zip(starts, parts, strict=True)]
    heads, relations = [], []
    for start, (piece, relation, anchor) in zip(starts, parts, strict=True):
        for head, own in zip(piece.heads, piece.relations, strict=True):
            outside = head < 0
            heads.append((tops[anchor] if anchor >= 0 else -1) if outside else start + head)
            relations.append(relation if outside else own)
    return Piece(
        tuple(w for piece, _, _ in parts for w in piece.words),
        tuple(t for piece, _, _ in parts for t in piece.tags),
        tuple(heads),
        tuple(relations),
        tuple(e for piece, _, _ in parts for e in piece.entities),
    )


def subtree(sentence: silver.Sentence, top: int, longest: int) -> Piece | None:
    """The subtree of a word where it is one run of words without marks at its ends."""
    inside = {top}
    for _ in range(8):
        inside |= {i for i, head in enumerate(sentence.heads) if head in inside}
    first, last = min(inside), max(inside)
    if last - first + 1 != len(inside) or len(inside) > longest:
        return None
    if "punct" in (sentence.relations[first], sentence.relations[last]):
        return None
    words = list(sentence.words[first : last + 1])
    if first == 0 and not sentence.tags[0].startswith("NNP") and words[0] != "I":
        words[0] = words[0].lower()
    entities = list(sentence.entities[first : last + 1])
    if entities[0].startswith("I-"):
        return None
    return Piece(
        tuple(words),
        sentence.tags[first : last + 1],
        tuple(-1 if i == top else sentence.heads[i] - first for i in range(first, last + 1)),
        sentence.relations[first : last + 1],
        tuple(entities),
    )


def clause_of(sentence: silver.Sentence, lemmas: Sequence[str]) -> Clause | None:
    root = sentence.heads.index(-1)
    if not sentence.tags[root].startswith("VB") or sentence.words[-1] == "?":
        return None
    own = [i for i, head in enumerate(sentence.heads) if head == root]
    subjects = [i for i in own if sentence.relations[i] in {"nsubj", "nsubj:pass"} and i < root]
    helpers = [i for i in own if sentence.relations[i].startswith("aux")]
    if len(subjects) != 1 or len(helpers) > 1 or any(sentence.relations[i] == "cop" for i in own):
        return None
    passive = sentence.relations[subjects[0]] == "nsubj:pass"
    if passive != bool(helpers) or (
        passive and sentence.words[helpers[0]].lower() not in {"is", "was", "are", "were"}
    ):
        return None
    if not passive and sentence.tags[root] not in {"VBD", "VBZ", "VBP"}:
        return None
    subject = subtree(sentence, subjects[0], 9)
    after = []
    for i in own:
        if i > root and sentence.relations[i] in {
            "obj",
            "obl",
            "obl:agent",
            "obl:tmod",
            "compound:prt",
            "xcomp",
        }:
            piece = subtree(sentence, i, 10)
            if piece is not None:
                after.append((piece, sentence.relations[i]))
    if subject is None or subject.tags[0] in {"WP", "WDT", "EX"}:
        return None
    auxiliary = (sentence.words[helpers[0]].lower(), sentence.tags[helpers[0]]) if helpers else None
    return Clause(
        sentence.document, sentence.source, sentence.words[root], sentence.tags[root], lemmas[root], subject, passive,
        auxiliary, tuple(after[:3]),
    )  # fmt: skip


def names_of(sentences: Sequence[silver.Sentence]) -> list[Piece]:
    """Short noun phrases with a name in them."""
    names = []
    for sentence in sentences:
        for index, relation in enumerate(sentence.relations):
            if (
                sentence.source != "pdf"
                and relation in {"nsubj", "obj", "nmod", "obl:agent", "nsubj:pass"}
                and sentence.entities[index]
            ):
                piece = subtree(sentence, index, 6)
                if piece is not None and "case" in piece.relations:
                    at = piece.relations.index("case")
                    bare = at == 0 and piece.heads[0] == piece.top and piece.relations.count("case") == 1
                    piece = _behind(piece) if bare else None
                if piece is not None and piece.tags[piece.top].startswith("NNP"):
                    names.append(piece)
    return names


def _behind(piece: Piece) -> Piece:
    heads = tuple(head - 1 if head > 0 else head for head in piece.heads[1:])
    return Piece(piece.words[1:], piece.tags[1:], heads, piece.relations[1:], piece.entities[1:])
