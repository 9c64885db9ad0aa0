"""Whether the words of a claim that one sentence has hang together there as they do in the claim: who, whom, of what.

A pair is a unit with the unit that governs it. In the sentence the governed one may fill the same role, stand near by
or apart, or another may fill its role: then the claim says of one thing what the text says of another.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from typing import Final, Literal

from provgraph.reading.happening import is_told_of_subject, stands_for_owner
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.converses import Roles, roles
from provgraph.verdicts.covers import MET, Cover
from provgraph.verdicts.nearness import VALUES, is_near
from provgraph.verdicts.role_fillers import (
    THERE,
    TRANSPARENT,
    fillers_of,
    is_opposed,
    phrases_behind,
    role_of,
)
from provgraph.verdicts.sentence_words import SentenceWords
from provgraph.verdicts.shares import of_another_share
from provgraph.verdicts.units import Unit, excluded_value
from provgraph.verdicts.within_things import compatible
from provgraph.verdicts.word_links import Link, word_way

Standing = Literal["same role", "near", "apart", "another's"]
_IN_ITS_PHRASE: Final = 3
"""Words of the tree from one to another within a phrase, both included."""
_WORTH: Final[dict[Standing, float]] = {"same role": 1.0, "near": 0.6, "apart": 0.0, "another's": -0.1}
_PLACING: Final = frozenset(("@in", "@at", "@to", "@on"))
_HAPPENS: Final = "happens"
"""The role of the subject of a verb without an object, of which is said what it would say of the object."""


@dataclass(frozen=True)
class GovernedUnit:
    """A unit and its governor, both in one sentence; `rival` fills the role that the claim gives the unit.

    `beside` says that the unit has that role in the clause beside: "costs 7 dollars for adults and is free for …".
    `why` is "share" for one apart that belongs to another's share, "part" where only something of it has the role.
    """

    unit: int
    role: str
    standing: Standing
    rival: Token | None = None
    exchanged: bool = False
    beside: bool = False
    why: Literal["share", "part", ""] = ""


def pairs(cover: Cover, sentences: Sequence[ParsedSentence]) -> list[GovernedUnit]:
    """The pairs of a claim, whose parsed sentences are given, as they stand in the sentence that covers it.

    A governor that stands several times in the sentence is taken where most of what it governs stands with it.
    """
    governed: dict[int, list[tuple[int, str]]] = {}
    for number, unit in enumerate(cover.units):
        role, above = _claimed_role(unit, cover.units, sentences)
        if above >= 0 and cover.met(above):
            governed.setdefault(above, []).append((number, role))
    units = []
    for above, below in governed.items():
        places = dict.fromkeys(link.at for link in _best_of(above, cover) if link.worth >= MET)
        readings = [[_standing(number, role, at, cover) for number, role in below] for at in places]
        units += _taken(readings)
    units = _exchanged(units, cover)
    units = [replace(p, standing="apart", why="share") if _of_other_share(p, cover) else p for p in units]
    units += [pair for number in range(len(cover.units)) for pair in _told_of_subject(number, cover)]
    return sorted(units, key=lambda pair: pair.unit)


def _taken(readings: Sequence[list[GovernedUnit]]) -> list[GovernedUnit]:
    """Of the places of a governor, each with all that the claim has below it, the one where most stands with it.

    What stands apart there is of another of them: "grazed at night" beside "grazed during the day".
    """
    best = max(readings, key=lambda some: sum(_WORTH[pair.standing] for pair in some), default=[])
    fits = {pair.unit for some in readings for pair in some if pair.standing == "same role"}
    apart = {p.unit for p in best if p.standing == "apart" and len(readings) > 1}
    return [
        replace(p, why="share") if p.unit in apart and (p.unit in fits or p.role.startswith("@")) else p
        for p in best
    ]


def _exchanged(units: Sequence[GovernedUnit], cover: Cover) -> list[GovernedUnit]:
    """The pairs, with two nouns of which each has the other's role marked: "two of the dogs were killed by sheep"."""
    fills = {
        pair.unit: _fillers_of_pair(pair, cover)
        for pair in units
        if pair.standing in ("near", "apart") and cover.units[pair.unit].kind in ("noun", "name")
    }
    at = {number: link.at for number in fills if (link := cover.links[number]) is not None and link.at >= 0}
    turned = {
        one: at[other] for one in at for other in at
        if one != other and at[other] in fills[one] and at[one] in fills[other]
    }  # fmt: skip
    assert cover.sentence is not None or not turned
    tokens = cover.sentence.parsed.tokens if cover.sentence is not None else ()
    return [
        replace(p, standing="another's", rival=tokens[turned[p.unit]], exchanged=True)
        if p.unit in turned
        else p
        for p in units
    ]


