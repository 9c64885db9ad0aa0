"""Fits the weights by which programs over tables are chosen, on half of a set of questions; measures both halves.

    python benchmarks/fit_table_weights.py --data ../shared/data/tables [--write]

The data are those of WikiTableQuestions: `questions.jsonl` (id, question, table, answer) and `csv/`. Tables are parted
into halves by their order, so that no table is in both. The objective is the marginal likelihood of the programs that
give the right answer (Pasupat and Liang, 2015), with an L2 penalty.
"""

from __future__ import annotations

import argparse
import csv
import json
import re
import time
import unicodedata
from decimal import Decimal, InvalidOperation
from pathlib import Path
from typing import Any

import numpy as np

from provgraph.derivation.tables import scoring
from provgraph.derivation.tables.answering import ABOUT, answer_from_tables
from provgraph.derivation.tables.asked_tables import relevant
from provgraph.derivation.tables.candidate import Candidate
from provgraph.derivation.tables.grid import Grid, grid_of, transposed
from provgraph.derivation.tables.linking import Links
from provgraph.derivation.tables.question_words import TableQuestion
from provgraph.derivation.tables.value_programs import ValuePrograms

WEIGHTS = Path(scoring.__file__).with_name("weights.json")

PRIOR = Path(__file__).with_name("table_weights_prior.json")
"""Weights as set by hand: what the fit is drawn towards."""


def questions_of(data: Path) -> list[dict[str, Any]]:
    lines = (data / "questions.jsonl").read_text(encoding="utf-8").splitlines()
    return [json.loads(line) for line in lines if line.strip()]


def grid_from(path: Path) -> Grid:
    with path.open(encoding="utf-8", newline="") as file:
        return grid_of(
            [[cell.replace("\\n", "\n") for cell in row] for row in csv.reader(file, escapechar="\\")]
        )


def halves(questions: list[dict[str, Any]]) -> tuple[list[dict[str, Any]], list[dict[str, Any]]]:
    tables = list(dict.fromkeys(each["table"] for each in questions))
    first = set(tables[::2])
    return [q for q in questions if q["table"] in first], [q for q in questions if q["table"] not in first]


def plain(text: str) -> str:
    folded = unicodedata.normalize("NFKD", text).casefold()
    bare = "".join(c for c in folded if not unicodedata.combining(c))
    bare = re.sub(r"[‘’´`]", "'", re.sub(r"[“”]", '"', re.sub(r"[‐‑‒–—−]", "-", bare)))
    bare = re.sub(r"\[[^\]]*\]|(?<!^)\([^)]*\)$", "", bare.strip()).strip().strip('"').rstrip(".")
    number = re.fullmatch(r"[$£€]?(-?[\d,]+(?:\.\d+)?)\s*(?:%|years?|days?|points?)?", bare)
    if number:
        try:
            return f"{Decimal(number[1].replace(',', '')).normalize():f}"
        except InvalidOperation:
            return bare
    return " ".join(bare.split())


def is_right(texts: tuple[str, ...], gold: list[str]) -> bool:
    """Whether the answers are those of the key, in any order; numbers by value."""
    return sorted({plain(text) for text in texts}) == sorted({plain(text) for text in gold})


def candidates(text: str, grid: Grid) -> list[tuple[Candidate, dict[str, float]]]:
    """Every program of the table and of its columns as rows, with its features."""
    question = TableQuestion(text)
    made = []
    for number, view in enumerate((grid, transposed(grid))):
        if view is not None:
            links = Links(question, view)
            for each in ValuePrograms(question, view).candidates():
                features = {**scoring.features_of(each, question, links), "transposed": float(number)}
                made.append((each, features))
    return made


def worked(question: dict[str, Any], data: Path) -> tuple[tuple[Any, list[str]], str]:
    """A question's programs, its right answer, and its text."""
    text = question["question"]
    return (candidates(text, grid_from(data / "csv" / question["table"])), question["answer"]), text


