"""Fits the weights by which words decide a verdict, and says what they reach on claims that they were not fitted on.

    python benchmarks/fit_verdicts.py --data DIR [--write] [--only-attributable]

Fitted on FEVER (the texts found and the text given), on the even rows of SciFact and of the attribution claims, on
claims made false by one change: another date, number, name or noun, an antonym, a "not", two names exchanged; and on
the claims of every other document written for training (`written_documents.py`), which people's claims are most like.
The odd rows are scored only, as are the claims of the documents kept back. Where all that is known is that a claim is
not supported, REFUTES and NOT ENOUGH INFO share its weight. Several texts: the one that speaks most surely of the claim
counts, chosen by the weights of the round before. Cross-validated in five parts by claim; a false copy stands in the
part of its claim.
"""

from __future__ import annotations

import argparse
import json
import random
import re
import zlib
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import numpy as np
from verdicts import (
    Case,
    KeptParser,
    attribution,
    calibration_error,
    fever,
    fever_gold,
    macro_f1,
    overlap,
    scifact,
    written_claims,
)
from written_documents import written_documents

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence
from provgraph.verdicts import attributable, decision
from provgraph.verdicts.aligning import Aligner
from provgraph.verdicts.claims import read_claim
from provgraph.verdicts.evidence_features import NAMES
from provgraph.verdicts.judging import Judge, best_of_group, weigh
from provgraph.verdicts.units import Unit, units_of

LABELS = decision.LABELS
PARTS, PENALTY, ROUNDS, STEPS = 5, 1.0, 2, 25
NOT_SUPPORTED = "not supported"
WORTH = {
    "fever": 1.0,
    "fever, gold": 0.5,
    "changed": 0.15,
    "attribution": 0.6,
    "scifact": 0.6,
    "written": 0.25,
}
"""How much a row of each set counts."""
NUMBERS = "two three four five six seven eight nine ten twelve".split()
ORDINALS = "first second third fourth fifth last".split()


@dataclass(frozen=True)
class Row:
    """A claim with what is counted of it by each text; `claim` is the true one where it is a changed copy."""

    set: str
    claim: str
    label: str
    options: np.ndarray
    fitted: bool


def rows_of(
    name: str, cases: Sequence[tuple[Case, str, bool]], judge: Judge, parser: KeptParser
) -> Iterator[Row]:
    for case, original, fitted in cases:
        claim = read_claim(case.claim, parser)
        texts = [judge.meaning(each) for each in case.evidence]
        by_text = [[best_of_group(g, Aligner(t, claim.topics)) for g in claim.groups] for t in texts]
        found = [[*each.values, 1.0] for each in weigh(claim, texts, by_text)]
        if found:
            yield Row(name, original, case.label, np.array(found), fitted)


def changed(case: Case, sentences: Sequence[ParsedSentence], chance: random.Random) -> Iterator[Case]:
    """Copies of a true claim that are false by one change."""
    units = [unit for each in sentences for unit in units_of(each, case.claim)]
    for unit in units:
        word, label = _another(unit, case, chance)
        if word:
            yield replace(case, claim=case.claim[: unit.start] + word + case.claim[unit.end :], label=label)
    names = [unit for unit in units if unit.kind == "name"]
    if len(names) > 1 and (text := _exchanged(case.claim, names[0], names[-1])) != case.claim:
        yield replace(case, claim=text, label=NOT_SUPPORTED)
    for token in (token for each in sentences for token in each.tokens):
        if token.text.lower() in ("is", "was", "are", "were"):
            yield replace(
                case, claim=f"{case.claim[: token.end]} not{case.claim[token.end :]}", label="REFUTES"
            )
            return
        if token.head < 0 and token.tag in ("VBD", "VBZ"):
            denied = f"{'did' if token.tag == 'VBD' else 'does'} not {token.lemma}"
            text = case.claim[: token.start] + denied + case.claim[token.end :]
            yield replace(case, claim=text, label="REFUTES")
            return


def _another(unit: Unit, case: Case, chance: random.Random) -> tuple[str, str]:
    """Another word in the place of a unit, and the label of the claim with it."""
    words, lemma = case.claim[unit.start : unit.end], unit.head.lemma.lower()
    if unit.kind == "date" and (year := re.search(r"\b(?:1[5-9]|20)\d\d\b", words)):
        return words.replace(
            year[0], str(int(year[0]) + chance.choice((-13, -7, -2, -1, 1, 3, 6)))
        ), "REFUTES"
    for kind, choice in (("number", NUMBERS), ("ordinal", ORDINALS)):
        if unit.kind == kind and words.lower() in choice:
            return chance.choice([each for each in choice if each != words.lower()]), "REFUTES"
    if unit.kind == "name":
        others = {
            m
            for text in case.evidence
            for m in re.findall(r"(?<=[a-z,] )[A-Z][a-z]+(?: [A-Z][a-z]+)*", text.text)
        }
        others = {each for each in others if not set(each.split()) & set(case.claim.split())}
        return (chance.choice(sorted(others)), NOT_SUPPORTED) if others else ("", "")
    part = {"adjective": "a", "verb": "v", "noun": "n"}.get(unit.kind)
    if part is None or unit.head.tag not in ("JJ", "NN", "VB", "VBP"):
        return "", ""
    opposites = sorted(each for each in wordnet.opposites(lemma, part) if each.isalpha())  # type: ignore[arg-type]
    return (chance.choice(opposites), "REFUTES") if opposites else ("", "")