def _fillers_of_pair(pair: GovernedUnit, cover: Cover) -> frozenset[int]:
    """What fills the pair's role in the sentence, under what meets its governor."""
    governor = cover.links[cover.units[pair.unit].above]
    if cover.sentence is None or governor is None or governor.at < 0 or pair.role == "mod":
        return frozenset()
    turned = (unit_above(cover, pair.unit) == "verb") != (
        cover.sentence.parsed.tokens[governor.at].pos == "VERB"
    )
    everyone = fillers_of(governor.at, cover.sentence.parsed)
    return frozenset(index for role, index in everyone if _fits(pair.role, role, turned))


def _best_of(number: int, cover: Cover) -> Sequence[Link]:
    """Where a unit is met, but for a word only where it stands itself, if it does: who "acted" is no "play"."""
    options = cover.options[number]
    same = [option for option in options if option.way == "same"]
    return same if same and cover.units[number].kind not in ("name", "nation") else options


def _of_other_share(pair: GovernedUnit, cover: Cover) -> bool:
    """Whether what meets it belongs to another: "four cups to Ada, five to Ben"."""
    link, governor = cover.links[pair.unit], cover.links[cover.units[pair.unit].above]
    if cover.sentence is None or link is None or governor is None:
        return False
    met = frozenset(i for at in cover.at for i in cover.sentence.tokens_with(at))
    others = of_another_share(cover.sentence.parsed, met, governor.at)
    return not others.isdisjoint(cover.sentence.tokens_with(link.at) | {governor.at})


def _told_of_subject(number: int, cover: Cover) -> Iterator[GovernedUnit]:
    """A value under a verb that says next to nothing ("was made in 1995") belongs to the subject of that verb."""
    unit = cover.units[number]
    above = unit.above
    if unit.kind not in VALUES or above < 0 or not cover.units[above].light or cover.met(above):
        return
    for subject, other in enumerate(cover.units):
        link, mine = cover.links[subject], cover.links[number]
        told = other.above == above and other.head.relation.startswith("nsubj") and other.kind == "name"
        if told and link is not None and mine is not None and link.at >= 0 and mine.at >= 0:
            yield GovernedUnit(number, "of", "near" if _nearest(number, mine.at, link.at, cover) else "apart")


def _nearest(number: int, at: int, subject: int, cover: Cover) -> bool:
    """Whether no other value of the sort is nearer to the subject, and no other name to the value."""
    assert cover.sentence is not None
    sentence, steps = cover.sentence, cover.sentence.distance(at, subject)
    for unit in sentence.units:
        index = unit.head.index
        if (
            unit.kind == cover.units[number].kind
            and index != at
            and sentence.distance(index, subject) < steps
        ):
            return False
        if unit.kind == "name" and index != subject and sentence.distance(index, at) < steps:
            return False
    return True


def _claimed_role(unit: Unit, units: Sequence[Unit], sentences: Sequence[ParsedSentence]) -> tuple[str, int]:
    """The role of a unit under the unit that governs it; a coordinated one has that of the first."""
    sentence = next(s for s in sentences if s.start <= unit.start < s.end)
    alike = unit.above >= 0 and {unit.kind, units[unit.above].kind} <= {"name", "noun"}
    if unit.head.relation == "conj" and unit.above >= 0 and (alike or units[unit.above].kind == unit.kind):
        return _claimed_role(units[unit.above], units, sentences)
    if unit.above < 0:
        return "", -1
    inside = {token.index for token in units[unit.above].tokens}
    token = unit.head
    while token.head >= 0 and token.head not in inside:
        token = sentence.tokens[token.head]
    role = role_of(token, sentence)
    told = role == "A" and token.head >= 0 and is_told_of_subject(sentence.tokens[token.head], sentence)
    return _HAPPENS if told else role, unit.above


