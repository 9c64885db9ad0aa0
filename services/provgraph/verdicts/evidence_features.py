"""What is counted of a claim laid on evidence: the values from which the chances of each verdict are reckoned."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Final

from provgraph.language import wordnet
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.covers import MET
from provgraph.verdicts.judgement import Element
from provgraph.verdicts.tree_objections import Objection
from provgraph.verdicts.units import Unit
from provgraph.verdicts.word_links import Link

NAMES: Final = (
    "met in one sentence", "met in two", "met in the text", "names unmet", "values unmet", "nouns unmet",
    "verbs unmet", "adjectives unmet", "deciding words unmet", "loosely met", "same role", "apart",
    "role of another name", "role of another value", "exchanged", "unanchored", "value rival", "place rival",
    "name rival", "opposite", "other kind", "sibling", "wider",
    "type of another kind", "other modifier", "rest met, one rival", "denied", "denial differs", "only", "doubt",
    "topic met", "topic unnamed", "units",
    "strictly entailed", "strictly contradicted", "all met", "grave objections", "other objections", "against",
    "all met in the same roles", "all met, some apart", "topic met, the rest not", "all met but one kind",
    "nothing hangs together", "near by", "in its own words", "all in its own words", "parts not said",
)  # fmt: skip
_GROUPS: Final = ("name", "value", "noun", "verb", "adjective")


def topic_of(units: Sequence[Unit]) -> int:
    """The number of the unit that the claim is about: the subject's name, else the first name, else the first unit."""
    names = [i for i, unit in enumerate(units) if unit.kind == "name"]
    subjects = [i for i in names if units[i].head.relation.startswith("nsubj")]
    return next(iter([*subjects, *names]), 0)


def features(
    reading: Reading, against: Sequence[Objection], strict: Sequence[Element], contradicted: bool
) -> list[float]:
    """The values named in `NAMES`.

    `against` are the objections, `strict` the table by statements, `contradicted` whether that refutes.
    """
    entailed = sum(element.relation == "entailed" for element in strict) / (len(strict) or 1)
    unsaid = sum(element.relation == "not said" for element in strict)
    values = {**_unmet(reading), **_hanging(reading), **_rivals(reading), **_said(reading)}
    all_met, topic_met, share = values["all met"], values["topic met"], reading.two.share
    values |= {
        "strictly entailed": entailed,
        "strictly contradicted": float(contradicted),
        "parts not said": contradicted * min(unsaid, 3) / 3,
        "grave objections": min(sum(objection.grave for objection in against), 3) / 3,
        "other objections": min(sum(not objection.grave for objection in against), 3) / 3,
        "against": min(sum(objection.against for objection in against), 3) / 3,
        "all met in the same roles": all_met * values["same role"],
        "all met, some apart": all_met * values["apart"],
        "topic met, the rest not": topic_met * (1 - share),
        "all met but one kind": topic_met * share * (1 - all_met),
    }
    return [round(float(values[name]), 3) for name in NAMES]


def _links(reading: Reading) -> Iterator[tuple[Link | None, Unit]]:
    return zip(reading.best.links, reading.best.units, strict=True)


def _unmet(reading: Reading) -> dict[str, float]:
    """How much is met, and what is not."""
    units, unmet = reading.best.units, [i for i in reading.unmet if not reading.best.units[i].light]
    groups = [_group(units[i]) for i in unmet]
    met = [link for link in reading.two.links if link is not None and link.worth >= MET]
    own = [link is not None and link.way == "same" for link, unit in _links(reading) if not unit.light]
    return {
        "in its own words": sum(own) / (len(own) or 1),
        "all in its own words": all(own),
        "met in one sentence": reading.best.share,
        "met in two": reading.two.share,
        "met in the text": reading.whole.share,
        **{f"{group}s unmet": min(groups.count(group), 3) / 3 for group in _GROUPS},
        "deciding words unmet": any(units[i].deciding for i in reading.unmet),
        "loosely met": 1 - sum(link.worth for link in met) / (len(met) or 1),
        "all met": not unmet,
        "units": min(math.log1p(len(units)), 3.0) / 3,
    }


