"""What `provgraph evaluate` is told, and what of it is recorded with a run."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from provgraph import __version__
from provgraph.errors import InvalidInput
from provgraph.evaluation.datasets.reading import DatasetChoice
from provgraph.evaluation.perturbing import PERTURBATIONS
from provgraph.evaluation.questions import Dataset
from provgraph.evaluation.running import Asking
from provgraph.settings import Settings

_FLOW: Final = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")
_SECRET: Final = frozenset({"token", "openai_api_key", "embedding_api_key"})
_MOST_JUDGES: Final = 2


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
