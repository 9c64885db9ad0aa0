"""Candidates of the asked type, ranked by how much of the question the words around them meet.

The way for questions whose patterns no proposition fills. Features of each candidate are measured on its sentence and
tree; their weights are fitted (benchmarks/answer_ranking.py), so that the score is the probability that it is right.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.candidates import Candidate, SentenceView
from provgraph.derivation.fitting import counts
from provgraph.derivation.hints import anchor
from provgraph.derivation.matching import type_factor
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.derivation.plan import KINDS
from provgraph.reading.questions import QuestionReading

FEATURES: Final = (
    "cover", "near", "passage cover", "names", "named bridge", "type", "rank", "together", "agreement", "title",
    "first sentence", "resolved", "of the noun", "capital", "name cover",
)  # fmt: skip


@dataclass(frozen=True)
class Ranked:
    candidate: Candidate
    features: tuple[float, ...]
    score: float = 0.0


@dataclass(frozen=True)
class Asked:
    """What of a question is looked for: `words` its content lemmas with their weights, `names` what it names,
    `bridges` what was found on the way, `expected` the type of the answer."""

    words: dict[str, float]
    names: tuple[str, ...]
    bridges: tuple[str, ...]
    expected: str
    counted: str = ""
    noun: str = ""


def asked(
    question: QuestionReading,
    lemmas: Sequence[tuple[str, str]],
    views: Sequence[SentenceView],
    bridges: Sequence[str],
) -> Asked:
    """`lemmas` are the question's words with their parts of speech; weights are rarity among the passages at hand."""
    names = tuple(dict.fromkeys(each.label for each in question.names))
    in_names = {word for name in names for word in words_of(name)}
    passages: dict[str, frozenset[str]] = {}
    for view in views:
        passages[view.passage.key] = passages.get(view.passage.key, frozenset()) | view.lemmas
    total = max(len(passages), 1)
    counts = Counter(word for lemmas_of in passages.values() for word in lemmas_of)
    words = {
        lemma: math.log(1 + (total + 1) / (counts[lemma] + 1))
        for lemma, pos in lemmas
        if pos in ("NOUN", "VERB", "ADJ", "NUM", "PROPN", "ADV")
        and lemma not in _EMPTY
        and lemma not in in_names
    }
    noun = question.answer.lemma.casefold() if question.answer is not None else ""
    noun = noun if noun not in _EMPTY and noun not in ("person", "people", "thing") else ""
    return Asked(words, names, tuple(bridges), question.expected_type, question.counted, noun)


_EMPTY: Final = frozenset("be have do make what who which when where how name many much also one".split())


def ranked(what: Asked, views: Sequence[SentenceView]) -> list[Ranked]:
    """Every candidate that may be meant, with its features; the same label once, where it stands best."""
    order = {key: rank for rank, key in enumerate(dict.fromkeys(view.passage.key for view in views))}
    covers = _passage_covers(what, views)
    found: list[Ranked] = []
    kinds = _said_kinds(what.noun, views)
    known = {word for name in what.names for word in words_of(name)}
    for view in views:
        cover = _cover(what, view)
        for candidate in view.candidates:
            fit = type_factor(what.expected, candidate.argument())
            if fit <= 0.3 or any(likeness(candidate.label, n) >= 0.8 for n in what.names):
                continue
            if not counts(what.counted, candidate.argument()):
                continue
            own = words_of(candidate.label)
            more = (
                float(own in kinds or _stands_with(view, candidate, what.noun)),
                float(candidate.value is None and candidate.label[:1].isupper()),
                sum(word in known for word in own) / (len(own) or 1),
            )
            features = (*_features(what, view, candidate, cover, covers, order[view.passage.key], fit), *more)
            found.append(Ranked(candidate, features))
    return list(_merged(found))


