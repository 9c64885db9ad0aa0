"""A run of `provgraph evaluate`: its plan, what of that is recorded, and its service, systems and judges."""

from __future__ import annotations

import json
import platform
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass
from datetime import UTC, datetime
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

import httpx2

from provgraph import __version__
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.progress import StepProgress
from provgraph.cli.terminal import say
from provgraph.errors import InvalidInput, Unavailable, said_by
from provgraph.evaluation.datasets.reading import DatasetChoice, read_dataset
from provgraph.evaluation.judging import Prompting
from provgraph.evaluation.passages import PassageIds
from provgraph.evaluation.questions import PASSAGE_RAG, QuestionSet
from provgraph.evaluation.replies import Declined, IngestedFile
from provgraph.evaluation.running import EvaluationRun, EvaluationRunner, MeasuredSystem
from provgraph.evaluation.runs import RunFolder, write_results
from provgraph.evaluation.systems import FlowSystem, PassageRag
from provgraph.evaluation.tables import Results
from provgraph.evaluation.wordings import PERTURBATIONS
from provgraph.provenance.flows import KGQA
from provgraph.settings import Settings

_FLOW: Final = re.compile(r"[a-z][a-z0-9-]{0,40}\Z")
_SECRET: Final = frozenset({"token", "openai_api_key", "embedding_api_key"})
_MOST_JUDGES: Final = 2


