"""What is measured of a candidate beside a question: the words it stands near, its kind, and where it was found.

All measures are about 0…1 and mean the same whatever the size of the collection.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from provgraph.derivation.affinity import SAME, part_of, related, stems
from provgraph.derivation.asking import Asking, QuestionWord, role_of
from provgraph.derivation.candidates import AnswerCandidate, SentenceView
from provgraph.derivation.cues import relation_cues
from provgraph.derivation.evidence import ReadPassage, SentenceLikelihood
from provgraph.derivation.kind_fit import part_in_question
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.derivation.proposals import PHRASE
from provgraph.language import wordnet
from provgraph.language.wordnet import Part
from provgraph.reading.propositions import Argument, Proposition

_FADING: Final = 0.3
_RESOLVED: Final = 0.9
_TITLE: Final = 0.7
_AS_TITLE: Final = 0.9


@dataclass(frozen=True)
class WordPlace:
    """Where a word of the question is met: the token, and how nearly it says the same."""

    token: int
    affinity: float


class SentenceMeasures:
    """A sentence beside a question."""

    def __init__(self, asked: Asking, view: SentenceView, sense: SentenceLikelihood | None) -> None:
        self.asked, self.view = asked, view
        self.sense = sense
        self._tokens = [
            (token.index, token.text, token.lemma, part_of(token)) for token in view.sentence.tokens
        ]
        self.places = {word: self._places(word) for word in asked.words}
        self._near: dict[int, tuple[float, float]] = {}

    def _places(self, word: QuestionWord) -> list[WordPlace]:
        places = [
            WordPlace(index, affinity)
            for index, text, lemma, part in self._tokens
            if (affinity := _word_affinity(word.text, word.lemma, word.part, text, lemma, part))
        ]
        if places and max(p.affinity for p in places) >= SAME:
            return places
        said = stems(word.text)
        places += [WordPlace(index, _RESOLVED) for index, named in self._meant if not said.isdisjoint(named)]
        if not places and word.part is None and not said.isdisjoint(self._stems_before):
            resolved = {index for index, _ in self._meant}
            places = [
                WordPlace(index, _MAY_MEAN)
                for index, text, _, _ in self._tokens
                if text.casefold() in _STANDING and index not in resolved
            ]
        return places

    @cached_property
    def _meant(self) -> list[tuple[int, frozenset[str]]]:
        """The tokens that stand for something named elsewhere, with the stems of its name."""
        return [(index, stems(name)) for index, name in meant(self.view)]

    @cached_property
    def _stems_before(self) -> frozenset[str]:
        return stems(_before(self.view))

    @cached_property
    def named(self) -> float:
        """The share of the question's names that the sentence has."""
        return share_of_names(self.asked, self.view.text)

    @cached_property
    def named_before(self) -> float:
        """The share of the question's names that stand before the sentence, and over it."""
        return share_of_names(self.asked, _before(self.view))

    @cached_property
    def well_met(self) -> frozenset[QuestionWord]:
        """The words of the question that the sentence has, or nearly says."""
        return frozenset(word for word, met in self.met.items() if met >= _TITLE)

    @cached_property
    def met(self) -> dict[QuestionWord, float]:
        return {word: max((p.affinity for p in found), default=0.0) for word, found in self.places.items()}

    @cached_property
    def cover(self) -> float:
        return sum(word.weight * met for word, met in self.met.items()) / self.asked.weight

    @cached_property
    def cover_beyond_title(self) -> float:
        """The same of the words that the title of the passage has not: each sentence under it is about these."""
        above = stems(self.view.passage.title)
        open_words = [word for word in self.asked.words if stems(word.text).isdisjoint(above)]
        weight = sum(word.weight for word in open_words)
        return sum(word.weight * self.met[word] for word in open_words) / weight if weight else 1.0

    def near(self, head: int) -> tuple[float, float]:
        """How much of the question stands near a word of the sentence; then the same, words that stand near what is
        asked counting more."""
        if head not in self._near:
            self._near[head] = self._measured(head)
        return self._near[head]

    def _measured(self, head: int) -> tuple[float, float]:
        plain = focused = whole = 0.0
        for word, places in self.places.items():
            away = ((p.affinity, max(self.view.distance(p.token, head) - 1, 0)) for p in places)
            best = max((affinity / (1 + _FADING * steps) for affinity, steps in away), default=0.0)
            plain += word.weight * best
            focused += word.weight * word.nearness * best
            whole += word.weight * word.nearness
        return plain / self.asked.weight, focused / (whole or 1.0)

    def said_of(self, candidate: AnswerCandidate) -> float:
        """How much of what is asked the propositions say that the candidate has a part in, at best of one."""
        best = 0.0
        for proposition in self.view.propositions:
            parts = [
                a for a in (proposition.subject, proposition.object, *proposition.arguments) if a is not None
            ]
            if not proposition.polarity or not any(_is_part(candidate, part) for part in parts):
                continue
            said = _stems_of(" ".join(part.label for part in parts if not _is_part(candidate, part)))
            cues = _cues(proposition)
            got = sum(
                word.weight * word.nearness * (1.0 if stems(word.text) & said else _speaks(word, cues))
                for word in self.asked.words
            )
            best = max(best, got)
        return best / (sum(word.weight * word.nearness for word in self.asked.words) or 1.0)

    def role_fit(self, candidate: AnswerCandidate) -> float:
        """1 where the candidate stands to a word like that which the open phrase hangs on as this does; -1 where it
        stands to it in another way; 0 where it hangs on another."""
        governor, role = role_of(self.view.sentence, self.view.sentence.tokens[candidate.head])
        if not governor or not self.asked.governor:
            return 0.0
        alike = (
            governor == self.asked.governor
            or max((related(self.asked.governor, part, governor, part) for part in ("v", "n")), default=0.0)
            >= _TITLE
        )
        return 0.0 if not alike else 1.0 if role == self.asked.role else -1.0


