"""Which sentence answers a question, and how surely: words, names, sense, kind and place weighed together.

Pure: values in, values out. Sentences are ordered by a weighted sum (fitted as ListNet: Cao et al. 2007, "Learning to
Rank", section 4), and how likely the first answers is told by a logistic regression over it and its lead, both fitted
by `benchmarks/sentence_weights.py` on questions whose answers are known. The probability means the same whatever the
size of the collection: there is no answer where it is too small.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import Final

from provgraph.language.asked_kinds import DESCRIPTIONS, Kind, asked_kind, has_kind
from provgraph.language.languages import language_of
from provgraph.language.mentions import mentions
from provgraph.language.terms import FUNCTION_WORDS, content_terms, is_unspaced, terms, words
from provgraph.language.weighted_sum import WeightedSum, weighted_sum
from provgraph.ports.retriever import QuestionTerm

WEIGHTS: Final = "sentence_weights.json"

TELLING_LIKENESS: Final = 0.25
"""Less likeness is not told among the reasons: it may be chance."""

ANSWERS: Final = 0.4
"""A sentence of at least this probability is an answer."""

MAY_ANSWER: Final = 0.25
"""One of at least this is worth showing, as near the question and no answer."""

MOST_MARGIN: Final = 3.0

UNNAMED: Final = 0.5
"""What is left of the probability of a sentence beside which something that the question names is not named at all."""

_NUMBER: Final = re.compile(r"\d[\d.,]*\d|\d")
_POSSESSIVE: Final = re.compile(r"['’]s?\Z")
_LEAST_WORDS: Final = 4
_RANKS: Final = 3.0


@dataclass(frozen=True)
class SentenceCandidate:
    """A sentence that may answer, and where it stands.

    `likeness` is the cosine of its vector with the question's, None where there is none. `heading` is what it stands
    under, `passage` all of its chunk, `rank` the place of that in the ranking, from 1.
    """

    text: str
    likeness: float | None = None
    title: str = ""
    heading: str = ""
    passage: str = ""
    rank: int = 1


@dataclass(frozen=True)
class Surroundings:
    """What stands around the sentences of a passage, and what it has of one question: the words of the question that
    it meets, those that heading and title meet, the numbers of the question, and the terms of each of its names."""

    met: frozenset[str]
    met_above: frozenset[str]
    numbers: frozenset[str]
    of_names: tuple[frozenset[str], ...]


@dataclass(frozen=True)
class AskedQuestion:
    """A question, and its words as the collection weighs them; without these all its words weigh alike."""

    text: str
    weighed: Sequence[QuestionTerm] = ()

    @cached_property
    def forms(self) -> dict[str, frozenset[str]]:
        """Its content words, each with the terms that meet it."""
        if self.weighed:
            return {term.text: frozenset(terms(term.text)) for term in self.weighed}
        return {spelling: frozenset({term}) for term, spelling in content_terms(self.text).items()}

    @cached_property
    def shares(self) -> dict[str, float]:
        """What each content word makes of the question's weight; together 1."""
        weights = {term.text: max(term.weight, 1e-6) for term in self.weighed} or dict.fromkeys(
            self.forms, 1.0
        )
        whole = sum(weights.values())
        return {word: weight / whole for word, weight in weights.items()}

    @cached_property
    def known(self) -> float:
        """The share of its weight that the collection knows."""
        if not self.weighed:
            return 1.0
        return sum(self.shares[term.text] for term in self.weighed if term.known)

    @cached_property
    def kind(self) -> Kind:
        return asked_kind(self.text)

    @cached_property
    def names(self) -> dict[str, frozenset[str]]:
        """The names in it, each with its terms; in German, where all nouns have capitals, those of several words."""
        text = self.text
        found = [text[mention.start : mention.end] for mention in mentions(text) if mention.type == "ENTITY"]
        if language_of(text) == "de":
            found = [name for name in found if " " in name or name.isupper()]
        named = {name: frozenset(_content(_POSSESSIVE.sub("", name))) for name in found}
        return {name: said for name, said in named.items() if said}

    @cached_property
    def numbers(self) -> frozenset[str]:
        return frozenset(_NUMBER.findall(self.text))

    def met(self, said: frozenset[str]) -> frozenset[str]:
        """The content words that these terms meet."""
        met = self._words_by_term.keys() & said
        return frozenset().union(*(self._words_by_term[term] for term in met)) if met else frozenset()

    def share(self, met: frozenset[str]) -> float:
        return sum(share for word, share in self.shares.items() if word in met) if met else 0.0

    def around(self, candidate: SentenceCandidate) -> Surroundings:
        """The same for all sentences of a passage under one heading."""
        place = candidate.title, candidate.heading, candidate.passage
        if place not in self._surroundings:
            above = _terms_of(candidate.heading) | _terms_of(candidate.title)
            said = above | _terms_of(candidate.passage)
            numbers = frozenset(number for number in self.numbers if any(number in text for text in place))
            of_names = tuple(own & said for own in self.names.values())
            self._surroundings[place] = Surroundings(self.met(said), self.met(above), numbers, of_names)
        return self._surroundings[place]

    @cached_property
    def _words_by_term(self) -> dict[str, set[str]]:
        words: dict[str, set[str]] = {}
        for word, forms in self.forms.items():
            for term in forms:
                words.setdefault(term, set()).add(word)
        return words

    @cached_property
    def _surroundings(self) -> dict[tuple[str, str, str], Surroundings]:
        return {}


