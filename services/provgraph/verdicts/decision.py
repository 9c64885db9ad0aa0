"""Which verdict follows: the chances of each label by what is counted, and what forbids one above them.

The weights in `decision.json` are fitted by `benchmarks/fit_verdicts.py` on claims with known labels: a multinomial
logistic function of the values of `evidence_features`. A claim whose statements are all entailed, or one of them
excluded, is decided by that; the chances then say how sure it is.
"""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Any, Final

import numpy as np

from provgraph.verdicts.claim_readings import Reading
from provgraph.verdicts.evidence_features import NAMES, features
from provgraph.verdicts.judgement import Element, Label
from provgraph.verdicts.lexicon import word_set
from provgraph.verdicts.objections import objections
from provgraph.verdicts.tree_objections import Objection
from provgraph.verdicts.word_links import Link

WEIGHTS: Final = Path(__file__).with_name("decision.json")
LABELS: Final[tuple[Label, ...]] = ("SUPPORTS", "REFUTES", "NOT ENOUGH INFO")
HIGHEST: Final = 0.97
"""No verdict from rules is surer than the share that was right of the surest ones."""
MET: Final = 0.65
"""The chance from which a claim is supported by the words of a sentence, where nothing speaks against it."""
ALL_SAID: Final = 0.55
"""The same where the sentence has every word of the claim, each in its place."""
IN_OTHER_WORDS: Final = 0.8
"""The same where one of its words is met by none of the sentence."""
EXCLUDED: Final = 0.5
"""The least chance of REFUTES by which something that the text says otherwise refutes the claim."""
SURELY_EXCLUDED: Final = 0.7
"""The same where another part of the claim is unmet: of 30 below it on claims of people, 12 were right."""
BY_EXCHANGE: Final = 0.6
"""How sure a REFUTES is where the two sides of a comparison are exchanged; set, not measured."""
BY_DENIAL: Final = 0.75
"""The same where nothing but a denial is between the two: of 22 on FEVER all were right."""
BUT_FOR_THAT: Final = 0.3
"""The same where the claim would be supported but for that, and that is no other name or noun in its role: of eight
such below `EXCLUDED` on FEVER none was right."""


_PLACING: Final = frozenset(("@at", "@in", "@to", "@from", "@into"))
_SAME_THING: Final = ("same", "alike", "narrower", "near")


