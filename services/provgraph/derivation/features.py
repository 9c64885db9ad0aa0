"""What is measured of a candidate beside a question: the words it stands near, its kind, and where it was found.

All measures are about 0…1 and mean the same whatever the size of the collection.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Final

from provgraph.derivation.affinity import SAME, part_of, related, stems
from provgraph.derivation.asking import Asking, QuestionWord, role_of
from provgraph.derivation.candidates import AnswerCandidate, SentenceView
from provgraph.derivation.cues import relation_cues
from provgraph.derivation.evidence import ReadPassage, SentenceSense
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.derivation.proposals import PHRASE
from provgraph.language import wordnet
from provgraph.language.wordnet import Part
from provgraph.reading.entity_types import demonyms, gender_of_name, places, type_of_name
from provgraph.reading.propositions import Argument, Proposition
from provgraph.reading.syntax import Token
from provgraph.reading.values import Date, Quantity, dimension

_YEAR: Final = re.compile(r"1\d{3}|20\d\d")
_FADING: Final = 0.3
_RESOLVED: Final = 0.9
_TITLE: Final = 0.7


@dataclass(frozen=True)
class Place:
    """Where a word of the question is met: the token, and how nearly it says the same."""

    token: int
    affinity: float


class SentenceMeasures:
    """A sentence beside a question."""

    def __init__(self, asked: Asking, view: SentenceView, sense: SentenceSense | None) -> None:
        self.asked, self.view = asked, view
        self.sense = sense
        self.places = {word: _places(word, view) for word in asked.words}
        self._near: dict[int, tuple[float, float]] = {}

    @cached_property
    def named(self) -> float:
        """The share of the question's names that the sentence has."""
        return share_of_names(self.asked, self.view.text)

    @cached_property
    def met(self) -> dict[QuestionWord, float]:
        return {word: max((p.affinity for p in found), default=0.0) for word, found in self.places.items()}

    @cached_property
    def cover(self) -> float:
        return sum(word.weight * met for word, met in self.met.items()) / self.asked.weight

    def near(self, head: int) -> tuple[float, float]:
        """How much of the question stands near a word of the sentence; then the same, words that stand near what is
        asked counting more."""
        if head not in self._near:
            self._near[head] = self._measured(head)
        return self._near[head]

    def _measured(self, head: int) -> tuple[float, float]:
        plain = focused = whole = 0.0
        for word, found in self.places.items():
            away = ((p.affinity, max(self.view.distance(p.token, head) - 1, 0)) for p in found)
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


def _places(word: QuestionWord, view: SentenceView) -> list[Place]:
    found = [
        Place(token.index, affinity) for token in view.sentence.tokens if (affinity := _affinity(word, token))
    ]
    if found and max(p.affinity for p in found) >= SAME:
        return found
    said = stems(word.text)
    found += [Place(index, _RESOLVED) for index, name in meant(view) if not said.isdisjoint(stems(name))]
    return found


def meant(view: SentenceView) -> list[tuple[int, str]]:
    """The tokens that stand for something named elsewhere, with its name."""
    return [(c.head, c.label) for c in view.candidates if c.resolved] + list(view._possessors.items())


def _affinity(word: QuestionWord, token: Token) -> float:
    return _word_affinity(word.text, word.lemma, word.part, token.text, token.lemma, part_of(token))


