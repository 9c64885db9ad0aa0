"""A claim and a sentence of which one denies what the other says: whether they are about the same, so that one of them
is false. What is denied in other words is mostly said in other words where nothing is denied."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.sentence_words import denies
from provgraph.verdicts.tree_objections import Objection

_NOTHING: Final = frozenset("no nobody none nothing neither nowhere".split())
_INDEFINITE: Final = _NOTHING | {"anything"}


def excludes_by_denial(reading: Reading, parts: Sequence[Objection]) -> bool:
    """Whether the sentence excludes a claim by what one of the two denies; `parts` are the other objections."""
    return (not reading.denied or _is_in_own_words(reading, parts)) and _denies_the_same(reading, parts)


def _is_in_own_words(reading: Reading, parts: Sequence[Objection]) -> bool:
    """Whether the sentence has every word of the claim itself, in its place: not "the single daily train" for "no more
    than one train a day"."""
    units = reading.best.units
    rest = [i for i, unit in enumerate(units) if not (unit.light or unit.kind == "name" or denies(unit.head))]
    links = [reading.best.links[i] for i in rest]
    in_place = all(p.standing == "same role" for p in reading.pairs if p.unit in rest)
    said = all(link is not None and link.way == "same" for link in links)
    return said and in_place and not any(part.grave for part in parts)


def _denies_the_same(reading: Reading, parts: Sequence[Objection]) -> bool:
    """Whether the one of the two says what the other denies: most of it, its main word and all its verbs among them.

    Of what is denied of nothing or nobody ("No mill is larger") all must be met in the same roles.
    """
    units = reading.best.units
    if _is_said_elsewhere(reading):
        return False  # paid nothing for 2020, but paid for 2021
    open_ = [
        u
        for u in (units[p.unit] for p in parts if p.kind == "unmet" and p.unit is not None)
        if not denies(u.head)
    ]
    if any(token.text.lower() in _NOTHING for s in reading.claim.meaning.parsed for token in s.tokens):
        return not open_ and all(part.kind == "unmet" for part in parts) and not _says_the_most(reading)
    if _lacks_by_other_word(reading):
        return False
    if any(unit.kind == "name" for unit in open_):
        return False
    verbs = [i for i, unit in enumerate(units) if unit.kind == "verb"]
    if any(denies(units[i].head) for i in verbs) and not any(map(reading.best.met, verbs)):
        return False  # of what is forbidden the sentence does not speak
    narrowing = (units[p.unit].head for p in parts if p.kind == "apart" and p.unit is not None)
    if any(word.relation in ("compound", "amod") for word in narrowing):
        return False  # photography is allowed, but flash is not
    told = sum(not unit.light for unit in units) - 1  # of the one that is spoken of
    instead = {p.unit for p in reading.pairs if p.role == "P" and units[p.unit].kind == "noun"}
    if any(part.kind == "another's" and part.unit in instead for part in parts):
        return False
    doers = {p.unit for p in reading.pairs if p.role in ("A", "P") and p.standing == "apart"}
    if any(
        units[i].kind in ("noun", "name")
        and reading.best.met(i)
        and units[i].head.relation.startswith("nsubj")
        for i in doers
    ):
        return False  # staff were told, but visitors were not
    return len(open_) * 2 < max(1, told) and _main_met(reading) and all(u.kind != "verb" for u in open_)


def _says_the_most(reading: Reading) -> bool:
    """Whether the claim compares all others, and the sentence has it for the most: "nothing is older", "the oldest"."""
    said = reading.best.sentence.parsed.tokens if reading.best.sentence is not None else ()
    claimed = {token.tag for each in reading.claim.meaning.parsed for token in each.tokens}
    return not claimed.isdisjoint(("JJR", "RBR")) and any(token.tag in ("JJS", "RBS") for token in said)


def _lacks_by_other_word(reading: Reading) -> bool:
    """Whether the claim says "without" what no noun of the sentence is: "without a teacher", "taught himself"."""
    said = reading.best.sentence.parsed.tokens if reading.best.sentence is not None else ()
    for unit, link in zip(reading.best.units, reading.best.links, strict=True):
        sentence = reading.claim.sentence_at(unit.start)
        lacking = any(c.text.lower() == "without" for c in sentence.children[unit.head.index])
        if lacking and unit.kind == "noun" and (link is None or link.at < 0 or said[link.at].pos != "NOUN"):
            return True
    return False


def _is_said_elsewhere(reading: Reading) -> bool:
    """Whether the sentence has the main verb of the claim twice, once denied and once not."""
    number = reading.best.sentence.number if reading.best.sentence is not None else -1
    top = [i for i, unit in enumerate(reading.best.units) if unit.above < 0 and unit.kind == "verb"]
    places = {link.at for i in top for link in reading.best.options[i] if link.way == "same"}
    said = [s.positive for s in reading.meaning.statements if s.sentence == number and s.clause in places]
    return len(places) > 1 and {True, False} <= set(said)


def _main_met(reading: Reading) -> bool:
    """Whether the sentence has the main word of the claim, or what a light or denying word in its place governs."""
    units = reading.best.units
    passed = {
        i for i, u in enumerate(units) if u.light or denies(u.head) or u.head.lemma.lower() in _INDEFINITE
    }
    top = [i for i, u in enumerate(units) if i not in passed and (u.above < 0 or u.above in passed)]
    return any(units[i].kind != "name" for i in top) and all(
        reading.best.met(i) for i in top if units[i].kind in ("verb", "noun", "adjective")
    )
