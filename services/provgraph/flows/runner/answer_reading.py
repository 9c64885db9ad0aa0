"""Which sentences answer a question: by its words, by sense, by what a network reads in them, by whether they say what
is asked for (a definition, a limit, a number) and whether they deny it. One measure for every flow that quotes.

Sentences are first ordered by words and sense, which cost little; the best are read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from provgraph.comprehension.answer_spans import answer_chances
from provgraph.derivation.affinity import likest_sense
from provgraph.flows.runner.sentence_choice import AskedQuestion, SentenceCandidate, measures
from provgraph.language.abbreviations import LongForm, initials_of, is_short_form, long_forms
from provgraph.language.asked_aspects import (
    AspectCues,
    asked_aspect,
    defines,
    is_about,
    names_of,
    thing_asked,
)
from provgraph.language.polarity import denied_share, may_answer
from provgraph.language.recasing import is_headline, recased
from provgraph.language.terms import FUNCTION_WORDS, content_terms, terms, words

MOST_READ: Final = 24
"""Of so many sentences, the best by words and sense, it is asked what a network reads in them."""

LEAST_CHANCE: Final = 1e-3
WEIGHTS: Final[Mapping[str, float]] = {
    "words": 1.2,
    "words in the title": 0.7,
    "words in the heading": 0.3,
    "words around": 0.3,
    "words referred to": 0.5,
    "words in like words": 0.7,
    "sense": 1.2,
    "has the kind": 0.2,
    "lacks the kind": -0.2,
    "named": 0.1,
    "named around": 0.1,
    "named in the document": 0.4,
    "sounds so": 0.3,
    "words of the aspect": 1.0,
    "section": 0.25,
    "below its heading": 0.3,
    "names none": -0.4,
    "counts another": -0.8,
    "says what it is": 1.2,
    "is about it": 0.3,
    "only denies": -0.3,
    "is a row": -0.4,
    "read": 0.8,
    "read surely": 0.5,
}
"""What each measure of a sentence counts for its score, each measure in 0…1. Words are shares of the question's weight;
"sounds so", "section" and "below its heading" are those of what is asked for, "read" is what a network finds, on a
logarithmic scale."""

READ: Final = 0.08
"""How likely a network has to find an answer in a sentence, for it to be one though few of its words are shared."""
SAYS_MOST: Final = 0.75
"""The share of the question's words with which a sentence is an answer whatever was read in it, if it is like it."""
LEAST_LIKE: Final = 0.2
SAYS_SOME, VERY_LIKE = 0.35, 0.4
"""The same with fewer words, where it is very like the question."""

OPENED: Final = 0.5
TITLE_SENTENCES: Final = 5
"""As many sentences the title of a document counts where it has a name of the question."""

_MOST_WORDS_OF_HEADING: Final = 10
_CAPTION: Final = re.compile(r"(?:table|figure|fig\.?|listing|algorithm) [\dIVX]+[.:]", re.I)
_ENDS: Final = re.compile(r"[.!?:;…。！？][\])”\"'’\d]*\s*\Z")
_REFERS: Final = re.compile(r"(?:this|these|it|its|they|their|such|here|to this end|in addition)\b", re.I)
_WORKING: Final = frozenset(("work", "works"))
_HOW_OFTEN: Final = re.compile(r"\bhow (?:many times|often)\b", re.I)
_NEVER: Final = re.compile(r"\b(?:never|yet to|not once|no times?)\b", re.I)
_IN_TABLES: Final = frozenset(("result", "metric", "comparison"))
_NAMED: Final = frozenset(("data set",))
_NAME: Final = re.compile(r"(?<=[\w,;:)\]] )[\"“(]?[A-Z]|[a-z][A-Z]|[A-Z]{2}")
"""A capital that does not open the sentence."""


