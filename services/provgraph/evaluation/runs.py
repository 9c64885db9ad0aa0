"""A run on disk: what was asked, each answer as soon as it is there, and so a place to go on from; and what it came to.

run.json          what was measured, with what: data, systems, settings, versions, seed
answers.jsonl     each reply, in the order in which they came
judgements.jsonl  each judgement of a language model
results.json, results.md, scores.csv, plots/…   made of those, and made anew at the end of each run
"""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any, Final, TypeVar

from provgraph.errors import Conflict, InvalidInput, NotFound
from provgraph.evaluation.judging import GradedAnswer
from provgraph.evaluation.measuring import (
    Score,
    beside_baseline,
    confusion,
    figures,
    judge_agreements,
    judged_scores,
    scores,
)
from provgraph.evaluation.metrics.registry import METRICS
from provgraph.evaluation.questions import EvaluationQuestion
from provgraph.evaluation.replies import FAILED, ORIGINAL, SystemReply, reply_from_json, reply_to_json
from provgraph.evaluation.tables import bars, report, whiskers

Kept = TypeVar("Kept")

RUN: Final = "run.json"
ANSWERS: Final = "answers.jsonl"
JUDGEMENTS: Final = "judgements.jsonl"
RESULTS: Final = "results.json"
FIXED: Final = ("dataset", "sha256", "limit", "seed", "options", "collection", "model")
"""What may not change in a run that goes on."""
GROWING: Final = ("systems", "perturbations", "judges")
"""What may be added to it."""