def _exchanged(claim: str, one: Unit, other: Unit) -> str:
    first, second = claim[one.start : one.end], claim[other.start : other.end]
    return claim[: one.start] + second + claim[one.end : other.start] + first + claim[other.end :]


# fitting


def chances(weights: np.ndarray, values: np.ndarray) -> np.ndarray:
    scores = values @ weights
    shares = np.exp(scores - scores.max(axis=1, keepdims=True))
    return shares / shares.sum(axis=1, keepdims=True)


def chosen(row: Row, weights: np.ndarray | None) -> np.ndarray:
    """The text that speaks most surely of the claim."""
    if weights is None:
        return row.options[int(row.options[:, :2].sum(axis=1).argmax())]
    return row.options[int(chances(weights, row.options)[:, :2].max(axis=1).argmax())]


def fit(rows: Sequence[Row]) -> np.ndarray:
    weights = None
    for _ in range(ROUNDS):
        weights = newton(rows, np.array([chosen(row, weights) for row in rows]))
    assert weights is not None
    return weights


def newton(rows: Sequence[Row], values: np.ndarray) -> np.ndarray:
    """Multinomial logistic weights with a quadratic penalty, by Newton's method."""
    size = values.shape[1]
    worth = np.array([WORTH[row.set] for row in rows])
    penalty = np.full((size, 3), PENALTY)
    penalty[-1] = 1e-3
    weights = np.zeros((size, 3))
    for _ in range(STEPS):
        given = chances(weights, values)
        slope = values.T @ (worth[:, None] * (given - _targets(rows, given))) + penalty * weights
        curve = np.block([[_curve(values, worth, given, i, j) for j in range(3)] for i in range(3)])
        curve += np.diag(penalty.T.ravel() + 1e-6)
        step = np.linalg.solve(curve, slope.T.ravel()).reshape(3, size).T
        weights -= step
        if np.abs(step).max() < 1e-3:
            break
    return weights - weights.mean(axis=1, keepdims=True)


def _curve(values: np.ndarray, worth: np.ndarray, given: np.ndarray, one: int, other: int) -> np.ndarray:
    share = worth * (given[:, one] * (one == other) - given[:, one] * given[:, other])
    return (values * share[:, None]).T @ values


def _targets(rows: Sequence[Row], given: np.ndarray) -> np.ndarray:
    targets = np.zeros_like(given)
    for at, row in enumerate(rows):
        open_ = row.label == NOT_SUPPORTED or (row.set == "attribution" and row.label != "SUPPORTS")
        if open_:
            targets[at, 1:] = given[at, 1:] / given[at, 1:].sum()
        else:
            targets[at, LABELS.index(row.label)] = 1.0  # type: ignore[arg-type]
    return targets


def fit_attributable(cases: Sequence[Case], judge: Judge) -> np.ndarray:
    """Logistic weights of the words that claim and references share; the last is the constant."""
    values = np.array([attributable_values(case, judge) for case in cases])
    gold = np.array([case.label == "SUPPORTS" for case in cases], dtype=float)
    spread = values[:, :-1].std(axis=0) + 1e-6
    scaled = np.hstack([(values[:, :-1] - values[:, :-1].mean(axis=0)) / spread, values[:, -1:]])
    penalty, weights = np.diag([10.0] * len(spread) + [1e-6]), np.zeros(values.shape[1])
    for _ in range(STEPS):
        given = 1 / (1 + np.exp(-scaled @ weights))
        curve = scaled.T @ (scaled * (given * (1 - given))[:, None]) + penalty
        weights -= np.linalg.solve(curve, scaled.T @ (given - gold) + penalty @ weights)
    plain = weights[:-1] / spread
    return np.append(plain, weights[-1] - plain @ values[:, :-1].mean(axis=0))


def attributable_values(case: Case, judge: Judge) -> list[float]:
    return [*attributable.shared_words(case.claim, [judge.meaning(text) for text in case.evidence]), 1.0]