@dataclass(frozen=True)
class ReadSentence:
    """A sentence with its score; `chance` (0…1) is that of a network to find the answer in it, `index` its place among
    those given."""

    index: int
    sentence: SentenceCandidate
    score: float
    coverage: float
    chance: float = 0.0
    answers: bool = False
    measured: Mapping[str, float] = field(default_factory=dict)

    def stands_with(self, other: ReadSentence) -> bool:
        """Whether both stand below one heading that names what is asked for: limitations below "Limitations"."""
        both = (self, other)
        places = {(each.sentence.title, each.sentence.heading) for each in both}
        return len(places) == 1 and all(each.measured.get("below its heading") for each in both)

    @property
    def reason(self) -> str:
        """Why it was chosen, in words."""
        return (
            f"Its words meet {self.coverage:.0%} of the question's weight; an answer was read in it with probability "
            f"{self.chance:.2f}; together {self.score:.2f}."
        )


def read_sentences(
    question: AskedQuestion, candidates: Sequence[SentenceCandidate], most: int = MOST_READ
) -> list[ReadSentence]:
    """Best first; those that cannot answer at all are left out: headings, and what says the opposite."""
    spelt = recased(question.text, (text for each in candidates for text in (each.text, each.title)))
    question = replace(question, text=spelt)
    asked = _Asked(question, tuple(candidates))
    if asked.aspect and asked.aspect.aspect == "abbreviation":
        return _spelt_out(question.text, candidates)
    first = [
        asked.at_sight(index)
        for index, each in enumerate(candidates)
        if not is_heading(each.text) and may_answer(question.text, each.text)
    ]
    first.sort(key=lambda sentence: -sentence.score)
    looked_at = first[:most]
    chances = answer_chances(question.text, [asked.in_place(sentence.sentence) for sentence in looked_at])
    read = [asked.read(each, chance) for each, chance in zip(looked_at, chances, strict=True)]
    read.sort(key=lambda sentence: -sentence.score)
    if read and not read[0].measured["counts another"]:
        return [each for each in read if not each.measured["counts another"]]
    return read