def _features(
    what: Asked,
    view: SentenceView,
    candidate: Candidate,
    cover: float,
    covers: dict[str, float],
    rank: int,
    fit: float,
) -> tuple[float, ...]:
    total = sum(what.words.values()) or 1.0
    places = {t.lemma.casefold(): t.index for t in view.sentence.tokens if t.lemma.casefold() in what.words}
    near = (
        sum(
            what.words[lemma] / (1 + 0.35 * max(view.distance(candidate.head, index) - 1, 0))
            for lemma, index in places.items()
            if index != candidate.head
        )
        / total
    )
    names = [anchor(view, name) for name in what.names]
    bridged = max((anchor(view, name) for name in what.bridges), default=0.0)
    together = any(
        p.lemma in what.words
        and any(a is not None and a.label == candidate.label for a in (p.subject, p.object, *p.arguments))
        for p in view.propositions
    )
    about = likeness(candidate.label, view.passage.title) >= 0.85
    return (
        cover,
        near,
        covers.get(view.passage.key, 0.0),
        sum(names) / len(names) if names else 0.0,
        bridged,
        fit,
        1 / (1 + rank),
        float(together),
        0.0,
        float(about),
        float(view.sentence.start <= 1),
        float(candidate.resolved),
    )


def _said_kinds(noun: str, views: Sequence[SentenceView]) -> set[tuple[str, ...]]:
    """The names of which a sentence says that they are what the noun says."""
    if not noun:
        return set()
    return {
        words_of(p.subject.label)
        for view in views
        for p in view.propositions
        if p.relation in KINDS
        and p.object is not None
        and noun in (p.object.lemma.casefold(), *p.object.modifiers)
    }


def _stands_with(view: SentenceView, candidate: Candidate, noun: str) -> bool:
    """ "the Nile river", "the river Nile"."""
    if not noun:
        return False
    text = view.passage.text
    before = text[max(candidate.span.start - len(noun) - 2, 0) : candidate.span.start].casefold().split()
    behind = text[candidate.span.end : candidate.span.end + len(noun) + 2].casefold().split()
    return (
        noun in before[-1:]
        or noun in [word.strip(".,;:") for word in behind[:1]]
        or noun in words_of(candidate.label)
    )


def _cover(what: Asked, view: SentenceView) -> float:
    total = sum(what.words.values()) or 1.0
    return sum(weight for lemma, weight in what.words.items() if lemma in view.lemmas) / total


def _passage_covers(what: Asked, views: Sequence[SentenceView]) -> dict[str, float]:
    total = sum(what.words.values()) or 1.0
    lemmas: dict[str, frozenset[str]] = {}
    for view in views:
        lemmas[view.passage.key] = lemmas.get(view.passage.key, frozenset()) | view.lemmas
    return {
        key: sum(w for lemma, w in what.words.items() if lemma in of) / total for key, of in lemmas.items()
    }


def _merged(found: Sequence[Ranked]) -> Iterator[Ranked]:
    groups: dict[tuple[str, ...], list[Ranked]] = {}
    for each in found:
        groups.setdefault(words_of(each.candidate.label), []).append(each)
    for group in groups.values():
        passages = len({each.candidate.passage.key for each in group})
        best = max(
            group,
            key=lambda each: each.features[0] + 2 * each.features[1] + each.features[3] + each.features[4],
        )
        features = (*best.features[:8], math.log(passages), *best.features[9:])
        yield Ranked(best.candidate, features)


def bridge_names(what: Asked, views: Sequence[SentenceView], most: int = 4) -> list[str]:
    """The names that stand with those of the question, in the sentences that meet most of it: where a second look may
    lead."""
    scored: dict[tuple[str, ...], tuple[float, str]] = {}
    for view in views:
        anchored = max((anchor(view, name) for name in what.names), default=0.5 if not what.names else 0.0)
        if anchored <= 0:
            continue
        cover = _cover(what, view)
        names = [c.label for c in view.candidates if c.value is None]
        if likeness(view.passage.title, "") == 0.0 and view.passage.title:
            names.append(view.passage.title)
        for name in names:
            if any(likeness(name, known) >= 0.8 for known in what.names) or len(name) < 3:
                continue
            key, score = words_of(name), anchored * (0.2 + cover)
            if score > scored.get(key, (0.0, ""))[0]:
                scored[key] = (score, name)
    return [name for _, name in sorted(scored.values(), reverse=True)[:most]]


def mentions(view: SentenceView, name: str) -> bool:
    return holds(view.text, name)
