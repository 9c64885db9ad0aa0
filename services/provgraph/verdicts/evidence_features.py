"""What is counted of a claim laid on evidence: the values from which the chances of each verdict are reckoned."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

from provgraph.language import wordnet
from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.coverage import MET
from provgraph.verdicts.objections import Objection
from provgraph.verdicts.units import Unit

NAMES: Final = (
    "met in one sentence", "met in two", "met in the text", "names unmet", "values unmet", "nouns unmet",
    "verbs unmet", "adjectives unmet", "deciding words unmet", "loosely met", "same role", "apart",
    "role of another name", "role of another value", "exchanged", "unanchored", "value rival", "place rival",
    "name rival", "opposite", "other kind", "sibling", "wider",
    "type of another kind", "other modifier", "rest met, one rival", "denied", "denial differs", "only", "doubt",
    "topic met", "topic unnamed", "units",
    "strictly entailed", "strictly contradicted", "all met", "grave objections", "other objections", "against",
    "all met in the same roles", "all met, some apart", "topic met, the rest not", "all met but one kind",
)  # fmt: skip


def topic_of(units: Sequence[Unit]) -> int:
    """The number of the unit that the claim is about: the subject's name, else the first name, else the first unit."""
    names = [i for i, unit in enumerate(units) if unit.kind == "name"]
    subjects = [i for i in names if units[i].head.relation.startswith("nsubj")]
    return next(iter([*subjects, *names]), 0)


def features(
    reading: Reading, against: Sequence[Objection], entailed: float, contradicted: bool
) -> list[float]:
    """The values named in `NAMES`.

    `against` are the objections, `entailed` the share of the strict table, `contradicted` whether that refutes.
    """
    units, unmet = reading.best.units, reading.unmet
    counts = dict.fromkeys(("name", "value", "noun", "verb", "adjective"), 0.0)
    for i in unmet:
        counts[_group(units[i])] += 0.0 if units[i].light else 1.0
    rivals = reading.rivals
    near = {r.kind for r in rivals.values() if r.near}
    others = [i for i in unmet if i not in rivals and not units[i].light]
    arcs = reading.pairs
    named = [p for p in arcs if p.standing == "another's" and units[p.unit].kind == "name"]
    valued = [p for p in arcs if p.standing == "another's" and units[p.unit].kind != "name"]
    alone = [
        u for i, u in enumerate(units)
        if u.kind in ("name", "date", "number") and u.above >= 0 and not reading.best.met(u.above) and i not in unmet
    ]  # fmt: skip
    same_role = sum(p.standing == "same role" for p in arcs) / len(arcs) if arcs else 0.5
    met = [link for link in reading.two.links if link is not None and link.worth >= MET]
    topic = reading.best.links[topic_of(units)]
    apart = sum(p.standing == "apart" and p.unit not in unmet for p in arcs) / (len(arcs) or 1)
    all_met = float(not [i for i in unmet if not units[i].light])
    topic_met = float(topic is not None and topic.worth >= MET and topic.at >= 0)
    values = [
        reading.best.share,
        reading.two.share,
        reading.whole.share,
        *(min(counts[each], 3.0) / 3 for each in counts),
        float(any(units[i].deciding for i in unmet)),
        1 - sum(link.worth for link in met) / (len(met) or 1),
        same_role,
        apart,
        min(len(named), 2) / 2,
        min(len(valued), 2) / 2,
        float(any(p.exchanged for p in named)),
        min(len(alone), 3) / 3,
        float(bool(near & {"date", "number", "ordinal"})),
        float("place" in near),
        float("name" in near),
        float("opposite" in near),
        float("apart" in near),
        float("sibling" in near),
        float("wider" in near),
        _other_kind(reading),
        float(_other_modifier(reading)),
        float(bool(rivals or named or valued) and not others),
        float(reading.denied),
        float(reading.denied != reading.said_denied),
        float(reading.says_only and not reading.said_only),
        float(reading.doubted),
        topic_met,
        float(topic is not None and topic.at < 0),
        min(math.log1p(len(units)), 3.0) / 3,
        entailed,
        float(contradicted),
        all_met,
        min(sum(o.grave for o in against), 3) / 3,
        min(sum(not o.grave for o in against), 3) / 3,
        min(sum(o.against for o in against), 3) / 3,
        all_met * same_role,
        all_met * apart,
        topic_met * (1 - reading.two.share),
        topic_met * reading.two.share * (1 - all_met),
    ]
    return [round(each, 3) for each in values]


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
