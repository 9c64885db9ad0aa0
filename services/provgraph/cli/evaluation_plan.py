"""What `provgraph evaluate` is told: options, and what of them is recorded with a run."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from provgraph import __version__
from provgraph.cli.options import Command
from provgraph.errors import InvalidInput
from provgraph.evaluation.baseline import PASSAGE_RAG
from provgraph.evaluation.datasets.reading import DatasetChoice
from provgraph.evaluation.judging import MANNERS
from provgraph.evaluation.perturbing import PERTURBATIONS
from provgraph.evaluation.questions import Dataset
from provgraph.evaluation.running import Asking
from provgraph.settings import Settings

_FLOW: Final = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")
_SECRET: Final = frozenset({"token", "openai_api_key", "embedding_api_key"})
_MOST_JUDGES: Final = 2


def plan_options(command: Command) -> Command:
    """The options that make a plan, given to the command by the names of its fields."""
    path = click.Path(path_type=Path)
    options = (
        click.option("--data", type=path, help="The file or folder of a published data set."),
        click.option("--passages", type=path, help="The passages that are asked, as JSONL; see docs/evaluation.md."),
        click.option("--flow", "flows", multiple=True, default=["graph-rag"], show_default=True,
                     help="A way of asking; may be given several times."),
        click.option("--baseline", type=click.Choice([PASSAGE_RAG]), help="Plain passage RAG beside the flows."),
        click.option("--limit", type=click.IntRange(1), help="Ask only so many questions, drawn by --seed."),
        click.option("--seed", default=1, show_default=True, help="For all that is drawn by lot."),
        click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                     help="A member of each request to a flow, as in engine=model-free; may be repeated."),
        click.option("--perturb", default="", metavar="LIST",
                     help=f"Ask in other words too, of {', '.join(PERTURBATIONS)}, joined by commas."),
        click.option("--consistency/--no-consistency", default=True, show_default=True,
                     help="Ask the negation of claims, and paraphrases where the data set has them."),
        click.option("--faithfulness/--no-faithfulness", default=True, show_default=True,
                     help="Ask again without what an answer cites, where the flow can."),
        click.option("--judge", "judges", multiple=True, metavar="MODEL",
                     help="A language model that grades answers; two at most."),
        click.option("--manner", "manners", multiple=True, type=click.Choice(MANNERS), default=MANNERS,
                     show_default=True, help="How judges grade; may be repeated."),
        click.option("--out", type=path, help="The folder of the run. [default: provgraph-runs/DATASET-FLOWS]"),
        click.option("-C", "--collection", default="", help="Ask a collection that is there; nothing is ingested."),
    )  # fmt: skip
    for option in reversed(options):
        command = option(command)
    return command


@dataclass(frozen=True)
class Plan:
    """What is to be measured."""

    dataset: str
    data: Path | None
    passages: Path | None
    flows: Sequence[str]
    baseline: str | None
    limit: int | None
    seed: int
    options: Sequence[str]
    perturb: str
    consistency: bool
    faithfulness: bool
    judges: Sequence[str]
    manners: Sequence[str]
    out: Path | None
    collection: str

    def __post_init__(self) -> None:
        """Raises `InvalidInput` for what no option can mean."""
        for flow in self.flows:
            if not _FLOW.match(flow):
                raise InvalidInput(f"{flow!r} is no name of a flow. Use one as in --flow graph-rag.")
        if len(set(self.judges)) > _MOST_JUDGES:
            raise InvalidInput("Three judges are too many. Give --judge once or twice.")
        if unknown := set(self.perturbations) - set(PERTURBATIONS):
            raise InvalidInput(f"{min(unknown)!r} is no perturbation. Use {', '.join(PERTURBATIONS)}.")

    @property
    def choice(self) -> DatasetChoice:
        return DatasetChoice(self.dataset, self.data, self.passages, self.limit or 0, self.seed)

    @property
    def perturbations(self) -> list[str]:
        return [word.strip() for word in self.perturb.split(",") if word.strip()]

    @property
    def asking(self) -> Asking:
        return Asking(self.perturbations, self.consistency, self.faithfulness, self.collection, self.seed)

    @property
    def systems(self) -> list[str]:
        """Flows and baseline by name; the baseline alone is `--flow passage-rag`."""
        return list(dict.fromkeys([*self.flows, *([self.baseline] if self.baseline else [])]))

    @property
    def requested(self) -> dict[str, Any]:
        """The members of each request: numbers, booleans and JSON as such, all else as text."""
        found = {}
        for given in self.options:
            name, sign, value = given.partition("=")
            if not sign or not name.strip():
                raise InvalidInput(f"{given!r} is not NAME=VALUE. Write as in --option edge_limit=50.")
            try:
                found[name.strip()] = json.loads(value)
            except ValueError:
                found[name.strip()] = value
        return found

    def folder(self, dataset: Dataset) -> Path:
        return self.out or Path("provgraph-runs") / f"{dataset.name}-{'-'.join(self.systems)}"

    def record(self, dataset: Dataset, settings: Settings, place: str) -> dict[str, Any]:
        """What is kept of a run beside its answers; no secret is among it."""
        return {
            "dataset": dataset.name,
            "sha256": dataset.sha256,
            "limit": self.limit,
            "seed": self.seed,
            "questions": len(dataset.questions),
            "passages": len(dataset.passages) or sum(len(each.passages) for each in dataset.questions),
            "left_out": dict(dataset.left_out),
            "systems": self.systems,
            "options": self.requested,
            "collection": self.collection,
            "perturbations": self.perturbations,
            "judges": list(self.judges),
            "model": settings.llm_model,
            "service": place,
            "version": __version__,
            "python": platform.python_version(),
            "platform": platform.platform(),
            "begun": datetime.now(UTC).isoformat(timespec="seconds"),
            "settings": settings.model_dump(mode="json", exclude=set(_SECRET)),
        }