@dataclass(frozen=True)
class EvaluationPlan:
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
                raise InvalidInput(f"{flow!r} is not the name of a flow. Use one as in --flow graph-rag.")
        if len(set(self.judges)) > _MOST_JUDGES:
            raise InvalidInput("Three judges are too many. Give --judge once or twice.")
        if unknown := set(self.perturbations) - set(PERTURBATIONS):
            raise InvalidInput(f"{min(unknown)!r} is not a perturbation. Use {', '.join(PERTURBATIONS)}.")

    @property
    def choice(self) -> DatasetChoice:
        return DatasetChoice(self.dataset, self.data, self.passages, self.limit or 0, self.seed)

    @property
    def perturbations(self) -> list[str]:
        return [word.strip() for word in self.perturb.split(",") if word.strip()]

    @property
    def asking(self) -> EvaluationRunner:
        return EvaluationRunner(
            self.perturbations, self.consistency, self.faithfulness, self.collection, self.seed
        )

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

    def folder(self, dataset: QuestionSet) -> Path:
        return self.out or Path("provgraph-runs") / f"{dataset.name}-{'-'.join(self.systems)}"

    def record(self, dataset: QuestionSet, settings: Settings, place: str) -> dict[str, Any]:
        """What is kept of a run beside its answers; no secret is among it."""
        return {
            "dataset": dataset.name,
            "sha256": dataset.sha256,
            "limit": self.limit,
            "seed": self.seed,
            "questions": len(dataset.questions),
            "passages": len(dataset.passages)
            or sum(len(question.passages) for question in dataset.questions),
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


def evaluated(target: Target, plan: EvaluationPlan) -> tuple[RunFolder, Results]:
    """Carry a plan out, or what is left of it; the folder of the run with its results.

    Raises what reading the data set, the service and the models raise; what was answered till then is kept.
    """
    dataset = read_dataset(plan.choice)
    record = plan.record(dataset, target.settings, target.url or str(target.data))
    folder = RunFolder.begun(plan.folder(dataset), record)
    try:
        with ExitStack() as stack:
            _measure(target, plan, dataset, folder, stack)
    except BaseException:
        kept = sum(reply.system in plan.systems for reply in folder.replies.values())
        if kept:
            say(f"{kept} answers are kept in {folder.path}; the same command goes on from there.", err=True)
        raise
    folder.note(ended=datetime.now(UTC).isoformat(timespec="seconds"))
    return folder, write_results(folder, dataset.questions)


@dataclass(frozen=True)
class ModelEndpoint:
    """A service that is open until `stack` ends, with what names its documents."""

    settings: Settings
    service: HttpService
    ids: PassageIds
    stack: ExitStack


def _measure(
    target: Target, plan: EvaluationPlan, dataset: QuestionSet, folder: RunFolder, stack: ExitStack
) -> None:
    judges = [stack.enter_context(_prompting(target.settings, name)) for name in dict.fromkeys(plan.judges)]
    service = HttpService(stack.enter_context(connect(target)))
    reached = ModelEndpoint(target.settings, service, PassageIds.of(dataset), stack)
    systems = [_system(name, plan, reached) for name in plan.systems]
    progress = stack.enter_context(AnswerProgress())
    run = EvaluationRun(service, dataset, plan.asking, folder, progress.show)
    run.ingest()
    run.ask([system for system in systems if system.name != KGQA.agent])
    if pair_systems := [system for system in systems if system.name == KGQA.agent]:
        run.build_pairs()  # only now: the facts of pairs would answer for other flows too
        run.ask(pair_systems)
    run.judge(judges, plan.manners)


def _system(name: str, plan: EvaluationPlan, reached: ModelEndpoint) -> MeasuredSystem:
    if name != PASSAGE_RAG:
        return FlowSystem(reached.service, name, plan.requested, reached.ids)
    by_model = reached.settings.llm_model and plan.requested.get("engine") != "model-free"
    prompting = reached.stack.enter_context(_prompting(reached.settings, "")) if by_model else None
    return PassageRag(reached.service, reached.ids, prompting)


class AnswerProgress(StepProgress):
    """One bar over all that is to be asked."""

    unit = " answers"


def _prompting(settings: Settings, name: str) -> Prompting:
    """The model of the settings, or another behind the same address."""
    from provgraph.assembly.models import language_model  # slow to import, and most runs need none

    model = language_model(settings.model_copy(update={"llm_model": name}) if name else settings)
    if model is None:
        raise InvalidInput("There is no model. Choose one with --judge MODEL, or set PROVGRAPH_LLM_MODEL.")
    return Prompting(model, settings.prompts, settings.llm_max_output_tokens)


_PAGES: Final = 500


class HttpService:
    """Implements `evaluation.service.EvaluatedService`; keeps the pages that it looked up last."""

    def __init__(self, service: Service) -> None:
        self._service = service
        self._page = lru_cache(_PAGES)(self._fetched)

    def ingest(self, collection: str, file: IngestedFile, progress: Callable[[int, int], None]) -> list[str]:
        """Ctrl-C ends the job in the service too."""
        fields: dict[str, str | list[str]] = {"collection": collection, "id": file.id, "title": file.title}
        with _reporting_errors():
            try:
                job = self._service.upload("/api/v1/documents", [(file.name, file.content)], fields)
            except ServiceProblem as problem:
                return [str(problem)]
            return self._followed(f"/api/v1/jobs/{job['id']}", progress)

    def _followed(self, path: str, progress: Callable[[int, int], None]) -> list[str]:
        state: dict[str, Any] = {}
        try:
            for _, state in self._service.events("GET", path):
                progress(state["chunks_done"], state["chunks_total"])
        except KeyboardInterrupt:
            with suppress(ServiceProblem, httpx2.TransportError):
                self._service.json("DELETE", path)
            raise
        if problem := state.get("problem"):
            raise Unavailable(
                f"The passages could not be read: {problem['detail']} Then run the command again."
            )
        return [str(each["problem"]["detail"]) for each in state.get("refused", ())]

    def build_pairs(self, collection: str) -> None:
        with _reporting_errors():
            job = self._service.json("POST", "/api/v1/kgqa/build", {"collection": collection})
            self._followed(f"/api/v1/jobs/{job['id']}", lambda *_: None)

    def ask(self, flow: str, body: Mapping[str, Any]) -> dict[str, Any]:
        with _reporting_errors():
            return self._object("POST", f"/api/v1/{flow}", body)

    def trace(self, session: str) -> dict[str, Any]:
        with _reporting_errors():
            return self._object("GET", f"/api/v1/traces/{session}")

    def retrieve(self, body: Mapping[str, Any]) -> dict[str, Any]:
        with _reporting_errors():
            return self._object("POST", "/api/v1/retrieve", body)

    def page_text(self, collection: str, page: str) -> str:
        return self._page(collection, page)

    def _fetched(self, collection: str, page: str) -> str:
        with _reporting_errors():
            return self._service.get(
                "/api/v1/documents/content", "text/plain", id=page, collection=collection
            ).text

    def _object(self, method: str, path: str, body: Mapping[str, Any] | None = None) -> dict[str, Any]:
        found = self._service.json(method, path, body)
        if not isinstance(found, dict):
            raise Declined(f"{path} answered with something else than an object. Is it a flow of ProvGraph?")
        return found


@contextmanager
def _reporting_errors() -> Iterator[None]:
    """What a client meets, in the words of an evaluation."""
    try:
        yield
    except ServiceProblem as problem:
        raise Declined(str(problem)) from problem
    except ValueError as error:
        raise Declined(f"The service did not answer in JSON ({error}).") from error
    except httpx2.TransportError as error:
        raise Unavailable(
            f"The service cannot be reached ({said_by(error)}). What was answered is kept: start the service, and "
            "run the same command again."
        ) from error
