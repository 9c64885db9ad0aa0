"""How much of something a phrase speaks of: "all of the flour", "half the members", "at least two thirds of the work".

`with_portions` hangs such words on the noun that they count, as "all" hangs on "all members", so that statements and
words both read the noun as what is spoken of. `Portion` is the share of it, from `least` to `most`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.trees import is_tree

_SOME, _NEARLY = 0.01, 0.99
_SHARES: Final = {"half": 1 / 2, "third": 1 / 3, "quarter": 1 / 4, "fifth": 1 / 5, "tenth": 1 / 10}
_PARTS: Final = frozenset("third quarter fifth tenth".split())
_COUNTS: Final = {"a": 1, "one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "seven": 7, "nine": 9}
_WHOLE: Final = frozenset("all every each both".split())
_MOST: Final = frozenset("most majority".split())
_SOME_OF: Final = frozenset("some several many".split())
_FEW: Final = frozenset("few minority".split())
_ROLES: Final = ("nsubj", "obj", "iobj", "obl", "nmod", "conj")
_EVERYBODY: Final = frozenset("they them we us you everyone everybody everything these those".split())
_LIMITS: Final = {
    "at least": (0, 1), "more than": (0, 1), "over": (0, 1), "less than": (1, 0), "fewer than": (1, 0),
    "under": (1, 0), "at most": (1, 0), "no more than": (1, 0), "up to": (1, 0), "nearly": (1, 0), "almost": (1, 0),
}  # fmt: skip
"""Which end of the share a bound leaves open: the upper one, or the lower one."""
_DEFINITE: Final = frozenset("the this that these those its his her their".split())


@dataclass(frozen=True)
class Portion:
    """The share of a whole, between 0 and 1, and the words for it."""

    least: float
    most: float
    words: str

    def within(self, other: Portion) -> bool:
        return other.least - 0.001 <= self.least and self.most <= other.most + 0.001

    def apart(self, other: Portion) -> bool:
        return self.most < other.least - 0.001 or other.most < self.least - 0.001


_ALONE: Final = {
    **{word: Portion(1, 1, word) for word in _WHOLE},
    **{word: Portion(0.5 + _SOME, _NEARLY, word) for word in _MOST},
    **{word: Portion(_SOME, 1.0, word) for word in _SOME_OF},
    **{word: Portion(_SOME, 0.5 - _SOME, word) for word in _FEW},
    "none": Portion(0, 0, "none"),
}


def with_portions(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with each word for a portion hung on the noun that it counts; itself where there is none."""
    changes: dict[int, tuple[int, str]] = {}
    for token in sentence.tokens:
        if not changes.keys().isdisjoint({token.index, token.head}):
            continue
        changes |= _of_partitive(sentence, token) or _before_article(sentence, token)
    tokens = tuple(
        replace(t, head=changes[t.index][0], relation=changes[t.index][1]) if t.index in changes else t
        for t in sentence.tokens
    )
    well_formed = bool(changes) and is_tree([token.head for token in tokens])
    return ParsedSentence(tokens, sentence.start, sentence.end) if well_formed else sentence


def portion(noun: Token, sentence: ParsedSentence, claimed: bool = False) -> Portion | None:
    """What part of a noun is spoken of, None where no word says so. In a claim "most" may be all."""
    for child in sentence.children[noun.index]:
        before = child.index < noun.index and child.relation in ("det", "det:predet", "amod", "nummod")
        share = _share(child, sentence, claimed) if before else None
        if share is not None:
            return share
    return None


def met_portion(
    claimed: Portion | None,
    said: Portion | None,
    determiner: str,
    plural: bool,
    *,
    said_of_one: bool = False,
) -> Literal["entailed", "contradicted", "not said"]:
    """What a portion of the text means for that of the claim, whose noun has `determiner` where it has no portion.
    Where the text tells of one ("a single opera"), there are not several."""
    if said_of_one and claimed is not None and claimed.words in ("several", "many"):
        return "not said"
    if claimed is None:
        part = said is not None and said.least < 1 and (determiner in _DEFINITE or not plural)
        return "not said" if part else "entailed"
    if said is None:
        return "entailed" if claimed.least <= _SOME and claimed.most == 1 else "not said"
    if said.within(claimed):
        return "entailed"
    return "contradicted" if said.apart(claimed) else "not said"


def met_share(claimed: str, said: str) -> Literal["entailed", "contradicted", "not said"]:
    """The same for words that stand alone: what "most of them" means for "all of them"; "two of them" or "a woman"
    means nothing for it."""
    mine, theirs = (_ALONE.get(word.lower()) for word in (claimed, said))
    if mine is not None and theirs is None and said.lower() not in _EVERYBODY:
        return "not said"
    if mine is None or theirs is None or theirs.within(mine):
        return "entailed"
    return "contradicted" if theirs.apart(mine) else "not said"


