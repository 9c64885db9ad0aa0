"""The words that say a relation, so that a sentence can be known to speak of it where its proposition was not read."""

from __future__ import annotations

from collections.abc import Set
from functools import lru_cache
from typing import Final

from provgraph.reading.propositions import Proposition
from provgraph.reading.relations import vocabulary

_EMPTY: Final = frozenset(
    "be is are was were been being have has had do does did make get go take give come say know call become "
    "use in on at of to for from by with as a an the who what "
    "which when where how many much that and or its his her their".split()
)


@lru_cache(maxsize=4096)
def relation_cues(relation: str) -> frozenset[str]:
    """Lemmas that say a relation of the vocabulary, or one that implies it."""
    known = vocabulary()
    if relation not in known:
        return frozenset(word for word in relation.split() if word not in _EMPTY)
    ids = {relation, known.inverse_of(relation)} | {
        other for other in known.relations if relation in known.implied(other)
    }
    words = {
        trigger.lemma
        for each in ids
        if each in known
        for trigger in known[each].triggers
        if trigger.lemma not in _EMPTY
    }
    return frozenset(words) | _MORE.get(relation, frozenset())


_MORE: Final[dict[str, frozenset[str]]] = {
    "length": frozenset({"run", "running", "last", "duration"}), "duration": frozenset({"run", "running", "long"}),
    "release-date": frozenset({"premiere", "open", "come"}), "cost": frozenset({"spend", "pay"}),
    "origin": frozenset({"come", "from"}), "capital-of": frozenset({"capital"}), "spouse": frozenset({"couple"}),
    "wife": frozenset({"marry", "marriage", "spouse", "widow", "remarry", "wed"}),
    "husband": frozenset({"marry", "marriage", "spouse", "widower", "remarry", "wed"}),
}  # fmt: skip
"""Further words that speak of a relation without saying it by themselves."""


EVENTS: Final = frozenset(
    "born-in-place born-on-date died-in-place died-on-date cause-of-death killed-by buried-in spouse wife husband "
    "divorced founded-by founded-on-date founded-in-place dissolved-on-date acquired-by sold-to merged-with "
    "discovered-by invented-by invented-on-date built-on-date builder won defeated award-received graduated-from "
    "moved-to nominated-for start-time end-time".split()
)
"""Relations of what happens once: who or when is only told by a sentence that speaks of it."""
_START: Final = 4


def has_word_of(cues: Set[str], lemmas: Set[str]) -> bool:
    """Whether a sentence with these lemmas has one of the words, each part of it, or one that begins as it does."""
    starts = tuple(cue[:_START] for cue in cues if len(cue) > _START and " " not in cue)
    return (
        not cues.isdisjoint(lemmas)
        or bool(starts and any(lemma.startswith(starts) for lemma in lemmas))
        or any(lemmas >= set(cue.split()) for cue in cues if " " in cue)
    )


def pattern_cues(proposition: Proposition) -> frozenset[str]:
    """The words that say what a proposition of the question asks; not the names that stand between them."""
    words = {proposition.lemma} if proposition.lemma else set()
    if not proposition.canonical:
        arguments = [
            argument
            for argument in (proposition.subject, proposition.object, *proposition.arguments)
            if argument
        ]
        of_arguments = {word for argument in arguments for word in argument.span.text.casefold().split()}
        words |= {word for word in proposition.predicate.text.casefold().split() if word not in of_arguments}
    return relation_cues(proposition.relation) | {word for word in words if word not in _EMPTY}
