"""Whether something may or must be done, as the rules of a text tell: "Dogs are not admitted" is no to "Can I bring my
dog?"; "only with the landlord's permission" is the answer to whether a dog may be kept.

A rule is a clause that permits, forbids or orders. It speaks of what is asked where it has the things of the question,
and does to them what is asked, or permits or forbids them as such. What it depends on ("without a permit", "only in
November") decides where the question says that it is so or otherwise; else it is the answer.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import Final, Literal

from anyio import to_thread

from provgraph.derivation.affinity import related
from provgraph.derivation.clauses_asked import (
    AskedClause,
    ReadClause,
    asked_clause,
    clauses_of,
    narrowing,
    says_predicate,
)
from provgraph.derivation.evidence import Finder, ReadPassage
from provgraph.derivation.result import Derived, Step
from provgraph.language import wordnet
from provgraph.reading.scope import name_words, words_of_text
from provgraph.reading.syntax import Parser, Token
from provgraph.reading.value_reading import MONTH_NAMES, SINCE_MIDNIGHT, find_values
from provgraph.reading.values import Quantity

Force = Literal["permits", "forbids", "orders"]

_ASKS: Final = re.compile(
    r"\s*(?:(?P<may>may|can|could|are|is|am)|(?P<must>must|should|do|does|has|have))\b.*+\s*+$",
    re.IGNORECASE,
)
_PERMITTING: Final = frozenset("allow permit admit accept welcome allowed permitted admitted welcome".split())
_FORBIDDING: Final = frozenset("prohibit forbid ban bar exclude forbidden prohibited".split())
_ORDERING: Final = frozenset("require oblige mandatory compulsory obligatory required".split())
_CONSENT: Final = frozenset(
    "consent permission approval authorisation authorization permit licence license".split()
)
_MAY: Final = frozenset("may can could".split())
_MUST: Final = frozenset("must shall should".split())
_ANY_ACT: Final = frozenset(
    "bring take have keep enter come use run operate do get go be allow permit admit make own hold light build play "
    "ride".split()
)
"""What one does with something that is permitted or forbidden as such."""
_DONE_WITH: Final = {
    "eat": "food",
    "drive": "car",
    "park": "car",
    "cycle": "bicycle",
    "photograph": "photograph",
}
"""Acts that a rule about a thing permits or forbids."""
_PREMISES: Final = frozenset("premise premises property".split())
_BUILT: Final = frozenset(("noun.artifact", "noun.location"))
"""What contracts call whatever building is let."""
_NOBODY: Final = re.compile(r"\b(?:no one|nobody)\b", re.IGNORECASE)
_LIMIT: Final = re.compile(
    r"\b(?:only|except|unless|without|provided|on condition|subject to|if|when|after|until|between|before|within|"
    r"during|outside|in|at|on)\b",
    re.IGNORECASE,
)
"""Where what a rule depends on begins."""
_WEAK: Final = frozenset("in at on".split())
"""Words that tell no more than a place, where no time follows."""
_END: Final = re.compile(r"(?<![ap]\.m)[ .,]{1,40}\Z")
_BUT_FOR: Final = r"with the exception of|except(?: for)?|other than|apart from"
_EXCEPTION: Final = re.compile(rf",? (?:{_BUT_FOR}) [^;,.]*")
_LEFT_OUT: Final = re.compile(rf"\b(?:{_BUT_FOR}|(?:though|although|but) not) (?P<left>[^;,.]*)")
_PROPOSING: Final = frozenset("move propose suggest ask demand recommend request want urge wish".split())
_CONFIDENCE: Final = 0.86


@dataclass(frozen=True, eq=False)
class TextRule:
    """A clause that permits, forbids or orders; `is_general` where that is all it says of its things."""

    read: ReadClause
    force: Force
    is_general: bool


async def rule_told(text: str, parser: Parser, finder: Finder) -> Derived | None:
    """Yes, no or what it depends on, where the rules that speak of what is asked agree; else None."""
    match = _ASKS.match(text)
    if match is None:
        return None
    passages = await finder.passages(text)
    return await to_thread.run_sync(_told, text, parser, passages)


def _told(text: str, parser: Parser, passages: Sequence[ReadPassage]) -> Derived | None:
    asked = _Asked.of(text, parser)
    if asked is None:
        return None
    meant = _that_name(name_words([asked.clause.phrases.sentence]), passages)
    answers = [(rule, answer) for rule in rules(meant) if (answer := asked.answer(rule))]
    if len({answer for _, answer in answers}) != 1:
        return None
    rule, answer = answers[0]
    sentence = rule.read.sentence
    support = rule.read.support(sentence.start, sentence.end)
    said = "excepts" if asked.is_excepted(rule) else rule.force
    step = Step("judge", answer, f"A rule {said} it: {support.sentence.text}", (support,))
    return Derived(answer, "yes-no", (step,), _CONFIDENCE)


def _that_name(names: frozenset[str], passages: Sequence[ReadPassage]) -> Sequence[ReadPassage]:
    """The passages that have all names of a question, with their titles; all where none has: the rules of one house are
    not those of another."""
    having = [each for each in passages if names <= words_of_text(f"{each.title} {each.text}")]
    return having or passages


def rules(passages: Sequence[ReadPassage]) -> Iterator[TextRule]:
    """The rules of the passages."""
    for read in clauses_of(passages):
        force = _force(read)
        if force is not None:
            is_general = read.predicate.split()[0] in _PERMITTING | _FORBIDDING | _ORDERING or bool(
                _consent(read)
            )
            yield TextRule(read, force, is_general)


def _consent(read: ReadClause) -> str:
    """The consent that its subject needs: "the landlord's written consent"; empty where it needs none."""
    if (
        read.predicate.split()[0] not in ("need", "require")
        or not read.clause.polarity
        or read.clause.passive
    ):
        return ""
    needed = (t for t in read.clause.roles.get("P", []) if t.lemma.casefold() in _CONSENT)
    edges = [read.sentence.edges(token) for token in needed]
    return (
        read.text(read.sentence.tokens[edges[0][0]].start, read.sentence.tokens[edges[0][1]].end)
        if edges
        else ""
    )


def _force(read: ReadClause) -> Force | None:
    clause, predicate = read.clause, read.predicate.split()[0]
    helpers = {word.text.casefold() for word in clause.words}
    if _is_proposed(read):
        return None
    is_denied = not clause.polarity or bool(_NOBODY.match(read.text(read.sentence.start, read.sentence.end)))
    if clause.tense == "past" and not helpers & (_MAY | _MUST) and not helpers & {"is", "are", "be"}:
        return None
    if _consent(read):
        return "permits"
    if predicate in _PERMITTING and (helpers & {"is", "are", "be"} or helpers & _MAY):
        return "forbids" if is_denied else "permits"
    if predicate in _FORBIDDING and helpers & {"is", "are", "be"}:
        return "permits" if is_denied else "forbids"
    if predicate in _ORDERING and helpers & {"is", "are"}:
        return None if is_denied else "orders"
    if helpers & _MAY:
        return "forbids" if is_denied else "permits"
    if helpers & _MUST:
        return "forbids" if is_denied else "orders"
    return None


def _is_proposed(read: ReadClause) -> bool:
    """Whether somebody only moves, asks or wants that it be so."""
    head = read.clause.head
    above = read.sentence.tokens[head.head] if head.head >= 0 and head.relation == "ccomp" else None
    return above is not None and above.lemma.casefold() in _PROPOSING


@dataclass(frozen=True, eq=False)
class _Asked:
    """What is asked to be allowed: an act and the things that it is done to, or where nothing is, what it needs."""

    clause: AskedClause
    acts: frozenset[str]
    things: tuple[Token, ...]
    beside: tuple[Token, ...]
    is_duty: bool

    @classmethod
    def of(cls, text: str, parser: Parser) -> _Asked | None:
        clause = asked_clause(text, parser)
        if clause is None:
            return None
        first = text.split()[0].casefold()
        is_general = clause.predicate in _PERMITTING | _FORBIDDING
        if first in ("is", "are", "am", "does", "do", "has", "have") and not (
            is_general or re.search(r"\b(?:have|has|need|allowed|permitted) to\b", text)
        ):
            return None
        is_duty = first in ("must", "should") or bool(re.search(r"\b(?:have|has|need) to\b", text))
        things = list(clause.ends.get("P", []))
        if not things and not clause.clause.passive:
            things = [t for t in clause.ends.get("A", []) if not _is_anybody(t)]
            if _is_misread(clause):
                return None
        acts = frozenset() if is_general else frozenset((clause.predicate,))
        return cls(clause, acts, tuple(things), tuple(clause.beside), is_duty)

    def answer(self, rule: TextRule) -> str:
        """What a rule answers; empty where it speaks of something else."""
        if not self._is_of_act(rule):
            return ""
        if self.is_excepted(rule):
            return "yes" if rule.force == "forbids" else "no"
        if not self._is_of_things(rule):
            return ""
        if rule.force == "orders":
            return ("yes" if not self._limit(rule) else "") if self.is_duty else ""
        if self.is_duty:
            return ""
        limit = self._limit(rule)
        is_met = self._is_met(limit) if limit else None
        if rule.force == "forbids":
            return self._of_ban(limit, is_met)
        return self._of_permission(limit, is_met)

    def _of_ban(self, limit: str, is_met: bool | None) -> str:
        if not limit or is_met:
            return "no"
        if limit.casefold().startswith("without "):
            return f"only with {limit.partition(' ')[2]}" if is_met is None else ""
        return f"not {limit}" if is_met is None else ""

    def _of_permission(self, limit: str, is_met: bool | None) -> str:
        if not limit or is_met:
            return "yes"
        is_only = limit.casefold().startswith("only ") or limit.casefold().endswith(" only")
        if is_met is False:
            return "no" if is_only else ""
        return limit if is_only else f"yes, {limit}"

    def _is_of_act(self, rule: TextRule) -> bool:
        if not self.acts:
            return True
        (act,) = self.acts
        if not rule.is_general:
            is_use = bool(self.things) and rule.read.predicate == "use" and act.split()[0] in _ANY_ACT
            return is_use or says_predicate(act, rule.read.predicate)
        named = [t for role in ("P", "A") for t in rule.read.clause.roles.get(role, [])]
        act = act.split()[0]
        return (bool(self.things) and act in _ANY_ACT) or any(
            token.lemma.casefold() == _DONE_WITH.get(act)
            or related(act, "v", token.lemma.casefold(), "n") >= _NAMES
            for token in named
        )

    def _is_of_things(self, rule: TextRule) -> bool:
        read = rule.read
        named = [t for role in ("P", "A") for t in read.clause.roles.get(role, [])]
        named += [t for token in named for t in read.sentence.dependents(token, "nmod")]
        if not self.things:
            return bool(self.acts) and self._is_beside(read)
        return all(any(self._is_one(thing, other, read) for other in named) for thing in self.things) and (
            self._is_beside(read)
        )

    def _is_one(self, thing: Token, other: Token, read: ReadClause) -> bool:
        one, two = thing.lemma.casefold(), other.lemma.casefold()
        if two in _PREMISES and not _BUILT.isdisjoint(wordnet.fields(one, "n", 2)):
            return True
        is_pet = two == "pet" and wordnet.fields(one, "n", 1) == ("noun.animal",)
        is_kind = is_pet or wordnet.is_kind_of(one, two, "n", 1, 3)
        if one != two and not (is_kind and other.pos == "NOUN"):
            return False
        said = narrowing(read.sentence, other) - _NOT_NARROWING
        if any(wordnet.is_kind_of(one, t.lemma.casefold(), "n", 1, 3) for t in _left_out(other, read)):
            return False
        return said <= narrowing(self.clause.phrases.sentence, thing)

    def _is_beside(self, read: ReadClause) -> bool:
        """Whether a rule has the places of a question, or none of its own."""
        own = [t for role, ts in read.clause.roles.items() if role in _PLACES for t in ts if not _is_time(t)]
        places = [t for t in self.beside if not _is_time(t) and self._case(t) in _PLACES_ASKED]
        lemmas = {t.lemma.casefold() for t in own}
        return all(not own or t.lemma.casefold() in lemmas for t in places)

    def is_excepted(self, rule: TextRule) -> bool:
        """Whether a ban or a permission takes out what is asked: "except guide dogs", "but not on the balcony"."""
        if rule.force == "orders" or self.is_duty:
            return False
        read = rule.read
        match = _LEFT_OUT.search(read.text(read.clause.head.end, read.sentence.tokens[-1].end))
        left = {word.casefold() for word in re.findall(r"\w+", match["left"])} if match else set()
        places = [t for t in self.beside if not _is_time(t) and self._case(t) in _PLACES_ASKED]
        if any(t.text.casefold() in left for t in places):
            return True
        told = [(thing, narrowing(self.clause.phrases.sentence, thing)) for thing in self.things]
        return any(said and {thing.text.casefold(), *said} <= left for thing, said in told)

    def _case(self, token: Token) -> str:
        return self.clause.phrases.case(token)

    def _limit(self, rule: TextRule) -> str:
        """The words of a rule for what it depends on; empty where it depends on nothing, or only names a place that the
        question has."""
        read = rule.read
        if consent := _consent(read):
            return f"only with {consent}"
        head = read.clause.head
        _, last = read.sentence.edges(head)
        start, end = head.end, read.sentence.tokens[last].end
        text = _EXCEPTION.sub("", read.text(start, end)).split(";")[0]
        before = (t for t in read.sentence.children[head.index] if t.index < head.index)
        if any(t.lemma.casefold() == "only" for t in before):
            return _END.sub("", f"only {' '.join(text.split())}")
        for match in _LIMIT.finditer(text):
            words = _END.sub("", " ".join(text[match.start() :].split()))
            if words == "only":
                words = f"only {' '.join(text[: match.start()].split())}"
            if match.group() not in _WEAK or self._is_of_time(words):
                return words
        return ""

    def _is_of_time(self, words: str) -> bool:
        return bool(_CALENDAR.search(words))

    def _is_met(self, limit: str) -> bool | None:
        """Whether the question says that what a rule depends on is so; None where it says nothing of it."""
        said = {word.casefold() for word in re.findall(r"\w+", limit)}
        hours, asked = _hours(limit), _hours(self.clause.text)
        if "between" in said and len(hours) == 2 and len(asked) == 1:
            return hours[0] <= asked[0] <= hours[1]
        if "between" in said and not any(self._case(token) == "between" for token in self.beside):
            return None
        for token in self.beside:
            case, is_said = self._case(token), token.text.casefold() in said or token.lemma.casefold() in said
            if case == "without":
                if is_said:
                    return "without" in said
            elif is_said:
                told = narrowing(self.clause.phrases.sentence, token)
                is_said_of = all(any(word.startswith(each) for word in said) for each in told)
                is_other = limit.startswith("only ") and not is_said_of
                return "without" not in said and not is_other
            elif _is_time(token) and self._is_of_time(limit):
                return False
        return None


def _is_misread(clause: AskedClause) -> bool:
    """Whether a parser took what it is done to for something else: "sell salted dulse"."""
    phrases = clause.phrases
    bare = (c for c in phrases.children(clause.clause.head) if c.relation == "xcomp")
    return any(all(c.text.lower() != "to" for c in phrases.children(each)) for each in bare)


def _left_out(noun: Token, read: ReadClause) -> list[Token]:
    """The nouns of its phrase that are left out: "pets other than fish"."""
    below = [t for t in read.sentence.subtree(noun) if t.index > noun.index]
    is_other = [t.text.casefold() for t in below[:2]] == ["other", "than"]
    return [t for t in below if t.pos == "NOUN"] if is_other else []


def _hours(text: str) -> list[Decimal]:
    """The times of the day in a text."""
    values = (each.value for each in find_values(text))
    return [v.amount for v in values if isinstance(v, Quantity) and v.unit == SINCE_MIDNIGHT]


_NOT_NARROWING: Final = frozenset(("single", "other"))
_PLACES: Final = frozenset("@in @into @on @onto @at @to @inside @within".split())
_PLACES_ASKED: Final = frozenset("in into on onto at to inside within".split())
_NAMES: Final = 0.75
_CALENDAR: Final = re.compile(
    rf"\b(?:{MONTH_NAMES}|spring|summer|autumn|winter|"
    r"\w+days?|\d{1,2}(?:[.:]\d\d)? ?[ap]\.?m|noon|midnight|night|hours?|weeks?|months?)\b"
)


def _is_time(token: Token) -> bool:
    return bool(_CALENDAR.fullmatch(token.text)) or "noun.time" in wordnet.fields(
        token.lemma.casefold(), "n", 1
    )


def _is_anybody(token: Token) -> bool:
    """Whether a subject is whoever asks: a person, or a word for one."""
    return token.pos == "NOUN" and wordnet.is_person(token.lemma.casefold())