def tells_part(sentences: Sequence[ParsedSentence]) -> bool:
    """Whether they speak of a part of something: "half of the gates", "some gates"."""
    shares = (portion(token, each, claimed=True) for each in sentences for token in each.tokens)
    return any(share is not None and share.least < 1 for share in shares)


def portions_not_met(
    claim: Sequence[ParsedSentence], met: Sequence[tuple[Token, int]], said: ParsedSentence
) -> set[str]:
    """How portions of the text fail those of the claim: `met` are nouns of the claim and where they are met in it."""
    findings: set[str] = set()
    for noun, at in met:
        sentence = next(s for s in claim if s.start <= noun.start < s.end)
        mine, theirs = portion(noun, sentence, claimed=True), portion(said.tokens[at], said)
        articles = [c.text.lower() for c in sentence.children[noun.index] if c.relation == "det"]
        if mine is not None or theirs is not None:
            findings.add(met_portion(mine, theirs, next(iter(articles), ""), noun.tag in ("NNS", "NNPS")))
    return findings - {"entailed"}


def _share(word: Token, sentence: ParsedSentence, claimed: bool) -> Portion | None:
    lemma = word.text.lower().removesuffix("s") if word.text.lower() != "less" else ""
    text = " ".join(t.text for t in sentence.subtree(word) if t.text.lower() != "of")
    top = 1.0 if claimed else _NEARLY
    if word.text.lower() in _WHOLE:
        return Portion(1, 1, text) if not _is_lessened(word, sentence) else None
    if word.text.lower() in _MOST:
        return Portion(0.5 + _SOME, top, text) if word.tag != "RBS" else None
    if word.text.lower() in _SOME_OF:
        return Portion(_SOME, 1.0, text)
    if word.text.lower() in _FEW:
        return Portion(_SOME, 0.5 - _SOME, text)
    if lemma == "half" or (lemma in _PARTS and _is_fraction(word, sentence)):
        return _bounded(_SHARES[lemma] * _count(word, sentence), word, sentence, text)
    return None


def _is_lessened(word: Token, sentence: ParsedSentence) -> bool:
    """ "Not all", "nearly all": less than all of them."""
    before = sentence.tokens[word.index - 1].text.lower() if word.index else ""
    return before in ("not", "nearly", "almost")


def _bounded(share: float, word: Token, sentence: ParsedSentence, text: str) -> Portion:
    words = [t.text.lower() for t in sentence.tokens[max(0, sentence.edges(word)[0] - 3) : word.index]]
    before = f" {' '.join(words)} "
    for bound, (lower, upper) in _LIMITS.items():
        if f" {bound} " in before:
            return Portion(_SOME if lower else share, 1 if upper else share, text)
    near = 0.04 if {"about", "around", "roughly", "approximately"} & set(words) else 0
    return Portion(share - near, share + near, text)


def _is_fraction(word: Token, sentence: ParsedSentence) -> bool:
    before = sentence.tokens[word.index - 1].text.lower() if word.index else ""
    is_ordinal = word.relation == "amod" and not word.text.endswith("s")  # "a third crane"
    return before in _COUNTS and not is_ordinal


def _count(word: Token, sentence: ParsedSentence) -> int:
    before = sentence.tokens[word.index - 1].text.lower() if word.index else ""
    return _COUNTS.get(before, 1) if word.text.lower().removesuffix("s") in _PARTS else 1


def _of_partitive(sentence: ParsedSentence, word: Token) -> dict[int, tuple[int, str]]:
    """ "Half of the flour": the flour is what is spoken of, half of it."""
    children = sentence.children[word.index]
    if _share(word, sentence, False) is None or not word.relation.startswith(_ROLES):
        return {}
    whole = next((c for c in children if c.index > word.index and c.relation in ("nmod", "obl")), None)
    if whole is None or whole.pos not in ("NOUN", "PROPN"):
        return {}
    of = next((c for c in sentence.children[whole.index] if c.relation == "case"), None)
    if of is None or of.text.lower() != "of" or of.index != word.index + 1:
        return {}
    changes = {whole.index: (word.head, word.relation), word.index: (whole.index, "det")}
    changes[of.index] = (word.index, "det")
    return changes | {c.index: (whole.index, c.relation) for c in _outer(children, word, whole)}


def _outer(children: Sequence[Token], word: Token, whole: Token) -> Iterator[Token]:
    """What hangs on the portion and belongs to the noun: its preposition, and what follows it."""
    for child in children:
        if child.index != whole.index and (
            child.relation in ("case", "punct", "cc") or child.index > word.index
        ):
            yield child


def _before_article(sentence: ParsedSentence, word: Token) -> dict[int, tuple[int, str]]:
    """ "Half the flour", "all the members" with the first word hung elsewhere."""
    after = sentence.tokens[word.index + 1 : word.index + 2]
    if word.text.lower() not in ("half", "all", "both") or not after or sentence.children[word.index]:
        return {}
    if after[0].relation not in ("det", "nmod:poss") or after[0].head <= after[0].index:
        return {}
    return {word.index: (after[0].head, "det:predet")} if word.head != after[0].head else {}