def _is_part(candidate: AnswerCandidate, argument: Argument) -> bool:
    span = argument.span
    return (span.start <= candidate.span.start and candidate.span.end <= span.end) or (
        candidate.span.start <= span.start and span.end <= candidate.span.end
    )


@lru_cache(maxsize=16_384)
def _stems_of(text: str) -> frozenset[str]:
    return stems(text)


def _cues(proposition: Proposition) -> frozenset[str]:
    return relation_cues(proposition.relation) | {proposition.lemma}


def _speaks(word: QuestionWord, cues: frozenset[str]) -> float:
    if word.lemma in cues or word.text in cues:
        return 1.0
    return 0.0


_STANDING: Final = frozenset("he she it they him her them his its their".split())
_MAY_MEAN: Final = 0.6
"""What a pronoun counts of which nothing tells what it stands for, where the name stands before it."""
_BACK: Final = 250


def _before(view: SentenceView) -> str:
    """What stands before a sentence, and over it."""
    start = view.sentence.start
    return f"{view.passage.title}\n{view.passage.text[max(start - _BACK, 0) : start]}"


def meant(view: SentenceView) -> list[tuple[int, str]]:
    """The tokens that stand for something named elsewhere, with its name."""
    return [(c.head, c.label) for c in view.candidates if c.resolved] + list(view._possessors.items())


@lru_cache(maxsize=16_384)
def _word_affinity(
    asked: str, asked_lemma: str, asked_part: Part | None, text: str, lemma: str, part: Part | None
) -> float:
    text = text.casefold()
    if text == asked or not stems(asked).isdisjoint(stems(text)):
        return SAME
    if asked_part is None or part is None:
        return 0.0
    return related(asked_lemma, asked_part, lemma.casefold(), part)


@dataclass(frozen=True)
class LinkedPassages:
    """The passages that are looked at, what each covers of the question, and which of them speak of each other."""

    asked: Asking
    passages: Sequence[ReadPassage]

    @cached_property
    def said(self) -> dict[str, frozenset[QuestionWord]]:
        """By passage, the words of the question that its text or title has."""
        return {p.key: words_met(self.asked.words, f"{p.title}\n{p.text}") for p in self.passages}

    @cached_property
    def named(self) -> dict[str, float]:
        """By passage, the share of the question's names that it has."""
        return {p.key: share_of_names(self.asked, f"{p.title}\n{p.text}") for p in self.passages}

    @cached_property
    def chains(self) -> dict[str, tuple[float, ReadPassage | None]]:
        return {p.key: self._chain(p) for p in self.passages}

    @cached_property
    def links(self) -> dict[str, list[ReadPassage]]:
        """By passage, the others whose title it names, or that name its title."""
        named = {p.key: [o for o in self.passages if o is not p and _names(p, o)] for p in self.passages}
        return {
            p.key: [o for o in self.passages if o in named[p.key] or p in named[o.key]] for p in self.passages
        }

    def titled(self, name: str) -> list[ReadPassage]:
        """The passages whose title is that name."""
        if name not in self._titled:
            self._titled[name] = [p for p in self.passages if likeness(name, p.title) >= _AS_TITLE]
        return self._titled[name]

    @cached_property
    def _titled(self) -> dict[str, list[ReadPassage]]:
        return {}

    def share(self, words: frozenset[QuestionWord]) -> float:
        return sum(word.weight for word in words) / self.asked.weight

    def _chain(self, passage: ReadPassage) -> tuple[float, ReadPassage | None]:
        """What a linked passage adds to the words that this one covers, at best; and which."""
        own = self.said[passage.key]
        added = [(self.share(self.said[o.key] - own), o) for o in self.links[passage.key]]
        return max(added, key=lambda each: each[0], default=(0.0, None))


