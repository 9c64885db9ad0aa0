"""One run of `provgraph evaluate`: its service, its systems and its judges, from a plan."""

from __future__ import annotations

from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime

from provgraph.cli.connection import Target, connect
from provgraph.cli.evaluated import HttpService
from provgraph.cli.evaluation_plan import Plan
from provgraph.cli.progress import StepProgress
from provgraph.cli.terminal import say
from provgraph.errors import InvalidInput
from provgraph.evaluation.baseline import PassageRag
from provgraph.evaluation.datasets.reading import read_dataset
from provgraph.evaluation.flows import FlowSystem
from provgraph.evaluation.names import PASSAGE_RAG
from provgraph.evaluation.passage_ids import PassageIds
from provgraph.evaluation.prompting import Prompting
from provgraph.evaluation.questions import Dataset
from provgraph.evaluation.results import write_results
from provgraph.evaluation.running import MeasuredSystem, Run
from provgraph.evaluation.runs import RunFolder
from provgraph.evaluation.tables import Results
from provgraph.settings import Settings


def evaluated(target: Target, plan: Plan) -> tuple[RunFolder, Results]:
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
        kept = sum(each.system in plan.systems for each in folder.replies.values())
        if kept:
            say(f"{kept} answers are kept in {folder.path}; the same command goes on from there.", err=True)
        raise
    folder.note(ended=datetime.now(UTC).isoformat(timespec="seconds"))
    return folder, write_results(folder, dataset.questions)


@dataclass(frozen=True)
class Reached:
    """A service that is open until `stack` ends, with what names its documents."""

    settings: Settings
    service: HttpService
    ids: PassageIds
    stack: ExitStack


def _measure(target: Target, plan: Plan, dataset: Dataset, folder: RunFolder, stack: ExitStack) -> None:
    judges = [stack.enter_context(_prompting(target.settings, name)) for name in dict.fromkeys(plan.judges)]
    service = HttpService(stack.enter_context(connect(target)))
    reached = Reached(target.settings, service, PassageIds.of(dataset), stack)
    systems = [_system(name, plan, reached) for name in plan.systems]
    progress = stack.enter_context(AnswerProgress())
    run = Run(service, dataset, plan.asking, folder, progress.show)
    run.ingest()
    run.ask(systems)
    run.judge(judges, plan.manners)


def _system(name: str, plan: Plan, reached: Reached) -> MeasuredSystem:
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
        raise InvalidInput("There is no model. Name one with --judge MODEL, or set PROVGRAPH_LLM_MODEL.")
    return Prompting(model, settings.prompts, settings.llm_max_output_tokens)
