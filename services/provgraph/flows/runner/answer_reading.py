"""Which sentences answer a question: by its words, by sense, by what a network reads in them, by whether they say what
is asked for (a definition, a limit, a number) and whether they deny it. One measure for every flow that quotes.

Sentences are first ordered by words and sense, which cost little; the best are read.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from provgraph.comprehension.answer_spans import answer_chances
from provgraph.flows.runner.sentence_choice import AskedQuestion, SentenceCandidate, measures
from provgraph.language.abbreviations import LongForm, initials_of, is_short_form, long_forms
from provgraph.language.asked_aspects import AspectCues, asked_aspect, defines, is_about, names_of, thing_asked
from provgraph.language.polarity import is_denied_only, may_answer
from provgraph.language.terms import terms, words

MOST_READ: Final = 24
"""Of so many sentences, the best by words and sense, it is asked what a network reads in them."""

HEADING_SHARE, CONTEXT_SHARE, REFERRED_SHARE = 0.8, 0.3, 0.5
"""What words of the question count that stand above a sentence, around it, or in the one before it that it refers to;
those in it count 1."""

READING_SHARE: Final = 0.9
LEAST_CHANCE: Final = 1e-3
SAID, SECTION, DEFINED, KIND, NAMED, ABOUT, DENIED_ONLY, ROW = 0.2, 0.25, 0.6, 0.1, 0.2, 0.3, -0.3, -0.4
"""What a sentence gains that sounds as what is asked for does, that stands below such a heading, that says what the
thing is, that has something of the kind asked for, names what is asked about or stands in a document about it; and what it loses that only denies, or
is a row of a table where no number is asked for."""

READ: Final = 0.08
"""How likely a network has to find an answer in a sentence, for it to be one though few of its words are shared."""
SAYS_MOST: Final = 0.75
"""The share of the question's words with which a sentence is an answer whatever was read in it, if it is like it."""
LEAST_LIKE: Final = 0.2
OPENED: Final = 0.5
TITLE_SENTENCES: Final = 5
"""As many sentences the title of a document counts where it has a name of the question."""

