"""Who came after or before somebody in an office: "Who ran the company after Johan Brandt?".

Successions are read from what sentences say of two people: one succeeded or replaced the other, took his place, was
elected as her successor; or did something until a year, and another has done so since.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from anyio import to_thread

from provgraph.derivation.affinity import stems
from provgraph.derivation.candidates import SentenceView
from provgraph.derivation.clauses_asked import ReadClause, clauses_of
from provgraph.derivation.evidence import Finder, ReadPassage, support_at
from provgraph.derivation.names import likeness
from provgraph.derivation.result import Derived, Step
from provgraph.language.terms import FUNCTION_WORDS
from provgraph.reading.entity_types import gender_of_name
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import Token

_NAME: Final = (
    r"(?P<name>(?:(?:Dr|Mr|Mrs|Ms|Sir|Lady|Lord|Professor) )?[A-Z][\w'’.-]{1,60}"
    r"(?: [A-Z][\w'’.-]{1,60}){0,9})"
)
_ASKS: Final = [
    (re.compile(pattern + r"(?: (?:as|at|in) (?P<as>[^?]{1,80}))?\W*$"), is_later)
    for is_later, patterns in (
        (True, (
            rf"who (?:\w+ )?(?:succeed(?:ed|s)?|replace[ds]?|follow(?:ed|s)?) {_NAME}",
            rf"who (?:\w+ )?t(?:ake|ook)s? over (?:[a-z ]{{1,40}} )?from {_NAME}",
            rf"who (?:is|was|will be|became) {_NAME}['’]s? successor",
            rf"who (?:is|was|will be|became) the successor (?:of|to) {_NAME}",
            rf"(?:by whom|who) (?:is|was|will) {_NAME} (?:be )?(?:succeeded|replaced|followed)(?: by)?",
            rf"who (?P<did>.{{1,200}}) after {_NAME}",
        )),
        (False, (
            rf"whom? (?:did|does|will|has) {_NAME} (?:succeed|replace|follow|take over from)(?:ed|d)?",
            rf"who (?:is|was) {_NAME}['’]s? predecessor",
            rf"who (?:is|was) the predecessor of {_NAME}",
            rf"who preceded {_NAME}",
            rf"who (?P<did>.{{1,200}}) before {_NAME}",
        )),
    )
    for pattern in patterns
]  # fmt: skip
"""Questions for who came after somebody, or before."""
_SUCCEEDS: Final = frozenset(("succeed", "replace", "follow", "take over"))
_GIVES_UP: Final = frozenset(("hand over", "give way", "hand", "hand on", "hand down", "pass on"))
_PLACES: Final = frozenset("place post seat position role office".split())
_HEIR: Final = {"successor": True, "predecessor": False}
_UNTIL: Final = re.compile(r"\buntil (?P<year>(?:1[5-9]|20)\d\d)\b")
_SINCE: Final = re.compile(r"\b(?:since|from) (?:then|(?P<year>(?:1[5-9]|20)\d\d))\b")
_CONFIDENCE: Final = 0.87
_AS_ONE: Final = 0.6
_FAR: Final = 160
"""Characters behind "until" within which "since then" tells of the next."""
_SENTENCES: Final = 2
_GENDERS: Final = {"his": "male", "him": "male", "he": "male", "her": "female", "she": "female"}


@dataclass(frozen=True)
class Succession:
    """`later` came after `earlier`; `words` are those of the one who is named in the sentence."""

    earlier: str
    later: str
    passage: ReadPassage
    earlier_words: Span
    later_words: Span


async def successor_told(text: str, finder: Finder) -> Derived | None:
    """Who came after or before the one whom a question names, where one is told; else None."""
    bare = text.strip()
    bare = f"{bare[:1].lower()}{bare[1:]}"
    asked = next(((m, is_later) for pattern, is_later in _ASKS if (m := pattern.match(bare))), None)
    if asked is None:
        return None
    match, is_later = asked
    words = match.groupdict("")
    passages = await finder.passages(text)
    return await to_thread.run_sync(_told, words["name"], is_later, words.get("did") or words["as"], passages)


def _told(name: str, is_later: bool, did: str, passages: Sequence[ReadPassage]) -> Derived | None:
    found = [
        succession
        for succession in successions(passages)
        if likeness(succession.earlier if is_later else succession.later, name) >= _AS_ONE
        and _is_of_office(did, succession)
    ]
    names = {succession.later if is_later else succession.earlier for succession in found}
    if len(names) != 1:
        return None
    (text,), first = names, found[0]
    support = support_at(first.passage, first.later_words if is_later else first.earlier_words)
    way = "came after" if is_later else "came before"
    step = Step("look up", text, f"{text} {way} {name}: {support.sentence.text}", (support,))
    return Derived(text, "entity", (step,), _CONFIDENCE)


def _is_of_office(did: str, succession: Succession) -> bool:
    """Whether a passage says what is asked of those who came after each other: "was president", "ran the company"."""
    words = [word for word in re.findall(r"\w+", did.casefold()) if word not in FUNCTION_WORDS | _BECOMING]
    said = stems(f"{succession.passage.title} {succession.passage.text}")
    return all(not stems(word).isdisjoint(said) for word in words[-1:])


_BECOMING: Final = frozenset("became become was is been served acted ran run runs led leads".split())


def successions(passages: Sequence[ReadPassage]) -> Iterator[Succession]:
    """Who came after whom, as the passages tell."""
    views: dict[tuple[str, int], SentenceView] = {}
    for read in clauses_of(passages):
        key = read.passage.key, read.sentence.start
        view = views.setdefault(key, SentenceView(read.passage, read.sentence))
        yield from _Teller(read, view).successions()


class _Teller:
    """What one clause tells of those who came after each other."""

    def __init__(self, read: ReadClause, view: SentenceView) -> None:
        self._read, self._view = read, view

    def successions(self) -> Iterator[Succession]:
        clause = self._read.clause
        doers, done = clause.roles.get("A", []), clause.roles.get("P", [])
        if clause.lemma in _SUCCEEDS and clause.polarity:
            yield from self._pairs(done or clause.roles.get("@from", []), doers)
        if clause.lemma in _GIVES_UP and clause.polarity:
            yield from self._pairs(doers, clause.roles.get("@to", []))
        if clause.lemma == "take" and any(token.lemma.casefold() in _PLACES for token in done):
            yield from self._pairs([o for token in done for o in self._owners(token)], doers)
        for token in self._read.sentence.tokens:
            if token.lemma.casefold() in _HEIR and self._is_own(token):
                yield from self._of_heir(token)
        if clause.polarity and (doers or done):
            yield from self._after_each_other()

    def _is_own(self, token: Token) -> bool:
        """Whether a word of the sentence is of this clause and no other."""
        above = next((t for t in self._read.sentence.above(token) if t.pos in ("VERB", "AUX")), None)
        return above is self._read.clause.head or token is self._read.clause.complement

    def _of_heir(self, token: Token) -> Iterator[Succession]:
        """ "Her predecessor, Robert Tull, …", "was elected as her successor"."""
        owners = list(self._owners(token))
        roles = self._read.clause.roles
        own = [
            *(c for c in self._read.phrases.children(token) if c.relation == "appos"),
            *self._filling(token),
        ]
        own = own or [t for role in ("P", "A") for t in roles.get(role, []) if t is not token]
        pair = (owners, own) if _HEIR[token.lemma.casefold()] else (own, owners)
        yield from self._pairs(*pair)

    def _filling(self, token: Token) -> list[Token]:
        """The subject of "is her successor", or what a successor is said to be."""
        clause = self._read.clause
        if clause.complement is token:
            return clause.roles.get("A", [])
        subject = clause.roles.get("A", [])
        return [clause.complement] if clause.complement is not None and token in subject else []

    def _owners(self, token: Token) -> Iterator[Token]:
        for child in self._read.phrases.children(token):
            if child.relation == "nmod:poss" or (
                child.relation == "nmod" and self._read.phrases.case(child) in ("of", "to")
            ):
                yield child

    def _after_each_other(self) -> Iterator[Succession]:
        """ "Was run by Giles Harrow until 2005; since then his daughter has been director"."""
        passage, sentence = self._read.passage, self._read.sentence
        head = self._read.clause.head
        first, last = sentence.edges(head)
        start, end = sentence.tokens[first].start, sentence.tokens[last].end
        until = _UNTIL.search(passage.text, start, end)
        since = _SINCE.search(passage.text, until.end() if until else end, end + _FAR)
        if until is None or since is None or (since["year"] or until["year"]) != until["year"]:
            return
        if _UNTIL.search(passage.text, until.end(), since.start()):
            return  # it goes on from another
        before = self._people(start, until.start())[-1:]
        for (one, words), (other, others) in zip(before, self._others(since.end(), before), strict=False):
            yield Succession(one, other, passage, words, others)

    def _others(self, start: int, before: Sequence[tuple[str, Span]]) -> list[tuple[str, Span]]:
        known = [name for name, _ in before]
        return [each for each in self._people(start, start + _FAR) if each[0] not in known]

    def _people(self, start: int, end: int) -> list[tuple[str, Span]]:
        """The people who are named between two places."""
        people = [
            (mention.name, span)
            for mention in self._read.passage.reading.mentions
            for span in mention.spans
            if mention.entity_type == "Person" and start <= span.start < end
        ]
        return sorted(people, key=lambda each: each[1].start)

    def _pairs(self, earlier: Sequence[Token], later: Sequence[Token]) -> Iterator[Succession]:
        for one in earlier[:1]:
            for other in later[:1]:
                names = self._name(one, other), self._name(other, one)
                if all(names) and likeness(*names) < _AS_ONE:
                    yield Succession(*names, self._read.passage, self._words(one), self._words(other))

    def _name(self, token: Token, other: Token) -> str:
        """The name of a phrase, of its apposition, or of whom a pronoun stands for, who is not the other; empty where
        there is none."""
        own = self._read.phrases.argument(token, "other")
        if own.is_named:
            return own.label
        by_reading = [
            argument.label
            for proposition in self._view.propositions
            for argument in (proposition.subject, proposition.object, *proposition.arguments)
            if argument is not None and argument.resolution is not None and argument.head.start == token.start
        ]
        beside = self._read.phrases.argument(other, "other").label
        if by_reading and likeness(by_reading[0], beside) < _AS_ONE:
            return by_reading[0]
        return self._last_named(token, beside) if token.pos in ("PRON", "DET") else ""

    def _last_named(self, token: Token, beside: str) -> str:
        """The last person before who may be meant, in this sentence or the two before it."""
        gender = _GENDERS.get(token.text.casefold(), "")
        if not gender:
            return ""
        earlier = [each for each in self._read.passage.parsed if each.end <= self._read.sentence.start]
        start = earlier[-_SENTENCES:][0].start if earlier else 0
        known = self._read.passage.reading
        people = [
            (name, known.gender_of(name) or gender_of_name(name))
            for name, _ in self._people(start, token.start)
            if likeness(name, beside) < _AS_ONE
        ]
        sure = [name for name, told in people if told == gender]
        fitting = sure or [name for name, told in people if not told]
        return fitting[-1] if fitting else ""

    def _words(self, token: Token) -> Span:
        own = self._read.phrases.argument(token, "other")
        return own.span