@dataclass(frozen=True)
class RankedSentence:
    """`probability` (0…1) that the sentence answers `question`, with what was measured of it."""

    sentence: SentenceCandidate
    probability: float
    question: AskedQuestion
    measured: Mapping[str, float]

    @property
    def reasons(self) -> tuple[str, ...]:
        """Why, in words."""
        return reasons(self.question, self.sentence, self.measured)


def rank(
    question: AskedQuestion, candidates: Sequence[SentenceCandidate], weights: SentenceWeights | None = None
) -> list[RankedSentence]:
    """The candidates, the best first, with their probabilities; ties in the order given."""
    used = weights or fitted_weights()
    measured = [measures(question, candidate) for candidate in candidates]
    scores = [used.score(each) for each in measured]
    order = sorted(range(len(candidates)), key=lambda index: -scores[index])
    ranked = []
    for index in order:
        rival = order[1] if index == order[0] and len(order) > 1 else order[0]
        margin = scores[index] - scores[rival] if len(order) > 1 else MOST_MARGIN
        probability = used.probability(measured[index], scores[index], margin)
        if _leaves_a_name_out(question, candidates[index]):
            probability *= UNNAMED
        ranked.append(RankedSentence(candidates[index], probability, question, measured[index]))
    return ranked


@dataclass(frozen=True)
class SentenceWeights:
    """What each measure counts for the order of sentences, where a question names something and where not; and what
    makes the first of them certain: measures of it, its score, and how far it is before the second."""

    named: Mapping[str, float]
    unnamed: Mapping[str, float]
    certainty: Mapping[str, float]

    def score(self, measured: Mapping[str, float]) -> float:
        return self._sums["unnamed" if measured["nothing named"] else "named"](measured)

    def probability(self, measured: Mapping[str, float], score: float, margin: float) -> float:
        known = {
            **measured,
            "bias": 1.0,
            "score": score,
            "margin": max(-MOST_MARGIN, min(margin, MOST_MARGIN)),
        }
        return 1 / (1 + math.exp(-self._sums["certainty"](known)))

    @cached_property
    def _sums(self) -> dict[str, WeightedSum]:
        return {name: weighted_sum(getattr(self, name)) for name in ("named", "unnamed", "certainty")}


@cache
def fitted_weights() -> SentenceWeights:
    """The weights that come with the program."""
    loads = json.loads(files(__package__).joinpath(WEIGHTS).read_text("utf-8"))
    return SentenceWeights(loads["named"], loads["nothing named"], loads["certainty"])


