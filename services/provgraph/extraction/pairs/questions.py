"""Statements → questions that they answer, by rules: the words of the statement, turned round."""

from __future__ import annotations

from typing import Final

from provgraph.extraction.pairs.statements import PairStatement
from provgraph.language.concepts import concepts
from provgraph.provenance.source import Pair

_AUXILIARY: Final = frozenset(
    "shall must may can could will would should might is are was were has had have does do did cannot".split()
)
_MOST: Final = 1_000


def statement_pair(said: PairStatement, clause: str) -> Pair:
    """Asked for the object where an auxiliary can go first ("What shall the Supplier deliver?"), else for the subject
    ("What discovered polonium?"); a definition is asked for what the word means."""
    subject, object_ = said.subject.label, said.object
    if said.whole:
        place = f" in clause {clause}" if clause else ""
        return _pair(f"What is said of {subject}{place}?", said.whole, clause)
    first, _, rest = said.relation.partition(" ")
    if said.relation in ("means", "mean"):
        return _pair(f"What does {subject} mean?", object_, clause)
    if first in _AUXILIARY and rest:
        return _pair(f"What {first} {subject} {rest}?", object_, clause)
    if first in _AUXILIARY:
        asking = "Who" if said.subject.type == "Person" else "What"
        return _pair(f"{asking} {first} {subject}?", object_, clause)
    asking = "Who" if said.subject.type in ("Person", "Organization") else "What"
    return _pair(f"{asking} {said.relation} {object_}?", subject, clause)


def sentence_pair(about: str, clause: str, words: str) -> Pair:
    """What a clause, or a part of a document, says where no statement was read in a sentence of it."""
    return _pair(f"What does {about or 'the text'} say of {_topic(words)}?", words, clause)


def _topic(words: str) -> str:
    return next(iter(concepts(words)), "this")


def heading_pair(clause: str, words: str) -> Pair:
    return _pair(f"What is clause {clause} about?", words, clause)


def _pair(question: str, answer: str, clause: str) -> Pair:
    return Pair(question[:_MOST], answer[:_MOST], clause)