@dataclass(frozen=True)
class _Asked:
    """A question with the sentences that may answer it, in the order in which they stand."""

    question: AskedQuestion
    candidates: tuple[SentenceCandidate, ...]

    @cached_property
    def aspect(self) -> AspectCues | None:
        return asked_aspect(self.question.text)

    @cached_property
    def forms(self) -> tuple[LongForm, ...]:
        return tuple(form for candidate in self.candidates for form in long_forms(candidate.text))

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Each title with the short forms of what it says: RAG for "Retrieval-Augmented Generation"."""
        said = {title: set(terms(title)) for title in {candidate.title for candidate in self.candidates}}
        return {
            title: " ".join(
                (title, *dict.fromkeys(form.short for form in self.forms if own.issuperset(terms(form.long))))
            )
            for title, own in said.items()
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the thing whose definition is asked for is called; none where no definition is asked for."""
        if self.aspect is not None and self.aspect.aspect not in ("definition", "mechanism"):
            return ()
        thing = thing_asked(self.question.text)
        return names_of(thing, [(form.short, form.long) for form in self.forms]) if thing else ()

    @cached_property
    def share_of_aspect(self) -> float:
        """The share of the question's words that only tell what is asked for: "limitations", "data set"."""
        if self.aspect is None:
            return 0.0
        words = [word for word in self.question.forms if self.aspect.asked.search(word) or word in _WORKING]
        return self.question.share(frozenset(words))

    def at_sight(self, index: int) -> ReadSentence:
        """By all that can be told without reading."""
        candidate = self._titled(index)
        measured = measures(self.question, candidate)
        in_title = self.question.met(frozenset(terms(candidate.title))) - self._met(candidate)
        titled = self.question.share(in_title)
        known = {
            "words": measured["overlap"],
            "words in the title": titled,
            "words in the heading": max(measured["heading"] - titled, 0.0),
            "words around": measured["context"],
            "words referred to": self._referred(index, measured["overlap"]),
            "sense": max(measured["likeness"], 0.0),
            "has the kind": max(measured["has what is asked for"], self._says_never(candidate.text)),
            "lacks the kind": measured["lacks what is asked for"] * (1 - self._says_never(candidate.text)),
            "counts another": self._counts_another(candidate),
            "named": measured["names in the sentence"],
            "named around": measured["names around"],
            "named in the document": self._share_of_document(candidate.title),
            "only denies": denied_share(self.question.text, candidate.text),
            **self._of_aspect(candidate, measured["overlap"]),
        }
        return ReadSentence(index, candidate, _score(known), measured["overlap"], measured=known)

    def read(self, each: ReadSentence, chance: float) -> ReadSentence:
        """With what a network reads in it."""
        known = {
            **each.measured,
            "words in like words": self._related(each.sentence),
            "read": 1 - math.log10(max(chance, LEAST_CHANCE)) / math.log10(LEAST_CHANCE),
            "read surely": chance,
        }
        likeness, shared = each.sentence.likeness or 0.0, each.coverage + known["words in like words"]
        said = each.coverage >= SAYS_MOST and likeness >= LEAST_LIKE
        said = said or (shared >= SAYS_SOME and likeness >= VERY_LIKE)
        defined = known.get("says what it is", 0.0) >= OPENED
        near = shared > 0 or likeness >= LEAST_LIKE or bool(known.get("below its heading"))
        sounds_so = bool(known.get("sounds so")) and shared >= SAYS_SOME and likeness >= LEAST_LIKE
        said = said or defined or sounds_so or bool(known.get("below its heading"))
        answers = near and (chance >= READ or said) and not self._is_of_another(each.sentence)
        return replace(each, score=_score(known), chance=chance, answers=answers, measured=known)

    def _met(self, candidate: SentenceCandidate) -> frozenset[str]:
        return self.question.met(frozenset(terms(candidate.text)))

    def _related(self, candidate: SentenceCandidate) -> float:
        """The share of the question that a sentence meets by other words alone."""
        said = [word for word in content_terms(candidate.text).values() if word.islower()]
        unmet = set(self.question.forms) - self._met(candidate)
        return sum(
            self.question.shares[word] * max((likest_sense(word, other) for other in said), default=0.0)
            for word in unmet
            if word.islower()
        )

    def _titled(self, index: int) -> SentenceCandidate:
        candidate = self.candidates[index]
        return replace(candidate, title=self.titles[candidate.title])

    def _referred(self, index: int, covered: float) -> float:
        """What the sentence before says of the question, where this one begins with a word for it."""
        candidate, before = self.candidates[index], self.candidates[index - 1] if index else None
        if before is None or before.passage != candidate.passage or not _REFERS.match(candidate.text):
            return 0.0
        both = self.question.share(self.question.met(frozenset(terms(f"{before.text} {candidate.text}"))))
        return both - covered

    def _of_aspect(self, candidate: SentenceCandidate, covered: float) -> Mapping[str, float]:
        """How far a sentence is one that says what is asked for; nothing where no aspect is asked for."""
        aspect = self.aspect
        is_about_it = float(any(is_about(name, candidate.text) for name in self.names))
        if aspect is None:
            return {"is about it": is_about_it}
        sounds_so = aspect.said.search(candidate.text) is not None
        is_mechanism = aspect.aspect == "mechanism"
        is_below = aspect.asked.search(candidate.heading) is not None
        sounds_so = sounds_so or is_below
        known = {
            "sounds so": float(sounds_so),
            "words of the aspect": min(self.share_of_aspect, max(0.0, 1 - covered)) * sounds_so,
            "section": float(bool(aspect.section and aspect.section.search(candidate.heading))),
            "below its heading": float(is_below),
            "names none": float(aspect.aspect in _NAMED and not self._names_something(candidate.text)),
            "is a row": float("|" in candidate.text and aspect.aspect not in _IN_TABLES),
        }
        if is_mechanism:
            return {**known, "is about it": is_about_it}
        return {
            **known,
            "says what it is": max((defines(name, candidate.text) for name in self.names), default=0.0),
        }

    def _says_never(self, text: str) -> float:
        """Whether a sentence answers how often something was with never."""
        return float(_HOW_OFTEN.search(self.question.text) is not None and _NEVER.search(text) is not None)

    def _counts_another(self, candidate: SentenceCandidate) -> float:
        """Of the names of a question for a number the share that neither a sentence nor what stands above it has: a
        number is of what is beside it."""
        names = self.question.names
        if self.question.kind != "number" or len(names) < 2:
            return 0.0
        said = frozenset(terms(f"{candidate.text} {candidate.heading} {candidate.title}"))
        return sum(own.isdisjoint(said) for own in names.values()) / len(names)

    def _names_something(self, text: str) -> bool:
        """Whether a sentence has a name that is none of the question's."""
        for name in self.question.names:
            text = text.replace(name, "it")
        return _NAME.search(text) is not None

    def in_place(self, each: SentenceCandidate) -> str:
        """A sentence as it is read: below title and heading where only these name what is asked about, or tell that it
        is of a section in which that is told."""
        said = set(terms(f"{each.text} {each.heading}"))
        is_named = all(not name.isdisjoint(said) for name in self.question.names.values())
        above = [] if is_named else [each.title]
        if each.heading and each.heading not in each.title and (self.aspect or not is_named):
            above.append(each.heading)
        return ". ".join((*above, each.text))

    @cached_property
    def _named_in(self) -> Mapping[str, Counter[str]]:
        """By name of the question, how many sentences under each title have a word of it; the title itself counts."""
        counted: dict[str, Counter[str]] = {name: Counter() for name in self.question.names}
        for name, own in self.question.names.items():
            for candidate in self.candidates:
                counted[name][self.titles[candidate.title]] += _has(terms(candidate.text), name, own)
            for title in counted[name]:
                counted[name][title] += TITLE_SENTENCES * _has(terms(title), name, own)
        return counted

    def _share_of_document(self, title: str) -> float:
        """How far a document is about what the question names: of the one that has it most, the share."""
        shares = [
            counted[title] / max(max(counted.values()), 1) for counted in self._named_in.values() if counted
        ]
        return sum(shares) / len(shares) if shares else 0.0

    def _is_of_another(self, candidate: SentenceCandidate) -> bool:
        """Whether a name of the question stands nowhere in the document, or no word of the question is known."""
        if not self.question.known:
            return True
        return any(not counted[candidate.title] for counted in self._named_in.values())