@dataclass(frozen=True)
class Weighed:
    """A reading with its objections and the chances of `LABELS`; `strict` is the label by its statements alone."""

    reading: Reading
    objections: Sequence[Objection]
    values: tuple[float, ...]
    chances: tuple[float, float, float]
    strict: Label

    @property
    def label(self) -> Label:
        if self.strict != "NOT ENOUGH INFO":
            return self.strict
        if {objection.kind for objection in self.objections} == {"exchanged"} and self._against:
            return "REFUTES"
        supports, refutes, unknown = self.chances
        if supports >= max(refutes, unknown):
            return self._supported(supports)
        if self._says_another:
            return "REFUTES"
        likely = refutes >= (SURELY_EXCLUDED if self._left_open else max(unknown, EXCLUDED))
        return "REFUTES" if likely and self._against else "NOT ENOUGH INFO"

    def _supported(self, chance: float) -> Label:
        least = IN_OTHER_WORDS if self.objections else ALL_SAID if self._says_all else MET
        if chance >= least and not any(objection.grave for objection in self.objections):
            return "SUPPORTS"
        by_role = all(o.kind == "another's" for o in self.objections if o.against)
        least = EXCLUDED if by_role else BUT_FOR_THAT
        likely = (
            self._is_plainly_denied
            or self._says_another
            or self.chances[1] >= max(least, 0.4 * self.chances[2])
        )
        likely = likely and not self._left_open
        return "REFUTES" if self._against and likely else "NOT ENOUGH INFO"

    @property
    def _is_plainly_denied(self) -> bool:
        """Whether nothing but a denial is between the claim and the sentence."""
        return {objection.kind for objection in self.objections} == {"denial"}

    @property
    def _against(self) -> bool:
        open_ = any(objection.kind == "narrowed" for objection in self.objections) or self._is_of_another
        open_ = open_ or self._is_of_another_time
        return self._is_spoken_of and not open_ and any(objection.against for objection in self.objections)

    @property
    def _left_open(self) -> int:
        """How many parts of the claim are unmet, or hang elsewhere, beside those that the sentence says otherwise."""
        against = {objection.unit for objection in self.objections if objection.against}
        if None in against:  # the claim as a whole is denied
            return 0
        return len({o.unit for o in self.objections if o.unit is not None} - against)

    @property
    def _is_of_another(self) -> bool:
        """Whether the sentence tells of somebody else, and something else: who died in 2003 is not who died in 2019."""
        units = self.reading.best.units
        others = {o.unit for o in self.objections if o.kind == "another's" and o.unit is not None}
        links = self.reading.best.links
        doers = {p.unit for p in self.reading.pairs if p.role == "A" and units[p.unit].kind == "name"}
        doers = {doer for doer in doers if (link := links[doer]) is None or link.way != "same"}
        if self._subject_unmet and others | {o.unit for o in self.objections if o.kind == "rival"}:
            return True
        return bool(others & doers) and len({units[i].kind for i in others}) > 1

    @property
    def _is_of_another_time(self) -> bool:
        """Whether the sentence has another number at another time, which excludes nothing: sales of 2019, of 2020."""
        units = self.reading.best.units
        kinds = {units[o.unit].kind for o in self.objections if o.against and o.unit is not None}
        sentence = self.reading.best.sentence
        if sentence is not None and any(unit.kind == "date" for unit in sentence.units):
            kinds |= {"date" for o in self.objections if o.unit is not None and units[o.unit].kind == "date"}
        return {"date", "number"} <= kinds

    @property
    def _subject_unmet(self) -> bool:
        """Whether the sentence does not speak of the noun of which the claim tells: of tenants, not of pensioners."""
        units, links = self.reading.best.units, self.reading.best.links
        subjects = [
            i for i, u in enumerate(units) if u.kind == "noun" and u.head.relation.startswith("nsubj")
        ]
        return any((link := links[i]) is None or link.way not in _SAME_THING for i in subjects)

    @property
    def _says_all(self) -> bool:
        """Whether the sentence has every word of the claim itself, its converse, or a name that the title has, and each
        hangs there on what it hangs on here."""
        cover = self.reading.best
        kept = [number for number, each in enumerate(cover.units) if not each.light]
        links = [cover.links[number] for number in kept]
        said = all(link is not None and (link.at < 0 or link.way in ("same", "converse")) for link in links)
        in_place = all(p.standing == "same role" for p in self.reading.pairs if p.unit in kept)
        return len(kept) > 1 and said and in_place

    @property
    def _says_another(self) -> bool:
        """Whether the sentence says all of the claim but one name, in whose very role it has another, of which there
        is one alone: who founded it, where it was held; not who took part."""
        cover, sentence = self.reading.best, self.reading.best.sentence
        said = [
            objection
            for objection in self.objections
            if objection.kind == "another's" and objection.against and objection.said
        ]
        if (
            sentence is None
            or len(said) != 1
            or {objection.unit for objection in self.objections} != {said[0].unit}
        ):
            return False
        (exchanged,) = said
        assert exchanged.unit is not None
        assert exchanged.said is not None
        rest = [number for number in range(len(cover.units)) if number != exchanged.unit]
        named = [number for number in rest if cover.units[number].kind == "name"]
        in_place = {pair.unit for pair in self.reading.pairs if pair.standing == "same role"}
        return (
            cover.units[exchanged.unit].kind == "name"
            and sentence.kind_at(exchanged.said.index) == "name"
            and bool(named)
            and self._is_of_one(exchanged.unit)
            and all(_is_said(cover.links[number]) for number in named)
            and any(cover.units[number].kind == "verb" for number in rest)
            and all(cover.units[number].light or cover.met(number) for number in rest)
            and all(number in in_place for number in rest if cover.units[number].above >= 0)
        )

    def _is_of_one(self, number: int) -> bool:
        """Whether but one name may have the role: with verbs told completely, and of where a single event was."""
        units = self.reading.best.units
        verb = units[units[number].above].head.lemma.lower() if units[number].above >= 0 else ""
        if verb in word_set("exclusive"):
            return True
        roles = {pair.role for pair in self.reading.pairs if pair.unit == number}
        return bool(roles & _PLACING) and verb not in word_set("lasting")

    @property
    def _is_spoken_of(self) -> bool:
        """Whether the sentence has as many words of the claim as it lacks, the one that it says otherwise aside."""
        excluded = {objection.unit for objection in self.objections if objection.against}
        units = [i for i, u in enumerate(self.reading.best.units) if not u.light and i not in excluded]
        return 2 * sum(self.reading.best.met(i) for i in units) >= len(units)

    @property
    def decided(self) -> float:
        """How surely the text speaks of the claim at all, either way."""
        return max(self.chances[:2])

    def confidence(self, label: Label) -> float:
        if label == "REFUTES" and any(objection.kind == "exchanged" for objection in self.objections):
            return BY_EXCHANGE
        if label == "REFUTES" and self._is_plainly_denied and self.strict != label:
            return max(BY_DENIAL, round(min(self.chances[1], HIGHEST), 2))
        return round(min(self.chances[LABELS.index(label)], HIGHEST), 2)


def weighed(reading: Reading, table: Sequence[Element], strict: Label) -> Weighed:
    """A reading weighed; `table` is what its statements say of each part."""
    against = objections(reading)
    values = tuple(features(reading, against, table, strict == "REFUTES"))
    return Weighed(reading, against, values, chances(values), strict)


def chances(values: Sequence[float]) -> tuple[float, float, float]:
    """The chances of `LABELS` for the values named in `NAMES`."""
    scores = np.array([*values, 1.0]) @ _weights()
    shares = np.exp(scores - scores.max())
    supports, refutes, unknown = (shares / shares.sum()).tolist()
    return supports, refutes, unknown


@cache
def _weights() -> np.ndarray[Any, np.dtype[np.float64]]:
    """A row of three weights for each value, then the constants."""
    table = json.loads(WEIGHTS.read_text("utf-8"))
    return np.array([table[name] for name in (*NAMES, "constant")])


def _is_said(link: Link | None) -> bool:
    """Whether a name stands in the sentence, or a word that stands for it."""
    return link is not None and link.at >= 0 and link.way in ("same", "alike")
