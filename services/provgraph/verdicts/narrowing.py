"""What narrows a statement of how things are in general: "free for students on Fridays" does not say "free for
students".

What happened once may be told without its circumstances ("in 1990 she moved to Paris"). A rule or a state may not:
without its times, conditions and those it holds for it says more.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.value_reading import SINCE_MIDNIGHT, read_value
from provgraph.reading.values import Quantity
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.things import Statement

_AT_TIMES: Final = frozenset("on in at during between from until till before after outside within".split())
_NO_TIMES: Final = frozenset("year time century decade day moment date beginning start end".split())
_FOR: Final = frozenset("for to in among with".split())
_PROVIDED: Final = frozenset("with without under upon after before until on".split())
_ALLOWED: Final = _PROVIDED | frozenset("for in within from at".split())
_WHEN: Final = frozenset("when once until after before while".split())
_IF: Final = frozenset("if unless provided providing lest".split())
_EVERYBODY: Final = frozenset("public visitor everyone everybody all anyone people person tourist".split())
_BARE: Final = frozenset("all any every each no a an".split())
_MEASURED: Final = frozenset("dose dosage concentration temperature pressure speed level altitude".split())
_ON_CONDITION: Final = frozenset(
    "request demand appointment arrangement emergency application consent permission approval invitation".split()
)
_COUNT: Final = re.compile(r"\d{1,3}(?:[.,:]\d+)*")
_SELDOM: Final = frozenset("rarely seldom hardly scarcely".split())
_MADE_OF: Final = frozenset("consist comprise compose".split())
_LATER: Final = frozenset("second third fourth fifth sixth seventh eighth ninth tenth".split())
_RANKED: Final = frozenset("first last only".split())
_SINCE: Final = frozenset("since after except besides outside until".split())
_RULES: Final = frozenset("may must shall".split())
_RATES: Final = frozenset("every per each daily hourly weekly always".split())
_NARROWING: Final = ("amod", "compound", "acl", "acl:relcl", "nmod")


def narrowing(statement: Statement, sentence: ParsedSentence, claimed: Collection[str]) -> list[Token]:
    """The words that narrow what is `said` in `sentence` and are none of those of the claim: a condition, a time that
    comes again, those for whom it holds; none where it is of one event. `claimed` are lemmas."""
    if not 0 <= statement.clause < len(sentence.tokens):
        return []
    return _Clause(statement, sentence, sentence.tokens[statement.clause], frozenset(claimed)).narrowed_by()


def limit_of_rank(noun: Token, sentence: ParsedSentence, claimed: Collection[str]) -> Token | None:
    """From when on, or but for whom, something is the first, last or only one, where the claim leaves that out."""
    ranks = {
        c.text.lower() for c in sentence.children[noun.index] if c.tag == "JJS" or c.text.lower() in _RANKED
    }
    if ranks.isdisjoint(claimed):
        return None
    limits = _SINCE if ranks & _RANKED else _SINCE - {"after"}  # "the second largest after Jupiter"
    inside = (t for t in sentence.subtree(noun) if t.index > noun.index and t.relation in ("case", "mark"))
    return next((sentence.tokens[t.head] for t in inside if t.text.lower() in limits - set(claimed)), None)


@dataclass(frozen=True)
class _Clause:
    """A clause of `head` in a sentence, what it says, and the words of the claim."""

    said: Statement
    sentence: ParsedSentence
    head: Token
    claimed: frozenset[str]

    def narrowed_by(self) -> list[Token]:
        for token in self._circumstances():
            if self._is_left_out(token) and self._is_condition(token):
                return self._phrase(token)
        if aside := self._one_of_the_best() or self._first_since() or self._other_parts():
            return aside
        lasting = self.head.text.lower() in word_set("regulating") and self._modal in ("has", "have")
        if self.said.tense == "present" or self.said.duty or lasting:
            return next((self._phrase(token) for token in self._of_whom()), [])
        return []

    def _only(self, child: Token) -> bool:
        """ "Only for journeys of over five hours"."""
        first = self.sentence.edges(child)[0]
        before = self.sentence.tokens[first - 1] if first else child
        inside = {t.text.lower() for t in (before, self.sentence.tokens[first])}
        return bool(inside & {"only", "solely"}) and not {"only", "solely"} & self.claimed

    def _circumstances(self) -> Iterator[Token]:
        """What hangs on the verb or complement, and the phrases that hang on those: "for students on Fridays"."""
        for child in self._children(self.head):
            yield child
            if child.relation.startswith(("obl", "nmod", "obj", "advmod")):
                below = self.sentence.dependents(child, "nmod", "obl", "advcl")
                yield from below
                yield from (dependent for c in below for dependent in self.sentence.dependents(c, "advcl"))

    def _is_left_out(self, token: Token) -> bool:
        """Whether the claim has none of it; of "from Monday to Friday" one end will do."""
        inside = (c for c in self._children(token) if c.relation in ("nmod", "obl", "conj", "compound"))
        return not any({each.lemma.lower(), each.text.lower()} & self.claimed for each in (token, *inside))

    # conditions and times

    def _is_condition(self, child: Token) -> bool:
        told = self.said.tense == "past" and not self.said.duty
        if child.relation == "advcl":
            marks = {c.text.lower() for c in self._children(child) if c.relation in ("mark", "advmod")}
            return bool(marks & _IF) or (not told and self._is_general and bool(marks & _WHEN))
        if child.relation == "advmod":
            return not told and child.text.lower() in _SELDOM
        if not told and self._is_compared(child):
            return True
        if not told and self._is_limit(child):
            return self.said.positive or child.relation != "obj"
        if not child.relation.startswith(("obl", "nmod")):
            return False
        case = self._case(child)
        if self._only(child) or (_are_beings(child) and case in ("in", "among")):
            return True
        return not told and (
            self._is_proviso(child, case) or (self._is_general and self._limits(child, case))
        )

    def _is_proviso(self, child: Token, case: str) -> bool:
        """ "On request", "at doses above 40 mg", "without the battery"."""
        lemma = child.lemma.lower()
        if case in ("without", "excluding"):
            return child.pos != "VERB"
        return (bool(case) and lemma in _ON_CONDITION) or (case == "at" and lemma in _MEASURED)

    def _limits(self, child: Token, case: str) -> bool:
        """Whether it is the time of a rule or a state, a proviso of what is allowed, or those for whom it is so."""
        if case in _AT_TIMES and (case == "during" or self._comes_again(child)):
            return not self._told_beside(child)
        regulated = self.head.text.lower() in word_set("regulating")
        any_ = any(c.text.lower() == "any" for c in self._children(child))
        if (regulated and case in _PROVIDED) or (self._modal == "may" and case in _ALLOWED and not any_):
            return True
        for_some = case in _FOR and _are_beings(child) and child.lemma.lower() not in _EVERYBODY
        return for_some and (self.head.pos == "ADJ" or regulated)

    @property
    def _is_general(self) -> bool:
        """Whether it tells a rule, how something is, or how often or how much."""
        if self.head.pos == "ADJ" or self._modal in _RULES:
            return True
        rated = "year" not in self.claimed and any(
            each in _RATES or _COUNT.fullmatch(each) for each in self.claimed
        )
        return self.head.text.lower() in word_set("regulating") or (self.said.tense == "present" and rated)

    def _is_compared(self, token: Token) -> bool:
        """ "Babies younger than three months", with the months hung on the verb."""
        bare = token.relation in ("obl", "nsubj", "nmod", "advmod", "appos") and not self._case(token)
        counted = any(c.relation == "nummod" for c in self._children(token))
        return bare and counted and any(each.text.lower() == "than" for each in self.sentence.subtree(token))

    def _is_limit(self, token: Token) -> bool:
        """ "Up to 300 euros each"."""
        first = self.sentence.edges(token)[0]
        words = [t.text.lower() for t in self.sentence.tokens[max(0, first - 2) : first + 2]]
        counted = any(c.relation == "nummod" for c in self._children(token))
        return counted and ("up", "to") in pairwise(words)

    def _comes_again(self, token: Token) -> bool:
        """Whether it is a time without a year: "Fridays", "July", "the summer season", "6 pm"."""
        below, lemma = [each.text for each in self.sentence.subtree(token)], token.lemma.lower()
        measured = read_value(" ".join(below))
        if isinstance(measured, Quantity) and measured.unit not in ("", SINCE_MIDNIGHT):
            return False
        if any(each.isdigit() and len(each) == 4 for each in below) or lemma in _NO_TIMES:
            return False
        lemma = lemma if wordnet.known(lemma, "n") else lemma.removesuffix("s")  # "Fridays" as a name
        return "noun.time" in wordnet.fields(lemma, "n", 1) or lemma in ("pm", "am", "a.m.", "p.m.", "season")

    def _told_beside(self, time: Token) -> bool:
        """Whether it is the time of another number: "at 3.15 pm, on Fridays at 2.30 pm"."""
        tokens = self.sentence.tokens
        stops = [-1, *(t.index for t in tokens if t.text in (",", ";")), len(tokens)]
        first = max(stop for stop in stops if stop < time.index)
        last = min(stop for stop in stops if stop > time.index)
        numbers = {t.text.lower() for t in tokens[first + 1 : last] if t.text[:1].isdigit()}
        return first >= 0 and bool(numbers) and not numbers & self.claimed

    # of whom, and of how many

    def _of_whom(self) -> Iterator[Token]:
        """What narrows a subject that stands for all of a kind: "employees who …", "children with asthma"."""
        roles = (
            ("nsubj", "obj", "obl") if self.said.duty else ("nsubj",)
        )  # "must not be given to babies under …"
        for subject in self.sentence.dependents(self.head, *roles):
            for child in self._children(subject) if self._is_of_all(subject) else ():
                of_it = child.relation == "nmod" and self._case(child) in ("of", "like", "including")
                before = self.sentence.tokens[self.sentence.edges(child)[0] - 1]
                aside = child.index > subject.index and before.text == ","
                narrows = child.relation in _NARROWING or self._is_compared(child)
                if narrows and self._is_left_out(child) and not of_it and not aside:
                    yield child

    def _is_of_all(self, subject: Token) -> bool:
        determiners = {
            c.text.lower() for c in self._children(subject) if c.relation in ("det", "nmod:poss", "nummod")
        }
        return determiners <= _BARE and (subject.tag == "NNS" or (subject.tag == "NN" and bool(determiners)))

    def _one_of_the_best(self) -> list[Token]:
        """ "One of the best" or "the second best", where the claim has "the best"."""
        for token in self.sentence.subtree(self.head):
            before = self.sentence.tokens[token.index - 1] if token.index else token
            if (
                token.tag == "JJS"
                and before.text.lower() in _LATER - self.claimed
                and token.text.lower() in self.claimed
            ):
                return [before, token]
            if token.text.lower() == "one" and "one" not in self.claimed:
                below = [t for c in self.sentence.dependents(token, "nmod") for t in self.sentence.subtree(c)]
                if any(t.tag in ("JJS", "RBS") and t.text.lower() in self.claimed for t in below):
                    return [token, *below]
        return []

    def _first_since(self) -> list[Token]:
        """ "The first woman to lead it since Ada", where the claim has the first of all."""
        above = self.sentence.tokens[self.head.head] if self.head.head >= 0 else self.head
        noun = above if self.head.relation.startswith("acl") else self.head
        limit = limit_of_rank(noun, self.sentence, self.claimed)
        return self._phrase(limit) if limit is not None else []

    def _other_parts(self) -> list[Token]:
        """What something consists of beside what the claim names."""
        if self.head.lemma.lower() not in _MADE_OF:
            return []
        named = self.sentence.dependents(self.head, "obl", "obj")
        parts = [part for token in named for part in self.sentence.dependents(token, "conj")]
        return next((self._phrase(token) for token in parts if self._is_left_out(token)), [])

    # the tree

    @property
    def _modal(self) -> str:
        return next((c.text.lower() for c in self._children(self.head) if c.relation == "aux"), "")

    def _children(self, token: Token) -> tuple[Token, ...]:
        return self.sentence.children[token.index]

    def _case(self, token: Token) -> str:
        return next((c.text.lower() for c in self._children(token) if c.relation == "case"), "")

    def _phrase(self, token: Token) -> list[Token]:
        first, last = self.sentence.edges(token)
        return list(self.sentence.tokens[first : last + 1])


def _are_beings(token: Token) -> bool:
    fields = wordnet.fields(token.lemma.lower(), "n", 1)
    return token.tag == "NNS" and not {"noun.person", "noun.animal"}.isdisjoint(fields)