def score_attributable(folder: Path, judge: Judge, *, write: bool) -> None:
    """Cross-validated beside word overlap, its threshold chosen on the same rows; `write` keeps those of all rows."""
    cases = list(attribution(folder))
    parts = np.array([zlib.crc32(case.claim.encode()) % PARTS for case in cases])
    chance, shares, limits = (
        np.zeros(len(cases)),
        np.array([overlap(case) for case in cases]),
        np.zeros(len(cases)),
    )
    for part in range(PARTS):
        rest = [case for case, at in zip(cases, parts, strict=True) if at != part]
        weights = fit_attributable(rest, judge)
        steps = [step / 20 for step in range(1, 21)]
        limit = max(steps, key=lambda step: macro_f1(rest, _labels(shares[parts != part] >= step)))
        for at in np.flatnonzero(parts == part):
            chance[at] = 1 / (1 + np.exp(-np.array(attributable_values(cases[at], judge)) @ weights))
            limits[at] = limit
    for name, yes in (("attributable", chance >= 0.5), ("overlap", shares >= limits)):
        print(f"{name}, cross-validated: macro-F1 {macro_f1(cases, _labels(yes)):.3f}")
    right = [case.label == "SUPPORTS" for case in cases]
    sure = [ok for value, ok in zip(chance, right, strict=True) if value >= 0.9]
    error = calibration_error(list(zip(chance.tolist(), right, strict=True)))
    print(f"calibration error {error:.3f}, from 0.9 on right {sum(sure)} of {len(sure)}")
    if write:
        rounded = np.round(fit_attributable(cases, judge), 3).tolist()
        table = dict(zip((*attributable.NAMES, "constant"), rounded, strict=True))
        attributable.WEIGHTS.write_text(json.dumps(table, indent=1) + "\n", encoding="utf-8")


def _labels(supported: np.ndarray) -> list[str]:
    return ["SUPPORTS" if yes else "NOT ENOUGH INFO" for yes in supported]


def score(name: str, rows: Sequence[Row], weights: Sequence[np.ndarray]) -> None:
    """How often the likeliest label is right, before anything forbids it."""
    right, counts = 0, Counter[str]()
    for row, each in zip(rows, weights, strict=True):
        label = LABELS[int(chances(each, chosen(row, each)[None])[0].argmax())]
        if row.set == "attribution" and label == "REFUTES":
            label = "NOT ENOUGH INFO"
        right += label == row.label
        counts[f"{row.label[:3]}>{label[:3]}"] += 1
    print(f"{name:24} {right / (len(rows) or 1):6.1%} of {len(rows)}  {dict(sorted(counts.items()))}")


def part_of(row: Row) -> int:
    return zlib.crc32(row.claim.encode()) % PARTS


def load(folder: Path) -> list[Row]:
    parser, chance = KeptParser(), random.Random(7)
    judge, rows = Judge(parser, keep=5_000), []
    for name, read in (
        ("fever", fever),
        ("fever, gold", fever_gold),
        ("scifact", scifact),
        ("attribution", attribution),
    ):
        cases = [
            (case, case.claim, at % 2 == 0 or name.startswith("fever"))
            for at, case in enumerate(read(folder))
        ]
        rows += rows_of(name, cases, judge, parser)
        true = [case for case, _, fitted in cases if fitted and case.label == "SUPPORTS"]
        if name != "fever":
            copies = [
                (copy, case.claim, True)
                for case in true
                for copy in changed(case, read_claim(case.claim, parser).meaning.parsed, chance)
            ]
            rows += rows_of("changed", copies, judge, parser)
    for fitted, documents in (
        (True, written_documents(held=False)[::2]),
        (False, written_documents(held=True)),
    ):
        cases = [(case, case.claim, fitted) for row in documents for case in written_claims(row, fitted)]
        rows += rows_of("written", cases, judge, parser)
    return rows


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    options.add_argument("--data", type=Path, required=True)
    options.add_argument("--write", action="store_true")
    options.add_argument(
        "--only-attributable", action="store_true", help="leave the weights of verdicts as they are"
    )
    chosen_options = options.parse_args()
    folder = chosen_options.data / "verify"
    score_attributable(folder, Judge(KeptParser(), keep=5_000), write=chosen_options.write)
    if chosen_options.only_attributable:
        return
    rows = load(folder)
    parts = [fit([row for row in rows if row.fitted and part_of(row) != part]) for part in range(PARTS)]
    for name in ("fever", "fever, gold", "changed"):
        some = [row for row in rows if row.set == name]
        score(f"{name}, cross-validated", some, [parts[part_of(row)] for row in some])
    weights = fit([row for row in rows if row.fitted])
    for name in ("scifact", "attribution", "written"):
        some = [row for row in rows if row.set == name and not row.fitted]
        score(f"{name}, odd rows", some, [weights] * len(some))
    if chosen_options.write:
        table = zip((*NAMES, "constant"), np.round(weights, 3).tolist(), strict=True)
        lines = ",\n".join(f" {json.dumps(name)}: {json.dumps(row)}" for name, row in table)
        decision.WEIGHTS.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")


if __name__ == "__main__":
    main()