class RunFolder:
    """A folder that is one run. Replies are kept one by one, whatever ends the run."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.replies: dict[tuple[str, str, str], SystemReply] = {}
        self.judgements: dict[tuple[str, str, str, str], GradedAnswer] = {}
        self.record: dict[str, Any] = {}

    @classmethod
    def begun(cls, path: Path, record: Mapping[str, Any]) -> RunFolder:
        """A new run, or one that goes on where it ended. Raises `Conflict` for the folder of another run, and
        `InvalidInput` where it cannot be written."""
        folder = cls(path)
        if (path / RUN).exists():
            for name in (ANSWERS, JUDGEMENTS):
                _mend(path / name)
            folder = cls.read(path)
            for name in FIXED:
                if folder.record.get(name) != record.get(name):
                    raise Conflict(
                        f"{path} holds a run with another {name}: {folder.record.get(name)!r}, not "
                        f"{record.get(name)!r}. Name another folder with --out."
                    )
        elif path.is_dir() and any(path.iterdir()):
            raise Conflict(f"{path} is a folder of something else. Name another one with --out.")
        before = folder.record
        grown = {
            name: list(dict.fromkeys([*before.get(name, ()), *record.get(name, ())])) for name in GROWING
        }
        folder.note(**{**record, **grown, "begun": before.get("begun", record.get("begun"))})
        return folder

    @classmethod
    def read(cls, path: Path) -> RunFolder:
        """A run as far as it has come. Raises `NotFound` where there is none, `InvalidInput` for a damaged one."""
        folder = cls(path)
        try:
            folder.record = json.loads((path / RUN).read_text("utf-8"))
            folder.replies = {line.key: line for line in _lines(path / ANSWERS, reply_from_json)}
            folder.judgements = {
                line.key: line for line in _lines(path / JUDGEMENTS, lambda kept: GradedAnswer(**kept))
            }
        except FileNotFoundError:
            raise NotFound(f"{path} is not a run. Make one with: provgraph evaluate … --out {path}") from None
        except (OSError, ValueError, KeyError, TypeError) as error:
            raise InvalidInput(f"{path} cannot be read as a run ({error}). Start a new run.") from error
        return folder

    def note(self, **more: Any) -> None:
        """Add to what is recorded of the run."""
        self.record |= more
        self.write(RUN, json.dumps(self.record, indent=2, ensure_ascii=False, default=str) + "\n")

    def has(self, key: tuple[str, str, str]) -> bool:
        """Whether a reply is kept, and is not to be asked for again."""
        return key in self.replies and self.replies[key].outcome != FAILED

    def keep(self, reply: SystemReply) -> None:
        self.replies[reply.key] = reply
        self._append(ANSWERS, reply_to_json(reply))

    def keep_judgement(self, judgement: GradedAnswer) -> None:
        self.judgements[judgement.key] = judgement
        self._append(JUDGEMENTS, asdict(judgement))

    def write(self, name: str, text: str) -> None:
        """A file of the run, whole or not at all."""
        file = self.path / name
        draft = file.with_name(f".{file.name}.part")
        try:
            file.parent.mkdir(parents=True, exist_ok=True)
            draft.write_text(text, "utf-8", errors="replace")
            draft.replace(file)
        except OSError as error:
            raise InvalidInput(
                f"{file} cannot be written ({error.strerror}). Name another folder."
            ) from error

    def _append(self, name: str, value: Mapping[str, Any]) -> None:
        try:
            with (self.path / name).open("a", encoding="ascii") as file:
                file.write(json.dumps(value) + "\n")
        except OSError as error:
            raise InvalidInput(
                f"{self.path / name} cannot be written ({error.strerror}). What was kept before is whole."
            ) from error


def _lines(file: Path, read: Callable[[Any], Kept]) -> Iterator[Kept]:
    """The lines of a file; a last one that a crash cut off is passed over."""
    if not file.exists():
        return
    lines = file.read_text("ascii").split("\n")
    for line in lines[:-1]:
        if line:
            yield read(json.loads(line))


def _mend(file: Path) -> None:
    """Take away a last line that a crash cut off, so that the next does not grow together with it."""
    if file.exists() and not (content := file.read_bytes()).endswith(b"\n"):
        file.write_bytes(content[: content.rfind(b"\n") + 1])


Results = dict[str, Any]

SCORES: Final = "scores.csv"
REPLY_COLUMNS: Final = "system question variant asked gold answer label outcome problem".split()
"""Columns of `scores.csv` that are no metric."""


def results(folder: RunFolder, questions: Sequence[EvaluationQuestion]) -> tuple[Results, list[Score]]:
    """Everything that can be said of the replies kept so far, and each single score."""
    replies, judgements, seed = (
        folder.replies,
        list(folder.judgements.values()),
        int(folder.record.get("seed", 0)),
    )
    found = [*scores(questions, replies), *judged_scores(judgements)]
    return {
        "run": folder.record,
        "figures": figures(found, seed),
        "beside_baseline": [
            {**asdict(difference.estimate), "metric": difference.metric, "system": difference.after}
            for difference in beside_baseline(found, seed)
        ],
        "confusion": confusion(questions, replies.values()),
        "agreement": judge_agreements(questions, replies.values(), judgements),
        "failed": _failed(replies.values()),
        "definitions": {metric.name: metric.definition for metric in METRICS},
    }, found


def write_results(folder: RunFolder, questions: Sequence[EvaluationQuestion]) -> Results:
    """Write `results.json`, `results.md`, `scores.csv` and the plots into the run, and give the first."""
    found, single = results(folder, questions)
    folder.write(RESULTS, json.dumps(found, indent=2, ensure_ascii=False, default=str) + "\n")
    folder.write("results.md", report(found))
    folder.write(SCORES, scores_csv(single, folder.replies, questions))
    own = [figure for figure in found["figures"] if figure["variant"] == ORIGINAL]
    folder.write("plots/metrics.svg", bars(own))
    if found["beside_baseline"]:
        folder.write("plots/beside-baseline.svg", whiskers(found["beside_baseline"]))
    return found


def scores_csv(
    found: Iterable[Score],
    replies: Mapping[tuple[str, str, str], SystemReply],
    questions: Iterable[EvaluationQuestion],
) -> str:
    """A row for each reply: what was asked and said, then a column for each metric."""
    rows: dict[tuple[str, str, str], dict[str, str]] = {}
    gold = {question.id: question.label or " / ".join(question.answers) for question in questions}
    for key, reply in replies.items():
        rows[key] = {
            "system": reply.system,
            "question": reply.question,
            "variant": reply.variant,
            "asked": reply.asked,
            "gold": gold.get(reply.question, ""),
            "answer": reply.text,
            "label": reply.label,
            "outcome": reply.outcome,
            "problem": reply.problem,
        }
    metrics: dict[str, None] = {}
    for score in found:
        metrics[score.metric] = None
        rows[score.system, score.question, score.variant][score.metric] = f"{score.value:.6g}"
    text = io.StringIO()
    writer = csv.DictWriter(text, [*REPLY_COLUMNS, *metrics], restval="", lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows.values())
    return text.getvalue()


def _inert(value: str) -> str:
    """A text that no spreadsheet takes for a formula."""
    return f"'{value}" if value[:1] in ("=", "+", "-", "@") and not _is_number(value) else value


def _is_number(value: str) -> bool:
    try:
        float(value)
    except ValueError:
        return False
    return True


def _failed(replies: Iterable[SystemReply]) -> list[dict[str, str]]:
    return [
        {
            "system": reply.system,
            "question": reply.question,
            "variant": reply.variant,
            "problem": reply.problem,
        }
        for reply in replies
        if reply.outcome == FAILED
    ]