def _hanging(reading: Reading) -> dict[str, float]:
    """How far the units hang together in the sentence as they do in the claim."""
    units, pairs = reading.best.units, reading.pairs
    others = [pair for pair in pairs if pair.standing == "another's"]
    named = [governed_unit for governed_unit in others if units[governed_unit.unit].kind == "name"]
    alone = [
        unit for i, unit in enumerate(units)
        if unit.kind in ("name", "date", "number") and unit.above >= 0 and not reading.best.met(unit.above)
        and i not in reading.unmet
    ]  # fmt: skip
    apart = sum(pair.standing == "apart" and pair.unit not in reading.unmet for pair in pairs)
    return {
        "nothing hangs together": not pairs,
        "near by": sum(pair.standing == "near" for pair in pairs) / (len(pairs) or 1),
        "same role": sum(pair.standing == "same role" for pair in pairs) / len(pairs) if pairs else 0.5,
        "apart": apart / (len(pairs) or 1),
        "role of another name": min(len(named), 2) / 2,
        "role of another value": min(len(others) - len(named), 2) / 2,
        "exchanged": any(governed_unit.exchanged for governed_unit in named),
        "unanchored": min(len(alone), 3) / 3,
    }


def _rivals(reading: Reading) -> dict[str, float]:
    """What stands in the place of what is not met."""
    rivals = reading.rivals
    near = {rival.kind for rival in rivals.values() if rival.near}
    taken = bool(rivals) or any(pair.standing == "another's" for pair in reading.pairs)
    rest = [i for i in reading.unmet if i not in rivals and not reading.best.units[i].light]
    return {
        "value rival": bool(near & {"date", "number", "ordinal"}),
        "place rival": "place" in near,
        "name rival": "name" in near,
        "opposite": "opposite" in near,
        "other kind": "apart" in near,
        "sibling": "sibling" in near,
        "wider": "wider" in near,
        "type of another kind": _other_kind(reading),
        "other modifier": _other_modifier(reading),
        "rest met, one rival": taken and not rest,
    }


def _said(reading: Reading) -> dict[str, float]:
    """How the sentence says it, and of what."""
    topic = reading.best.links[topic_of(reading.best.units)]
    return {
        "denied": reading.denied,
        "denial differs": reading.denied != reading.said_denied,
        "only": reading.says_only and not reading.said_only,
        "doubt": reading.doubted,
        "topic met": topic is not None and topic.worth >= MET and topic.at >= 0,
        "topic unnamed": topic is not None and topic.at < 0,
    }


def _other_kind(reading: Reading) -> float:
    """1 where the text says that it is of another field of meaning, 0.5 where of the same one."""
    if reading.complement < 0 or reading.said_kind is None:
        return 0.0
    mine = wordnet.fields(reading.best.units[reading.complement].head.lemma.lower(), "n", within=2)
    theirs = wordnet.fields(reading.said_kind.lemma.lower(), "n", within=2)
    return 0.5 if set(mine) & set(theirs) else 1.0


def _other_modifier(reading: Reading) -> bool:
    """Whether the text narrows by another word what the claim narrows by one that is not met."""
    sentence, taken = reading.best.sentence, reading.best.at
    assert sentence is not None
    for number in reading.unmet:
        unit = reading.best.units[number]
        link = reading.best.links[unit.above] if unit.above >= 0 else None
        if (
            unit.kind not in ("adjective", "noun", "nation")
            or link is None
            or link.worth < MET
            or link.at < 0
        ):
            continue
        if any(
            c.relation in ("amod", "compound") and c.index not in taken
            for c in sentence.parsed.children[link.at]
        ):
            return True
    return False


def _group(unit: Unit) -> str:
    if unit.kind in ("name", "nation"):
        return "name"
    if unit.kind in ("date", "number", "ordinal"):
        return "value"
    return "adjective" if unit.kind in ("adjective", "adverb") else unit.kind