@lru_cache(maxsize=262_144)
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
class Retrieved:
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
    sentence: SentenceMeasures, candidate: AnswerCandidate, retrieved: Retrieved,
    rank: int, fit: float,
) -> dict[str, float]:  # fmt: skip
    """Every measure by name. `rank` is the passage's place, from 1, `fit` how well the candidate's kind fits."""
    asked, passage = sentence.asked, candidate.passage
    near, focused = sentence.near(candidate.head)
    own = retrieved.said[passage.key]
    in_sentence = frozenset(word for word, met in sentence.met.items() if met >= _TITLE)
    chain, linked = retrieved.chains[passage.key]
    label = candidate.label
    sense = sentence.sense
    probability = min(max(sense.probability, 0.005), 0.995) if sense is not None else 0.05
    is_title = likeness(label, passage.title) >= 0.8
    titles = [p for p in retrieved.passages if p is not passage and likeness(label, p.title) >= 0.9]
    return {
        "cover": sentence.cover,
        "near": near,
        "near what is asked": focused,
        "said of it": sentence.said_of(candidate),
        "role": sentence.role_fit(candidate),
        "place with its place": float(candidate.entity_type == "Place" and ", " in label),
        "is the noun asked": float(candidate.entity_type == PHRASE and _ends_with(label, asked.noun)),
        "in the passage": retrieved.share(own - in_sentence),
        "in a linked passage": chain,
        "covered together": retrieved.share(own | (retrieved.said[linked.key] if linked else frozenset())),
        "names in the sentence": sentence.named,
        "names in the passage": retrieved.named[passage.key],
        "likeness": sense.likeness if sense is not None else 0.0,
        "sentence answers": math.log(probability / (1 - probability)) / 5,
        "rank": 1 / rank,
        "fits": float(fit > 0.9), "may fit": float(0.5 < fit <= 0.9), "hardly fits": float(0 < fit <= 0.5),
        "is title": float(is_title),
        "has a passage": float(bool(titles)),
        "is a phrase": float(candidate.entity_type == PHRASE),
        "phrase without kind": float(candidate.entity_type == PHRASE and not asked.kind),
        "resolved": float(candidate.resolved),
        "words": min(len(label.split()), 8) / 8,
        "beginning": float(candidate.span.start - candidate.sentence.start < 3),
        "part in question": _part_in_question(asked, candidate),
        "first sentence": float(bool(passage.parsed) and candidate.sentence is passage.parsed[0]),
    }  # fmt: skip


def _ends_with(label: str, noun: str) -> bool:
    return bool(noun) and noun in words_of(label)[-1:]


def share_of_names(asked: Asking, text: str) -> float:
    return sum(holds(text, name) for name in asked.names) / len(asked.names) if asked.names else 0.5


def _part_in_question(asked: Asking, candidate: AnswerCandidate) -> float:
    said = {stem for word in asked.words for stem in stems(word.text)}
    own = [stems(word) for word in words_of(candidate.label)]
    return sum(not each.isdisjoint(said) for each in own) / len(own) if own else 1.0


def answer_label(asked: Asking, candidate: AnswerCandidate) -> str:
    """The candidate as one would say it: of a date the year where that is asked for, of a name the form that its
    document goes by."""
    value = candidate.value
    by_year = isinstance(value, Date) and asked.noun == "year" and value.has_year
    if by_year and isinstance(value, Date) and value.first[0] == value.last[0]:
        return str(value.first[0])
    if value is None and candidate.entity_type in ("Person", "") and " " in candidate.label:
        title = candidate.passage.title.partition(" (")[0]
        if " " in title and likeness(candidate.label, title) >= 0.85 and len(title) < len(candidate.label):
            return title
    return candidate.label


def in_question(asked: Asking, candidate: AnswerCandidate) -> bool:
    """Whether the question names the candidate itself."""
    return _part_in_question(asked, candidate) >= 1.0 or any(
        likeness(candidate.label, name) >= 0.6 for name in asked.names
    )


def kind_fit(asked: Asking, candidate: AnswerCandidate, kinds: Mapping[str, frozenset[str]]) -> float:
    """1 where a candidate is what is asked for, 0 where it cannot be."""
    value, found = candidate.value, candidate.entity_type
    if asked.kind == "Date":
        if not isinstance(value, Date):
            return 0.0
        return 1.0 if value.has_year else 0.4
    if asked.kind == "Number":
        return _number_fit(asked, candidate)
    if isinstance(value, Date):
        return 0.3 if not asked.kind and not asked.noun else 0.0
    if value is not None:
        return 0.6 if not asked.kind and not asked.noun else 0.0
    if asked.kind == "Reason":
        return 0.6 if found == PHRASE else 0.2
    if asked.kind == "Place" and (within := _place_fit(asked, candidate)) >= 0:
        return within
    noun = _noun_fit(asked, candidate, kinds)
    return noun if noun >= 0 else _type_fit(asked, found or type_of_name(candidate.label), candidate)


