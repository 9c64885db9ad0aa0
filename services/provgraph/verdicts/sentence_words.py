"""A sentence of the evidence as words: its units, who its pronouns stand for, and what it denies or doubts."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from itertools import pairwise
from typing import Final

from provgraph.reading.entity_types import gender_of_name
from provgraph.reading.phrase_words import is_excepted
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.statement_manner import is_still_to_come
from provgraph.verdicts.things import Thing
from provgraph.verdicts.units import Unit, units_of

_DENIERS: Final = frozenset(
    "not n't n’t never no non none nobody nothing neither nor without cannot hardly scarcely barely absence".split()
)
_WITHHOLDERS: Final = frozenset(
    "incapable unable refuse fail lack deny avoid prevent decline cease incorrectly falsely anything except absent "
    "impossible unaware forbid ignore reject".split()
)
"""Words that take back what they govern."""
_CONDITIONS: Final = frozenset("if unless whether respectively according".split())
_WHERE: Final = frozenset(("PLACE", "ORGANIZATION"))
"""Of what it may be said that something was there."""
_REPORTS: Final = frozenset("say claim allege report believe think rumor suppose".split())
_SUBORDINATE: Final = frozenset("advcl acl acl:relcl ccomp xcomp csubj obl nmod".split())
NOT_REALLY: Final = frozenset(
    "vice deputy assistant acting associate honorary would-be alleged fictional proposed planned potential possible "
    "aspiring fake false unofficial candidate mock prospective former ex".split()
)
_DENYING_PAIRS: Final = frozenset(
    (("yet", "to"), ("everything", "but"), ("anyone", "but"), ("everyone", "but"), ("far", "from"))
)
_POSSIBLE: Final = frozenset(
    "may might could would should can possible possibly probably perhaps plan planned propose proposed expect expected "
    "nominate nominated nomination candidate attempt attempted seek consider considered allege alleged allegedly "
    "rumored believe believed claim likely potential intend intended hope suggest".split()
)


@dataclass(frozen=True)
class SentenceWords:
    """A sentence of the evidence with its units, and who its pronouns and descriptions stand for, by token."""

    number: int
    parsed: ParsedSentence
    units: Sequence[Unit]
    names: Mapping[int, Sequence[str]] = field(default_factory=dict)
    open_things: frozenset[int] = frozenset()
    open_subject: bool = False
    denied: frozenset[int] = frozenset()

    @cached_property
    def words(self) -> list[Token]:
        return [unit.head for unit in self.units if unit.kind in ("noun", "verb", "adjective", "adverb", "nation")] + [
            token for unit in self.units if unit.kind == "name" for token in unit.tokens
        ]  # fmt: skip

    @cached_property
    def unit_at(self) -> dict[int, int]:
        return {token.index: number for number, unit in enumerate(self.units) for token in unit.tokens}

    @cached_property
    def lemmas(self) -> frozenset[str]:
        return frozenset(token.lemma.lower() for token in self.parsed.tokens) | frozenset(
            token.text.lower() for token in self.parsed.tokens
        )

    def distance(self, one: int, other: int) -> int:
        """Steps of the tree from one token to the other."""
        above = list(self.chain(one))
        steps = {index: step for step, index in enumerate(above)}
        for step, index in enumerate(self.chain(other)):
            if index in steps:
                return steps[index] + step
        return 99

    def chain(self, index: int) -> Iterator[int]:
        return self.parsed.chain(index)

    def path(self, one: int, other: int) -> list[int]:
        """The tokens of the tree from one to the other, both included."""
        mine, theirs = list(self.chain(one)), list(self.chain(other))
        shared = next((index for index in mine if index in theirs), -1)
        return [*mine[: mine.index(shared) + 1], *theirs[: theirs.index(shared)]] if shared >= 0 else []

    def coordinated(self, index: int) -> Iterator[int]:
        """What it is coordinated with before it: of "Graz, Linz and Wels" Linz and Graz for Wels."""
        while index >= 0 and self.parsed.tokens[index].relation in ("conj", "appos"):
            index = self.parsed.tokens[index].head
            yield index

    def is_denied(self, index: int) -> bool:
        """Whether it is set against the others: "but not Novak"."""
        if index < 0:
            return False
        excepted = is_excepted(self.parsed.tokens[index], self.parsed)
        return index in self.denied or excepted or self._set_apart(index)

    def _set_apart(self, index: int) -> bool:
        """Whether "instead of" stands before its words, or a "not" that denies no verb."""
        at = self.unit_at.get(index)
        first = self.parsed.tokens[index] if at is None else self.units[at].tokens[0]
        before = [t for t in self.parsed.tokens[: first.index] if t.pos not in ("DET", "ADJ")][-2:]
        words = [token.text.lower() for token in before]
        if words in (["instead", "of"], ["rather", "than"]):
            return True
        if len(before) < 2 or words[1] not in ("not", "except", "unlike", "excluding"):
            return False
        return before[0].pos not in ("AUX", "VERB", "PART")

    def head_at(self, index: int) -> int:
        """The head of the unit that a token is in."""
        at = self.unit_at.get(index)
        return index if at is None else self.units[at].head.index

    def tokens_with(self, index: int) -> set[int]:
        """The tokens of the unit that a token is in: of "600 euros" both."""
        at = self.unit_at.get(index)
        return {index} if at is None else {token.index for token in self.units[at].tokens}

    def is_definite(self, index: int) -> bool:
        """Whether it may stand for something named before: "the film"."""
        words = {c.text.lower() for c in self.parsed.children[index] if c.relation == "det"}
        return bool(words & {"the", "this", "its"}) or index in self.open_things or index in self.names

    def kind_at(self, index: int) -> str:
        at = self.unit_at.get(index)
        return "" if at is None else self.units[at].kind

    def denial_near(self, at: set[int], besides: frozenset[int] = frozenset()) -> bool:
        """Whether something but those `besides` denies one of those tokens, or the verb that it hangs on."""
        return any(
            self._touches(token, at)
            for token in self.parsed.tokens
            if denies(token) and not _only_falls(token, self.parsed) and token.index not in besides
        )

    def future_near(self, at: set[int]) -> bool:
        """Whether one of those tokens is a verb that is told as still to come."""
        auxiliaries = [t for t in self.parsed.tokens if t.relation.startswith("aux")]
        if any(is_still_to_come(self.parsed.tokens[index], self.parsed) for index in at if index >= 0):
            return True
        return any(t.text.lower() in ("will", "shall", "'ll") and t.head in at for t in auxiliaries)

    def doubt_near(self, at: set[int]) -> bool:
        """Whether it is said as possible, planned, on a condition, or in the name of others."""
        return any(
            token.text.lower() in _CONDITIONS or (_is_doubtful(token) and self._touches(token, at))
            for token in self.parsed.tokens
        )

    def lessened(self, at: set[int], words: frozenset[str]) -> bool:
        """Whether one of those words is a "vice", "former" or "would-be" one, and `words` do not have that."""
        return any(
            child.text.lower() in NOT_REALLY and child.text.lower() not in words
            for index in at
            for child in self.parsed.children[index]
        )

    def _touches(self, token: Token, at: set[int]) -> bool:
        head, children = token.head, self.parsed.children[token.index]
        apart = (
            ("conj", "nsubj", "advcl") if token.pos == "VERB" else ("conj",)
        )  # who declines it is not declined
        if any(c.relation == "advcl" and c.index in at for c in children) and token.pos == "VERB":
            apart = (*apart, "nsubj:pass")  # "her claim was rejected because it was filed late": it was filed
        below = {c.index for c in children if c.relation not in apart}
        if self._is_of_them(token):
            return bool(below & at)
        is_below = (
            token.pos == "VERB" and token.relation in _SUBORDINATE
        )  # "pleaded guilty to failing to stop"
        return (head in at and not is_below) or bool(below & at) or token.index in at

    def _is_of_them(self, token: Token) -> bool:
        """Whether it is told behind a clause of those of whom that tells: "two died, neither of them of the drug"."""
        behind = [t.text.lower() for t in self.parsed.tokens[token.index + 1 : token.index + 3]]
        before = self.parsed.tokens[token.index - 1].text if token.index else ""
        return before == "," and behind in (["of", "them"], ["of", "whom"], ["of", "which"])


def _is_doubtful(token: Token) -> bool:
    if token.pos in ("PROPN", "NOUN"):
        return token.lemma.lower() in ("candidate", "nomination")
    reported = token.tag == "VBN" and token.lemma.lower() in _REPORTS
    return reported or token.text.lower() in _POSSIBLE or token.lemma.lower() in _POSSIBLE


def denies(token: Token) -> bool:
    word = token.text.lower()
    if token.index and token.text[:1].isupper():
        return False  # "Harbour Without Lamps"
    return word in _DENIERS or word in _WITHHOLDERS or token.lemma.lower() in _WITHHOLDERS


def _only_falls(token: Token, sentence: ParsedSentence) -> bool:
    """Whether what "declines" becomes less, and nothing is declined: "sales declined", "a decline in sales"."""
    below = {c.relation for c in sentence.children[token.index]}
    return token.lemma.lower() == "decline" and below.isdisjoint(("obj", "xcomp", "nsubj:pass"))


def _is_against_doing(token: Token, sentence: ParsedSentence) -> bool:
    """ "Voted against buying": what is said not to be done."""
    head = sentence.tokens[token.head] if token.head >= 0 else token
    return token.text.lower() == "against" and token.relation in ("mark", "case") and head.tag == "VBG"


def denials(sentence: ParsedSentence) -> int:
    """How many words of a sentence take back others, "has yet to" and "everything but" among them."""
    words = [token.text.lower() for token in sentence.tokens]
    pairs = list(pairwise(words))
    restricted = sum(first == "not" and second in ("only", "just", "merely") for first, second in pairs)
    return (
        sum(
            (denies(token) and not _only_falls(token, sentence)) or _is_against_doing(token, sentence)
            for token in sentence.tokens
        )
        - restricted
        + sum(pair in _DENYING_PAIRS for pair in pairs)
    )


def sentence_words(number: int, parsed: ParsedSentence, text: str, things: Sequence[Thing]) -> SentenceWords:
    """A parsed sentence of `text` as words; `things` are those that it speaks of."""
    names = {t.token.index: [*t.names, *t.also] for t in things if t.names or t.also}
    units = units_of(parsed, text)
    names |= {
        each.index: named for each in parsed.tokens if (named := _named_there(each, parsed, units, text))
    }
    opened = [t.token for t in things if t.open]
    open_subject = any(t.relation.startswith("nsubj") for t in opened) or _no_subject(parsed)
    return SentenceWords(
        number,
        parsed,
        units,
        names,
        frozenset(t.index for t in opened),
        open_subject,
        frozenset(t.token.index for t in things if t.denied),
    )


def _named_there(there: Token, parsed: ParsedSentence, units: Sequence[Unit], text: str) -> list[str]:
    """The place or institution that "there" stands for, where its sentence names one before it."""
    if there.text.lower() != "there" or there.relation != "advmod":
        return []
    before = {
        unit.head.index: text[unit.start : unit.end]
        for unit in units
        if unit.kind == "name"
        and unit.head.index < there.index
        and (unit.head.entity[2:] or gender_of_name(text[unit.start : unit.end]) or "PLACE") in _WHERE
    }
    above = parsed.chain(max(before)) if before else ()  # of "the Institute in Norway" both
    return [before[index] for index in above if index in before]


def _no_subject(parsed: ParsedSentence) -> bool:
    """Whether the sentence begins with what it says, its subject left out: "is a 1997 film"."""
    roots = parsed.roots
    return bool(roots) and not any(
        c.relation.startswith(("nsubj", "csubj", "expl")) for c in parsed.children[roots[0].index]
    )
