"""Which program a question means: a log-linear model over features (Pasupat and Liang, 2015, section 5).

The weights stand in `weights.json`; benchmarks/fit_table_weights.py makes them.
"""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from importlib import resources

from provgraph.derivation.tables.candidate import Candidate
from provgraph.derivation.tables.grid import Grid
from provgraph.derivation.tables.linking import Links
from provgraph.derivation.tables.question_words import TableQuestion

_GROUPS = (
    ("count",),
    ("most", "least"),
    ("first", "last"),
    ("next", "previous"),
    ("same",),
    ("sum",),
    ("average",),
    ("difference",),
    ("distinct",),
    ("not",),
    ("or",),
)


_HEADERS = (
    "select focus",
    "select header",
    "extreme header",
    "bound header",
    "aggregate header",
    "pair header",
    "count distinct header",
    "same header",
)
_LINKED = 0.5
_PART = 0.5


@dataclass(frozen=True)
class Scored:
    """A candidate, its score, and the share of all programs' weight that its answer has."""

    candidate: Candidate
    score: float
    probability: float
    features: Mapping[str, float]


def features_of(candidate: Candidate, question: TableQuestion, links: Links) -> dict[str, float]:
    """What speaks for a program, those of its parts and those of the whole."""
    features = dict(candidate.features)
    covered, content = candidate.covered, question.content
    features["cover"] = len(covered & content) / max(1, len(content))
    features["uncovered words"] = float(len(content - covered))
    missed = [link for link in links.values if not link.positions & covered]
    features["missed value"] = float(any(link.score >= 0.5 or len(link.positions) > 1 for link in missed))
    features["missed number"] = float(any(not bound.positions & covered for bound in question.bounds))
    features["steps"] = float(len(candidate.steps))
    features["ordinal ignored"] = float(bool(question.ordinal[1]) and not question.ordinal[1] <= covered)
    for group in _GROUPS:
        said = frozenset(n for name in group for n in question.operators.get(name, ()))
        if group == ("distinct",) and "count" not in question.operators:
            continue
        if said and not said & covered and not set(group) & candidate.used:
            features[f"{group[0]} ignored"] = 1.0
    if candidate.kind == "yes-no" or question.is_yes_no:
        is_fit = candidate.kind == "yes-no" or candidate.texts[0] in ("more", "less") or "choose" in features
        features["asked kind" if is_fit and question.is_yes_no else "other kind"] = 1.0
    elif question.asks.startswith(("how many", "how much", "how long")):
        is_number = candidate.kind in ("number", "count")
        features["asked kind" if is_number else "other kind"] = 1.0
    elif (question.asks.startswith("who") and candidate.kind in ("number", "count", "date")) or (
        question.asks == "when" and candidate.kind != "date" and not features.get("select fits")
    ):
        features["other kind"] = 1.0
    return features


def ranked(candidates: Iterable[Candidate], question: TableQuestion, grid: Grid) -> list[Scored]:
    """The candidates by score, best first; of those with one answer the best."""
    links = Links(question, grid)
    weights = model()
    made = [(features_of(candidate, question, links), candidate) for candidate in candidates]
    return by_answer([(score(features, weights), features, each) for features, each in made])


def by_answer(scored: Sequence[tuple[float, Mapping[str, float], Candidate]]) -> list[Scored]:
    """One for each answer, with the weight of all programs that give it; by that weight."""
    if not scored:
        return []
    highest = max(value for value, _, _ in scored)
    mass: dict[tuple[str, ...], float] = defaultdict(float)
    best: dict[tuple[str, ...], tuple[float, Mapping[str, float], Candidate]] = {}
    for value, features, candidate in scored:
        key = tuple(sorted(candidate.texts))
        mass[key] += math.exp(value - highest)
        if key not in best or best[key][0] < value:
            best[key] = (value, features, candidate)
    total = sum(mass.values())
    found = [
        Scored(candidate, value, mass[key] / total, own) for key, (value, own, candidate) in best.items()
    ]
    return sorted(found, key=lambda each: (-each.probability, -each.score))


def confidence(scored: Sequence[Scored], weights: Mapping[str, float]) -> float:
    """How likely the first of them is right, 0…1."""
    return logistic(score(confidence_features(scored), weights))


def about(scored: Sequence[Scored], weights: Mapping[str, float]) -> float:
    """How likely the question is one to this table at all, 0…1, told by the first of them."""
    told = {name.replace("confidence", "about"): value for name, value in confidence_features(scored).items()}
    return logistic(score(told, weights))


def logistic(value: float) -> float:
    return 1 / (1 + math.exp(-value))


def confidence_features(scored: Sequence[Scored]) -> dict[str, float]:
    """What the confidence in the first answer is told from."""
    best = scored[0]
    features = best.features
    share = min(max(best.probability, 0.02), 0.98)
    filters = features.get("filter", 0.0)
    return {
        "confidence bias": 1.0,
        "confidence share": math.log(share / (1 - share)),
        "confidence cover": features["cover"],
        "confidence uncovered": min(features["uncovered words"], 6.0) / 2,
        "confidence missed": features["missed value"] + features["missed number"],
        "confidence ignored": sum(value for name, value in features.items() if name.endswith(" ignored")),
        "confidence other kind": features.get("other kind", 0.0),
        "confidence steps": features["steps"] / 4,
        "confidence many": float(len(best.candidate.texts) > 1),
        "confidence yes": float(best.candidate.kind == "yes-no"),
        "confidence header": float(any(features.get(name, 0.0) >= _LINKED for name in _HEADERS)),
        "confidence whole value": float(features.get("filter value whole", 0.0) > 0),
        "confidence part value": float(
            filters > 0
            and features.get("filter value share", 0.0) < _PART * filters
            and "bound" not in features
        ),
        "confidence no link": float(not filters and not any(features.get(name, 0.0) for name in _HEADERS)),
    }


def score(features: Mapping[str, float], weights: Mapping[str, float]) -> float:
    return sum(weights.get(name, 0.0) * value for name, value in features.items())


@cache
def model() -> Mapping[str, float]:
    """The fitted weights by feature."""
    text = resources.files(__package__).joinpath("weights.json").read_text(encoding="utf-8")
    loaded: dict[str, float] = json.loads(text)
    return loaded