def _has(said: Sequence[str], name: str, own: frozenset[str]) -> bool:
    """Whether words have a word of a name; of one that is written as one word, as "GPT-4", all of it."""
    return not own.isdisjoint(said) if " " in name else own.issubset(said)


def _score(measured: Mapping[str, float]) -> float:
    return sum(WEIGHTS[name] * value for name, value in measured.items())


def _spelt_out(question: str, candidates: Sequence[SentenceCandidate]) -> list[ReadSentence]:
    """The sentences that say what a short form of the question stands for, where one does; else those with words that
    begin with its letters."""
    asked = {word.casefold() for word in words(question)} - FUNCTION_WORDS
    short = next((word for word in words(question) if is_short_form(word)), "")
    sentences = []
    for index, candidate in enumerate(candidates):
        forms = {form.short.casefold() for form in long_forms(candidate.text)}
        explained = short.casefold() in forms if short else not asked.isdisjoint(forms)
        if explained or (short and initials_of(short, candidate.text)):
            score = (1.0 if explained else 0.5) + 0.1 * (candidate.likeness or 0.0)
            sentences.append(ReadSentence(index, candidate, score, 1.0, 1.0, answers=True))
    best = max((sentence.score for sentence in sentences), default=0.0)
    return sorted(
        (sentence for sentence in sentences if best < 1 or sentence.score >= 1),
        key=lambda sentence: -sentence.score,
    )


def spelt_out(question: str, text: str) -> LongForm | None:
    """What the short form that a question asks for stands for, as a text says it."""
    aspect = asked_aspect(question)
    if aspect is None or aspect.aspect != "abbreviation":
        return None
    asked = {word.casefold() for word in words(question)}
    return next((form for form in long_forms(text) if form.short.casefold() in asked), None)


def is_heading(text: str) -> bool:
    """Whether words stand over a text rather than say anything: few, and without an end."""
    stripped = text.strip()
    if stripped.startswith("#") or is_headline(stripped):
        return True
    if _CAPTION.match(stripped) and not _ENDS.search(stripped):
        return True
    return (
        "|" not in stripped and not _ENDS.search(stripped) and len(stripped.split()) <= _MOST_WORDS_OF_HEADING
    )