def fitted(
    examples: list[tuple[np.ndarray, np.ndarray]], start: np.ndarray, penalty: float, rounds: int
) -> np.ndarray:
    """Weights by gradient ascent with step sizes of Adagrad, drawn towards `start`."""
    weights, squares = start.copy(), np.full(start.shape, 1e-8)
    for _ in range(rounds):
        gradient = -penalty * (weights - start)
        for features, right in examples:
            scores = features @ weights
            scores = np.exp(scores - scores.max())
            gradient += (right * scores) @ features / (
                right @ scores + 1e-12
            ) - scores @ features / scores.sum()
        squares += gradient**2
        weights += 0.3 * gradient / np.sqrt(squares)
    return weights


def matrices(
    made: list[tuple[list[tuple[Candidate, dict[str, float]]], list[str]]], names: list[str]
) -> list[Any]:
    index = {name: number for number, name in enumerate(names)}
    examples = []
    for each, gold in made:
        right = np.array([float(is_right(candidate.texts, gold)) for candidate, _ in each])
        if not right.any():
            continue
        features = np.zeros((len(each), len(names)), dtype=np.float64)
        for row, (_, own) in enumerate(each):
            for name, value in own.items():
                if name in index:
                    features[row, index[name]] = value
        examples.append((features, right))
    return examples