_MOST_WORDS_OF_HEADING: Final = 10
_ENDS: Final = re.compile(r"[.!?:;…。！？][\])”\"'’\d]*\s*\Z")
_REFERS: Final = re.compile(r"(?:this|these|it|its|they|their|such|here|to this end|in addition)\b", re.I)
_IN_TABLES: Final = frozenset(("result", "metric", "comparison"))


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
    asked = _Asked(question, tuple(candidates))
    if asked.aspect and asked.aspect.aspect == "abbreviation":
        return _spelt_out(question.text, candidates)
    first = [
        asked.at_sight(index)
        for index, each in enumerate(candidates)
        if not is_heading(each.text) and may_answer(question.text, each.text)
    ]
    first.sort(key=lambda each: -each.score)
    looked_at = first[:most]
    chances = answer_chances(question.text, [asked.in_place(each.sentence) for each in looked_at])
    read = [asked.read(each, chance) for each, chance in zip(looked_at, chances, strict=True)]
    return sorted(read, key=lambda each: -each.score)


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
        return tuple(form for each in self.candidates for form in long_forms(each.text))

    @cached_property
    def titles(self) -> Mapping[str, str]:
        """Each title with the short forms of what it says: RAG for "Retrieval-Augmented Generation"."""
        said = {title: set(terms(title)) for title in {each.title for each in self.candidates}}
        return {
            title: " ".join(
                (title, *dict.fromkeys(form.short for form in self.forms if own.issuperset(terms(form.long))))
            )
            for title, own in said.items()
        }

    @cached_property
    def names(self) -> tuple[str, ...]:
        """What the thing whose definition is asked for is called; none where no definition is asked for."""
        if self.aspect is None or self.aspect.aspect not in ("definition", "mechanism"):
            return ()
        thing = thing_asked(self.question.text)
        return names_of(thing, [(form.short, form.long) for form in self.forms]) if thing else ()

    @cached_property
    def of_aspect(self) -> float:
        """The share of the question's words that only tell what is asked for: "limitations", "data set"."""
        if self.aspect is None:
            return 0.0
        words = [word for word in self.question.forms if self.aspect.asked.search(word)]
        return self.question.share(frozenset(words))

    def at_sight(self, index: int) -> ReadSentence:
        """By all that can be told without reading."""
        each = self._titled(index)
        measured = measures(self.question, each)
        covered = measured["overlap"]
        score = covered + HEADING_SHARE * measured["heading"] + CONTEXT_SHARE * measured["context"]
        score += self._referred(index, covered)
        score += max(measured["likeness"], 0.0) + KIND * measured["has what is asked for"]
        score += NAMED * (measured["names in the sentence"] + measured["names around"] / 2)
        score += ABOUT * self._share_of_document(each.title) + self._aspect_score(each, covered)
        if is_denied_only(self.question.text, each.text):
            score += DENIED_ONLY
        return ReadSentence(index, each, score, covered)

    def read(self, each: ReadSentence, chance: float) -> ReadSentence:
        """With what a network reads in it."""
        told = 1 - math.log10(max(chance, LEAST_CHANCE)) / math.log10(LEAST_CHANCE)
        said = each.coverage >= SAYS_MOST and (each.sentence.likeness or 0.0) >= LEAST_LIKE
        defined = max((defines(name, each.sentence.text) for name in self.names), default=0.0) >= OPENED
        answers = (chance >= READ or said or defined) and not self._is_of_another(each.sentence)
        score = each.score + READING_SHARE * told
        return replace(each, score=score, chance=chance, answers=answers)

    def _titled(self, index: int) -> SentenceCandidate:
        each = self.candidates[index]
        return replace(each, title=self.titles[each.title])

    def _referred(self, index: int, covered: float) -> float:
        """What the sentence before says of the question, where this one begins with a word for it."""
        each, before = self.candidates[index], self.candidates[index - 1] if index else None
        if before is None or before.passage != each.passage or not _REFERS.match(each.text):
            return 0.0
        both = self.question.share(self.question.met(frozenset(terms(f"{before.text} {each.text}"))))
        return REFERRED_SHARE * (both - covered)

    def _aspect_score(self, each: SentenceCandidate, covered: float) -> float:
        if self.aspect is None:
            return 0.0
        score = 0.0
        if self.aspect.said.search(each.text):
            score += SAID + min(self.of_aspect, max(0.0, 1 - covered))
        if self.aspect.section and self.aspect.section.search(each.heading):
            score += SECTION
        if "|" in each.text and self.aspect.aspect not in _IN_TABLES:
            score += ROW
        if self.aspect.aspect == "mechanism":
            return score + NAMED * any(is_about(name, each.text) for name in self.names)
        return score + DEFINED * max((defines(name, each.text) for name in self.names), default=0.0)

    def in_place(self, each: SentenceCandidate) -> str:
        """A sentence below its heading, and below the title where only that names what is asked about."""
        said = set(terms(f"{each.text} {each.heading}"))
        is_named = all(not name.isdisjoint(said) for name in self.question.names.values())
        above = [] if is_named else [each.title]
        if each.heading and each.heading not in each.title:
            above.append(each.heading)
        return ". ".join((*above, each.text))

    @cached_property
    def _named_in(self) -> Mapping[str, Counter[str]]:
        """By name of the question, how many sentences under each title have a word of it; the title itself counts."""
        counted: dict[str, Counter[str]] = {name: Counter() for name in self.question.names}
        for name, own in self.question.names.items():
            for each in self.candidates:
                counted[name][self.titles[each.title]] += not own.isdisjoint(terms(each.text))
            for title in counted[name]:
                counted[name][title] += TITLE_SENTENCES * (not own.isdisjoint(terms(title)))
        return counted

    def _share_of_document(self, title: str) -> float:
        """How far a document is about what the question names: of the one that has it most, the share."""
        shares = [
            counted[title] / max(max(counted.values()), 1) for counted in self._named_in.values() if counted
        ]
        return sum(shares) / len(shares) if shares else 0.0

    def _is_of_another(self, each: SentenceCandidate) -> bool:
        """Whether a name of the question stands nowhere in the document, or no word of the question is known."""
        if not self.question.known:
            return True
        around = self.question.around(each).of_names
        named = zip(self._named_in.values(), around, strict=True)
        return any(not counted[each.title] and not there for counted, there in named)


def _spelt_out(question: str, candidates: Sequence[SentenceCandidate]) -> list[ReadSentence]:
    """The sentences that say what a short form of the question stands for, where one does; else those with words that
    begin with its letters."""
    asked = next((word for word in words(question) if is_short_form(word)), "")
    asked = asked or (thing_asked(question).split() or [""])[0]
    found = []
    for index, each in enumerate(candidates):
        explained = any(form.short.casefold() == asked.casefold() for form in long_forms(each.text))
        if explained or initials_of(asked, each.text):
            score = (1.0 if explained else 0.5) + 0.1 * (each.likeness or 0.0)
            found.append(ReadSentence(index, each, score, 1.0, 1.0, answers=True))
    best = max((each.score for each in found), default=0.0)
    return sorted((each for each in found if best < 1 or each.score >= 1), key=lambda each: -each.score)


def is_heading(text: str) -> bool:
    """Whether words stand over a text rather than say anything: few, and without an end."""
    stripped = text.strip()
    if stripped.startswith("#"):
        return True
    return "|" not in stripped and not _ENDS.search(stripped) and len(stripped.split()) <= _MOST_WORDS_OF_HEADING