def _names(one: ReadPassage, other: ReadPassage) -> bool:
    return bool(other.title) and len(other.title) > 3 and _holds(one.text, other.title)


@lru_cache(maxsize=32_768)
def _holds(text: str, name: str) -> bool:
    bare = name.partition(" (")[0]
    return bare in text


@lru_cache(maxsize=8_192)
def words_met(words: tuple[QuestionWord, ...], text: str) -> frozenset[QuestionWord]:
    """Those of the question's words that a text has, in any form."""
    said = stems(text)
    return frozenset(word for word in words if not stems(word.text).isdisjoint(said))


def measures(
    sentence: SentenceMeasures, candidate: AnswerCandidate, retrieved: LinkedPassages,
    rank: int, fit: float, rivals: int,
) -> dict[str, float]:  # fmt: skip
    """Every measure by name. `rank` is the passage's place, from 1, `fit` how well the candidate's kind fits, `rivals`
    how many others of its sentence fit as well."""
    asked, passage = sentence.asked, candidate.passage
    near, focused = sentence.near(candidate.head)
    own = retrieved.said[passage.key]
    chain, linked = retrieved.chains[passage.key]
    label = candidate.label
    sense = sentence.sense
    probability = min(max(sense.probability, 0.005), 0.995) if sense is not None else 0.05
    is_title = likeness(label, passage.title) >= 0.8
    titled = any(p is not passage for p in retrieved.titled(label))
    return {
        "cover": sentence.cover,
        "cover beyond the title": sentence.cover_beyond_title,
        "alone of its kind": 1 / (1 + rivals),
        "near": near,
        "near what is asked": focused,
        "said of it": sentence.said_of(candidate),
        "role": sentence.role_fit(candidate),
        "place with its place": float(candidate.entity_type == "Place" and ", " in label),
        "is the noun asked": float(candidate.entity_type == PHRASE and _ends_with(label, asked.noun)),
        "in the passage": retrieved.share(own - sentence.well_met),
        "in a linked passage": chain,
        "covered together": retrieved.share(own | (retrieved.said[linked.key] if linked else frozenset())),
        "names in the sentence": sentence.named,
        "names in the passage": retrieved.named[passage.key],
        "names just before": sentence.named_before,
        "likeness": sense.likeness if sense is not None else 0.0,
        "sentence answers": math.log(probability / (1 - probability)) / 5,
        "rank": 1 / rank,
        "fits": float(fit > 0.9), "may fit": float(0.5 < fit <= 0.9), "hardly fits": float(0 < fit <= 0.5),
        "is title": float(is_title),
        "has a passage": float(titled),
        "is a phrase": float(candidate.entity_type == PHRASE),
        "phrase without kind": float(candidate.entity_type == PHRASE and not asked.kind),
        "resolved": float(candidate.resolved),
        "is a common word": float(_is_common(candidate)),
        "words": min(len(label.split()), 8) / 8,
        "beginning": float(candidate.span.start - candidate.sentence.start < 3),
        "part in question": part_in_question(asked, candidate),
        "first sentence": float(bool(passage.parsed) and candidate.sentence is passage.parsed[0]),
    }  # fmt: skip


def _is_common(candidate: AnswerCandidate) -> bool:
    """Whether a name of one word is a noun of the language, as a part that contracts give to somebody is: "Client"."""
    if candidate.value is not None or " " in candidate.label or not candidate.label[:1].isupper():
        return False
    return bool(wordnet.fields(candidate.label.casefold(), "n", 1)) and candidate.entity_type != "Place"


def _ends_with(label: str, noun: str) -> bool:
    return bool(noun) and noun in words_of(label)[-1:]


def share_of_names(asked: Asking, text: str) -> float:
    return sum(holds(text, name) for name in asked.names) / len(asked.names) if asked.names else 0.5