def measures(question: AskedQuestion, candidate: SentenceCandidate) -> dict[str, float]:
    """All that is counted of a sentence beside a question, each about 0…1."""
    said, around = _terms_of(candidate.text), question.around(candidate)
    met = question.met(said)
    overlap, in_context = question.share(met), question.share(met | around.met)
    likeness = candidate.likeness or 0.0
    has_no_name = float(not question.names)
    in_sentence, in_reach = _named(question, said), _named(question, said, around.of_names)
    form = _form_of(candidate.text)
    present = has_kind(_without_question(candidate.text, question), question.kind)
    return {
        "likeness": likeness,
        "likeness squared": max(likeness, 0.0) ** 2,
        "overlap": overlap,
        "overlap squared": overlap**2,
        "overlap by length": overlap * math.sqrt(len(question.forms)) / 3,
        "overlap and likeness": overlap * max(likeness, 0.0),
        "context": in_context - overlap,
        "heading": question.share(around.met_above - met),
        "known": question.known,
        "nothing named": has_no_name,
        "names in the sentence": in_sentence,
        "names around": in_reach - in_sentence,
        "a name is nowhere": float(in_reach < 1 and not has_no_name),
        "a number is nowhere": _missing_numbers(question, candidate),
        "has what is asked for": float(present is True),
        "lacks what is asked for": float(present is False),
        "is a heading": float(form.is_heading),
        "is short": float(form.is_short),
        "asks": float(form.asks),
        "rank": _RANKS / (_RANKS + candidate.rank - 1),
    }


def reasons(
    question: AskedQuestion, candidate: SentenceCandidate, measured: Mapping[str, float]
) -> tuple[str, ...]:
    """Why a sentence may answer, the weightiest first, as a person would say it."""
    told = []
    said = _terms_of(candidate.text)
    if measured["overlap"]:
        shared = [word for word in question.forms if word in question.met(said)]
        told.append(f"shares {', '.join(shared)} with the question")
    named = [name for name, own in question.names.items() if own <= said]
    if named:
        told.append(f"names {', '.join(named)}")
    elif measured["names around"] > 0:
        told.append("what is asked about is named beside it")
    if measured["likeness"] >= TELLING_LIKENESS:
        told.append(f"says it in like words or others: similarity {measured['likeness']:.2f}")
    if measured["has what is asked for"]:
        told.append(f"has {DESCRIPTIONS[question.kind]}")
    if measured["heading"] > 0:
        told.append("stands under a heading or title with words of the question")
    return tuple(told)


@dataclass(frozen=True)
class _Form:
    """What can be told of a sentence without any question."""

    is_heading: bool
    is_short: bool
    asks: bool


@lru_cache(8_192)
def _form_of(text: str) -> _Form:
    number = len(words(text))
    return _Form(
        text.lstrip().startswith("#") or (text[-1:].isalnum() and number <= 6 and "|" not in text),
        number < _LEAST_WORDS and not any(is_unspaced(term) for term in _terms_of(text)),
        text.rstrip().endswith(("?", "？")),
    )


@lru_cache(8_192)
def _terms_of(text: str) -> frozenset[str]:
    return frozenset(terms(text)) if text else frozenset()


def _content(name: str) -> list[str]:
    return [term for word in words(name) if word.casefold() not in FUNCTION_WORDS for term in terms(word)]


def _named(question: AskedQuestion, said: frozenset[str], around: Sequence[frozenset[str]] = ()) -> float:
    """The share of the question's names that these terms have, with those that stand around them; part of a name counts
    as that."""
    if not question.names:
        return 0.0
    own = [name & said for name in question.names.values()]
    if around:
        own = [here | there for here, there in zip(own, around, strict=True)]
    shares = [len(terms) / len(name) for terms, name in zip(own, question.names.values(), strict=True)]
    return sum(shares) / len(shares)


def _leaves_a_name_out(question: AskedQuestion, candidate: SentenceCandidate) -> bool:
    """Whether something that the question names has no word in the sentence or around it."""
    if not question.names:
        return False
    said, around = _terms_of(candidate.text), question.around(candidate).of_names
    names = zip(question.names.values(), around, strict=True)
    return any(not there and name.isdisjoint(said) for name, there in names)


def _missing_numbers(question: AskedQuestion, candidate: SentenceCandidate) -> float:
    if not question.numbers:
        return 0.0
    around = question.around(candidate).numbers
    missing = [number for number in question.numbers if number not in around and number not in candidate.text]
    return len(missing) / len(question.numbers)


def _without_question(text: str, question: AskedQuestion) -> str:
    """A text without the names and numbers of the question: these are no answer to it."""
    for known in (*question.names, *question.numbers):
        text = text.replace(known, " ")
    return text
