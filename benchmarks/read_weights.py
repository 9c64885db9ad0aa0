"""How likely the span that the network reads as the answer is right, fitted on questions whose answers are known.

    python benchmarks/read_weights.py --data DIR --folder DIR

Prints the weights of `provgraph.derivation.read_openly`, and how many answers are given and right from several
probabilities on, of questions that they were not fitted on (in five parts). The sets are those of
`benchmarks/answer_weights.py`, and the questions in other words once more without the name of their document.
"""

from __future__ import annotations

import argparse
import asyncio
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Final

import numpy as np
from answer_weights import (
    PARSER,
    SETS,
    PosedSet,
    ShelfFinder,
    certainty_by,
    chances_by_parts,
    examples,
    foreign,
    posed,
)
from sentence_collections import opened
from short_answers import Asked, is_right

from provgraph.derivation.differences import difference_asked
from provgraph.derivation.question_forms import is_yes_no
from provgraph.derivation.ranked import fitted_weights, ordered
from provgraph.derivation.read_openly import likeliest

SHARES: Final = {"redocred": 0.35, "written": 0.5, "foreign": 0.8}
"""What a question of each set counts, and 1 where none is named."""
PARTS: Final = 5
LEAST: Final = (0.3, 0.35, 0.4, 0.45, 0.5, 0.6, 0.7)


@dataclass(frozen=True)
class Fitted:
    """The likeliest span of a question, measured."""

    source: str
    measured: dict[str, float]
    right: bool


def ranked(question: Asked, finder: ShelfFinder) -> tuple[str, float]:
    """What the ranking of all that sentences name puts first, and how likely it is right."""
    (example,) = asyncio.run(examples("", finder, [question])) or (None,)
    if example is None:
        return "", 0.0
    best = ordered(example.rows, fitted_weights())[0]
    return best.label, fitted_weights().probability(best, example.asked)


def read(name: str, finder: ShelfFinder, posed_set: PosedSet) -> Iterator[Fitted]:
    for each in posed_set.questions:
        if is_yes_no(each.question) or difference_asked(each.question):
            continue
        finder.document = each.documents[0] if each.documents else ""
        found = asyncio.run(finder.found(each.question))
        known = ranked(each, finder)
        best = likeliest(each.question, found, PARSER, known, in_one=bool(finder.document))
        if best is not None:
            yield Fitted(
                name, dict(best.measured), bool(each.answers) and is_right(best.read.span.text, each)
            )


def main() -> None:
    options = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else None)
    options.add_argument("--data", type=Path, required=True, help="folder with multihop/ and redocred/")
    options.add_argument("--folder", type=Path, required=True, help="where the shelves are kept")
    chosen = options.parse_args()
    sets = {name: posed(name, chosen.data) for name in SETS}
    finders, found = {}, list[Fitted]()
    for name, each in sets.items():
        (chosen.folder / name).mkdir(parents=True, exist_ok=True)
        finders[name] = ShelfFinder(opened(chosen.folder / name, each.texts))
        found += read(name, finders[name], each)
        print(name, len(found), flush=True)
    unnamed = [replace(asked, documents=()) for asked in sets["paraphrased"].questions]
    found += read("unnamed", finders["paraphrased"], replace(sets["paraphrased"], questions=unnamed))
    for each in foreign(sets):
        found += read("foreign", finders[each.name], each)
    rows = np.array([list(each.measured.values()) for each in found])
    right = np.array([float(each.right) for each in found])
    shares = np.array([SHARES.get(each.source, 1.0) for each in found])
    part = np.random.default_rng(1).integers(0, PARTS, len(found))
    chance = chances_by_parts(rows, right, shares, part)
    for least in LEAST:
        given = Counter(each.source for each, likely in zip(found, chance, strict=True) if likely >= least)
        good = Counter(
            e.source for e, likely in zip(found, chance, strict=True) if likely >= least and e.right
        )
        print(f"{least:4}: {'; '.join(f'{name} {good[name]} right of {given[name]}' for name in given)}")
    fitted = certainty_by(rows, right, shares)
    print({name: round(float(weight), 2) for name, weight in zip(found[0].measured, fitted, strict=True)})


if __name__ == "__main__":
    main()