def _standing(number: int, role: str, governor: int, cover: Cover) -> GovernedUnit:
    assert cover.sentence is not None
    sentence, unit = cover.sentence, cover.units[number]
    own = _places(number, cover)
    if role == _HAPPENS:
        objects = _objects_of(governor, sentence)
        if objects:
            met = any(_is_at(at, index, "P", sentence) for at in own for index in objects)
            return GovernedUnit(number, "A", "same role" if met else "apart", why="" if met else "part")
        role = "A"
    if governor < 0:
        return GovernedUnit(number, role, "near" if own else "apart")
    turned = (unit_above(cover, number) == "verb") != (sentence.parsed.tokens[governor].pos == "VERB")
    everyone = list(fillers_of(governor, sentence.parsed))
    theirs, plain = _converse(cover, number, governor), "of" if role == "@of" else role
    if theirs is not None and plain in theirs:
        return _exchanged_standing(number, role, theirs[plain], everyone, own, cover)
    fillers = [index for other, index in everyone if _fits(role, other, turned)]
    if any(_is_at(at, index, role, sentence) for at in own for index in fillers):
        return GovernedUnit(number, role, "same role")
    rival = next((i for i in fillers if _rivals(number, role, i, cover)), None) if role != "mod" else None
    if rival is not None:
        return _of_another(number, role, rival, cover)
    if fillers and own and all(_is_beside(at, governor, role, sentence) for at in own):
        filler = sentence.parsed.tokens[fillers[0]]
        return GovernedUnit(number, role, "another's", filler, beside=True)
    elsewhere = {i for other, i in everyone if other in ("A", "P", "of") or other.startswith("@")} - set(
        fillers
    )
    opposed = [at for at in own if is_opposed(at, role, sentence.parsed)]
    if opposed:
        return GovernedUnit(number, role, "another's", sentence.parsed.tokens[opposed[0]], beside=True)
    if fillers and own and all(_is_in_clause_below(at, governor, sentence.parsed) for at in own):
        return GovernedUnit(number, role, "apart")
    left = [at for at in own if not _is_of_filler(number, at, governor, role, cover)]
    unnamed = role != "A" or not fillers or any(_is_open(index, sentence) for index in fillers)
    near = any(
        unnamed if at < 0 else at not in elsewhere and is_near(at, governor, role, unit, sentence)
        for at in left
    )
    return GovernedUnit(number, role, "near" if near else "apart", why="part" if own and not left else "")


def _is_in_clause_below(at: int, governor: int, sentence: ParsedSentence) -> bool:
    """Whether a word stands in an adverbial clause under another: "in the hall, as the library is being painted"."""
    chain = list(sentence.chain(at)) if at >= 0 else []
    below = chain[: chain.index(governor)] if governor in chain else []
    return any(sentence.tokens[index].relation.startswith("advcl") for index in below)


def _objects_of(governor: int, sentence: SentenceWords) -> list[int]:
    """To what a verb happens, but for how much ("grew 5 %") and what stands for the subject ("closed its doors"); a
    clause that a parser hung on it is nothing to which it happens: "Erik became a judge; Nils drowned"."""
    if governor < 0:
        return []
    objects = [index for role, index in fillers_of(governor, sentence.parsed) if role == "P"]
    return [
        i
        for i in objects
        if sentence.kind_at(i) not in VALUES
        and sentence.parsed.tokens[i].pos != "VERB"
        and not stands_for_owner(sentence.parsed.tokens[i], sentence.parsed)
    ]


def _places(number: int, cover: Cover) -> list[int]:
    """Where a unit is met, but for words that another unit of the claim has itself: the church is no tower there."""
    link = cover.links[number]
    own = -2 if link is None else link.at  # no token's
    return [
        option.at
        for option in cover.options[number]
        if option.worth >= MET and (option.at == own or option.at not in cover.literal)
    ]


def _converse(cover: Cover, number: int, governor: int) -> Roles | None:
    """The roles of the word that stands for the unit's governor, where that tells the same from the other side."""
    assert cover.sentence is not None
    above = cover.units[number].above
    if not any(link.way == "converse" and link.at == governor for link in cover.options[above]):
        return None
    token = cover.sentence.parsed.tokens[governor]
    said = next((u.head.lemma for u in cover.sentence.units if u.head.index == governor), token.lemma)
    return roles(cover.units[above].head.lemma.lower(), said.lower())


def _exchanged_standing(
    number: int,
    role: str,
    wanted: frozenset[str],
    everyone: list[tuple[str, int]],
    own: list[int],
    cover: Cover,
) -> GovernedUnit:
    """The standing below a converse: in one of the `wanted` roles, or not at all."""
    assert cover.sentence is not None
    sentence = cover.sentence
    behind = [each for other, i in everyone if other == "P" for each in phrases_behind(i, sentence.parsed)]
    fillers = [i for other, i in [*everyone, *behind] if any(_fits(each, other, False) for each in wanted)]
    if any(_is_at(at, index, "@", sentence) for at in own for index in fillers):
        return GovernedUnit(number, role, "same role")
    rival = next((i for i in fillers if _rivals(number, role, i, cover)), None)
    if rival is None:
        return GovernedUnit(number, role, "apart")
    return _of_another(number, role, rival, cover)


def _of_another(number: int, role: str, rival: int, cover: Cover) -> GovernedUnit:
    """The standing where a rival fills the role: exchanged where another unit of the claim is met by it."""
    assert cover.sentence is not None
    others = {
        link.at for i, some in enumerate(cover.options) if i != number for link in some if link.worth >= MET
    }
    token = cover.sentence.parsed.tokens[rival]
    return GovernedUnit(number, role, "another's", token, exchanged=rival in others)