def folded(
    made: list[Any], names: list[str], prior: np.ndarray, penalty: float, rounds: int
) -> list[tuple[bool, dict[str, float]]]:
    """For each question, by weights that were fitted without its fold: whether the answer is right, and what its
    confidence is told from."""
    count, results = 6, []
    for fold in range(count):
        rest = [each for number, (each, _) in enumerate(made) if number * count // len(made) != fold]
        found = fitted(matrices(rest, names), prior, penalty, rounds)
        weights = dict(zip(names, found, strict=True))
        for number, ((each, gold), _) in enumerate(made):
            if number * count // len(made) == fold and each:
                scored = scoring.by_answer(
                    [(scoring.score(own, weights), own, candidate) for candidate, own in each]
                )
                results.append(
                    (is_right(scored[0].candidate.texts, gold), scoring.confidence_features(scored))
                )
    return results


def foreign(
    asked: list[str], grids: list[Grid], weights: dict[str, float]
) -> list[tuple[bool, dict[str, float]]]:
    """What confidence is told from where questions are asked of tables that do not answer them."""
    results = []
    for text in asked:
        for grid in relevant(text, grids)[:1]:
            made = candidates(text, grid)
            if made:
                scored = scoring.by_answer(
                    [(scoring.score(own, weights), own, candidate) for candidate, own in made]
                )
                results.append((False, scoring.confidence_features(scored)))
    return results


def calibrated(results: list[tuple[bool, dict[str, float]]], rounds: int = 2000) -> dict[str, float]:
    """Weights of a logistic regression from what confidence is told from to being right."""
    names = sorted({name for _, own in results for name in own})
    features = np.array([[own.get(name, 0.0) for name in names] for _, own in results])
    right = np.array([float(good) for good, _ in results])
    weights = np.zeros(len(names))
    for _ in range(rounds):
        told = 1 / (1 + np.exp(-features @ weights))
        weights += 0.05 * (features.T @ (right - told) / len(right) - 0.01 * weights)
    return {name: round(float(value), 3) for name, value in zip(names, weights, strict=True)}


def report(name: str, made: list[Any], weights: dict[str, float], show: bool) -> None:
    rows = []
    for (each, gold), text in made:
        scored = scoring.by_answer([(scoring.score(own, weights), own, candidate) for candidate, own in each])
        best = scored[0] if scored else None
        sure = scoring.confidence(scored, weights) if best else 0.0
        good = best is not None and is_right(best.candidate.texts, gold)
        reach = any(is_right(candidate.texts, gold) for candidate, _ in each)
        rows.append((sure, good, reach))
        if show:
            answer = "; ".join(best.candidate.texts)[:70] if best else "–"
            mark = "+" if good else "-" if reach else "x"
            print(f" {mark} {rows[-1][0]:.2f} {text} → {answer}   [{'; '.join(gold)[:60]}]")
            if not good and best:
                print("      ", " / ".join(step.explanation[:80] for step in best.candidate.steps))
    print(
        f"{name}: {len(rows)} questions, reachable {sum(r[2] for r in rows)}, right {sum(r[1] for r in rows)}"
    )
    for threshold in (0.4, 0.5, 0.55, 0.6, 0.65, 0.7):
        given = [r for r in rows if r[0] >= threshold]
        print(f"   answered at {threshold}: {len(given)}, of them right {sum(r[1] for r in given)}")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0] if __doc__ else "")
    parser.add_argument("--data", type=Path, required=True)
    parser.add_argument("--penalty", type=float, default=4.0)
    parser.add_argument("--rounds", type=int, default=200)
    parser.add_argument("--fit", action="store_true", help="fit, instead of measuring the stored weights")
    parser.add_argument("--write", action="store_true", help="store what was fitted")
    parser.add_argument(
        "--foreign", type=Path, help="a JSON list with questions that no table answers, to learn refusal"
    )
    parser.add_argument("--show", choices=("first", "second"), help="print each question of a half")
    options = parser.parse_args()
    parts = halves(questions_of(options.data))
    start = time.perf_counter()
    made = [[worked(q, options.data) for q in part] for part in parts]
    seconds = time.perf_counter() - start
    count = sum(map(len, parts))
    programs = sum(len(each) for part in made for (each, _), _ in part)
    print(f"{1000 * seconds / count:.0f} ms a question, {programs / count:.0f} programs")
    weights: dict[str, float] = dict(scoring.model())
    if options.fit:
        start_weights = json.loads(PRIOR.read_text(encoding="utf-8"))
        names = sorted(
            {name for each, _ in made[0] for _, own in each[0] for name in own} | set(start_weights)
        )
        prior = np.array([start_weights.get(name, 0.0) for name in names])
        results = folded(made[0], names, prior, options.penalty, options.rounds)
        print(f"left out in folds: {sum(good for good, _ in results)} of {len(made[0])} right")
        examples = matrices([each for each, _ in made[0]], names)
        found = fitted(examples, prior, options.penalty, options.rounds)
        weights = {name: round(float(value), 3) for name, value in zip(names, found, strict=True)}
        tables = {q["table"]: grid_from(options.data / "csv" / q["table"]) for q in parts[0]}
        elsewhere = []
        for q in parts[0]:
            others = [grid for name, grid in tables.items() if name != q["table"]]
            elsewhere += foreign([q["question"]], others, weights)
        prose = []
        if options.foreign:
            prose = foreign(
                [q["question"] for q in json.loads(options.foreign.read_text(encoding="utf-8"))],
                list(tables.values()),
                weights,
            )
        weights |= calibrated(results)
        about = calibrated([*((True, own) for _, own in results), *elsewhere, *prose])
        weights |= {name.replace("confidence", "about"): value for name, value in about.items()}
        for name, own in (("own table", results), ("other tables", elsewhere), ("foreign questions", prose)):
            given = sum(scoring.logistic(scoring.score(features, about)) >= ABOUT for _, features in own)
            print(f"{name}: {given} of {len(own)} taken to be about the table")
    report("first half (fitted)", made[0], weights, options.show == "first")
    report("second half", made[1], weights, options.show == "second")
    if options.write:
        WEIGHTS.write_text(json.dumps(weights, indent=1, sort_keys=True) + "\n", encoding="utf-8")
        scoring.model.cache_clear()
    for name, part in zip(("first", "second"), parts, strict=True):
        report_collection(name, part, options.data)


def report_collection(name: str, part: list[dict[str, Any]], data: Path) -> None:
    """The questions of a half, asked of all its tables, without saying of which: by the stored weights."""
    grids = [grid_from(data / "csv" / table) for table in dict.fromkeys(q["table"] for q in part)]
    given = right = 0
    for q in part:
        answer = answer_from_tables(q["question"], grids)
        given += answer is not None
        right += answer is not None and is_right(tuple(answer.derived.text.split("; ")), q["answer"])
    print(f"{name} half, of {len(grids)} tables: {given} of {len(part)} answered, {right} right")


if __name__ == "__main__":
    main()