_WIDE: Final = frozenset("state country province region territory nation".split())
_NARROW: Final = frozenset("city town village".split())


def _place_fit(asked: Asking, candidate: AnswerCandidate) -> float:
    """By how "Portland, Oregon" is written: the first is the town, the second what it is in; -1 where that does not
    tell."""
    if asked.noun in _NARROW and candidate.label in _countries():
        return 0.0
    if asked.noun not in _WIDE:
        return -1.0
    if ", " in candidate.label:
        return 0.0
    text, span = candidate.passage.text, candidate.span
    if text[max(span.start - 2, 0) : span.start] == ", " and candidate.label in places():
        return 1.0
    return 0.2 if text[span.end : span.end + 2] == ", " and text[span.end + 2 : span.end + 3].isupper() else -1.0


def _noun_fit(asked: Asking, candidate: AnswerCandidate, kinds: Mapping[str, frozenset[str]]) -> float:
    """By what is said of the candidate, beside the noun that is asked for; -1 where that does not tell."""
    if not asked.noun:
        return -1.0
    if asked.noun == "country":
        return 1.0 if candidate.label in _countries() else 0.8 if candidate.label in places() else 0.3
    own = words_of(candidate.label)
    said = kinds.get(" ".join(own), frozenset()) or (
        kinds.get(own[-1], frozenset()) if len(own) == 1 else frozenset()
    )
    if likeness(candidate.label, candidate.passage.title) >= 0.8:
        said = said | kinds.get(" ".join(words_of(candidate.passage.title)), frozenset())
    if own and candidate.entity_type not in ("Person", PHRASE):
        said = said | {own[-1], own[0]}
    if any(_is_one(noun, asked.noun) for noun in said):
        return 1.0
    if candidate.entity_type == PHRASE and _is_one(own[-1], asked.noun) and own[-1] != asked.noun:
        return 0.95
    return -1.0


@lru_cache(maxsize=16_384)
def _is_one(noun: str, asked: str) -> bool:
    """Whether what is a `noun` is what is asked for: an actress is a performer, a singer-songwriter a singer."""
    parts = {noun, *noun.split("-"), *(stem for stem in (noun.removesuffix("s"),) if len(stem) > 3)}
    return any(part == asked or wordnet.is_kind_of(part, asked, "n") for part in parts)


@lru_cache(maxsize=1)
def _countries() -> frozenset[str]:
    return frozenset(demonyms().values())


def _type_fit(asked: Asking, found: str, candidate: AnswerCandidate) -> float:
    if not asked.kind:
        return 0.6
    if found == asked.kind:
        return 0.95 if not asked.noun else 0.85
    if found == PHRASE:
        return 0.3
    if asked.kind == "Person" and (found in ("", "Concept") and gender_of_name(candidate.label)):
        return 0.9
    if found in ("", "Concept"):
        return 0.6
    if {found, asked.kind} <= {"Organization", "Group", "Person"} or {found, asked.kind} <= {
        "Organization",
        "Place",
        "Work",
    }:
        return 0.4
    return 0.0


def _number_fit(asked: Asking, candidate: AnswerCandidate) -> float:
    value = candidate.value
    if not isinstance(value, Quantity):
        return 0.0
    if asked.dimensions:
        return 1.0 if dimension(value.unit) in asked.dimensions else 0.1 if value.unit or value.noun else 0.3
    if asked.counted:
        noun = value.noun.casefold()
        if noun and (noun.startswith(asked.counted[:4]) or related(asked.counted, "n", noun, "n") >= 0.5):
            return 1.0
        return 0.1 if _YEAR.fullmatch(candidate.label) else 0.7 if not value.unit else 0.3
    return 0.8