def _is_at(at: int, index: int, role: str, sentence: SentenceWords) -> bool:
    """Whether the unit is met by what fills the role, or within its phrase; -1 is a subject that is not named."""
    if at < 0:
        return _is_open(index, sentence)
    if at == index or sentence.parsed.tokens[index].pos == "VERB":  # who is to be paid is not ordered to pay
        return at == index
    path = sentence.path(at, index)
    relations = {sentence.parsed.tokens[i].relation for i in path if i != index}
    if "conj" in relations:
        return False
    owned = not relations.isdisjoint(("nmod", "nmod:poss"))
    inside = not owned or role not in ("A", "P")  # the wife of the painter Orth is not Orth
    if not inside or len(path) > _IN_ITS_PHRASE or index not in sentence.chain(at):
        return False
    clauses = (each for each in path if each not in (at, index))  # "the book on which the film is based"
    return not any(sentence.parsed.tokens[clause].pos == "VERB" for clause in clauses)


def _is_open(index: int, sentence: SentenceWords) -> bool:
    """Whether it may stand for what the sentence does not name."""
    return sentence.parsed.tokens[index].pos in ("PRON", "DET") or index in sentence.open_things


def unit_above(cover: Cover, number: int) -> str:
    above = cover.units[number].above
    return cover.units[above].kind if above >= 0 else ""


def _is_beside(at: int, governor: int, role: str, sentence: SentenceWords) -> bool:
    """Whether it has that role, with a preposition, below a word that the governor is coordinated with."""
    tokens = sentence.parsed.tokens
    if at < 0 or not role.startswith("@") or role_of(tokens[at], sentence.parsed) != role:
        return False
    above = set(sentence.chain(tokens[at].head))
    first = next((i for i in sentence.chain(governor) if i in above), -1)
    parted = governor not in above and tokens[governor].pos in ("VERB", "ADJ")
    return parted and first in sentence.coordinated(governor)


def _is_of_filler(number: int, at: int, governor: int, role: str, cover: Cover) -> bool:
    """Whether only something of it fills the role: who wrote the libretto of an opera did not write the opera."""
    assert cover.sentence is not None
    sentence = cover.sentence
    token = sentence.parsed.tokens[at]
    if at < 0 or role not in ("A", "P") or token.relation != "nmod" or token.head in cover.at:
        return False
    above = sentence.parsed.tokens[token.head]
    if above.text.lower() in {token.text.lower() for token in cover.units[number].tokens}:
        return False
    fillers = fillers_of(governor, sentence.parsed)
    fills = any(index == above.index and (other == role or other.startswith("@")) for other, index in fillers)
    return fills and above.pos == "NOUN" and above.lemma.lower() not in TRANSPARENT


def _fits(role: str, other: str, turned: bool) -> bool:
    """Whether two roles are one; `turned` says that the claim has a verb where the text has a noun, or the reverse."""
    if role == other:
        return True
    if turned and {role, other} <= {"A", "P", "of", "@of", "@by"}:
        return True
    if THERE in (role, other):
        return not _PLACING.isdisjoint((role, other))
    if role.startswith("@") and other.startswith("@"):
        return compatible(role[1:], other[1:])
    return (
        {role, other} <= {"@of", "of", "mod"}
        or {role, other} == {"A", "appos"}
        or {role, other} in ({"P", "@as"}, {"P", "obl:tmod"})
        or (role == "mod" and other.startswith("@"))
    )


def _rivals(number: int, role: str, index: int, cover: Cover) -> bool:
    """Whether what fills the role is of the unit's sort and another one."""
    assert cover.sentence is not None
    unit, sentence = cover.units[number], cover.sentence
    at = sentence.unit_at.get(index)
    if at is None:
        return unit.kind == "name" and bool(sentence.names.get(index))
    other = sentence.units[at]
    if unit.kind in VALUES:
        return excluded_value(unit, other)
    if unit.kind == "name":  # "every April" is none
        return (other.kind == "name" and other.head.relation != "obl:tmod") or (
            role in ("A", "P") and other.kind == "noun" and not sentence.is_definite(index)
        )
    if unit.kind != other.kind == "adjective" or unit.kind == "adjective":  # "voted for red"
        plain = all(each.head.relation in ("obj", "nsubj", "obl", "nmod") for each in (unit, other))
        return plain and word_way(unit.head, other.head) in ("sibling", "apart", "opposite")
    if unit.kind != "noun" or other.kind not in ("noun", "name"):
        return False
    return not cover.met(number) or word_way(unit.head, other.head) in ("sibling", "apart", "opposite")
