"""`provgraph evaluate`: any flow of a service measured over a data set, and two runs compared."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from contextlib import ExitStack
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.evaluated import HttpService
from provgraph.cli.evaluation_plan import Plan, plan_options
from provgraph.cli.options import echo_json, format_option
from provgraph.cli.progress import StepProgress
from provgraph.cli.terminal import harmless, say
from provgraph.errors import InvalidInput
from provgraph.evaluation.baseline import PASSAGE_RAG, PassageRag
from provgraph.evaluation.comparing import compared
from provgraph.evaluation.datasets.reading import read_dataset
from provgraph.evaluation.flows import FlowSystem
from provgraph.evaluation.passage_ids import PassageIds
from provgraph.evaluation.prompting import Prompting
from provgraph.evaluation.questions import Dataset
from provgraph.evaluation.results import write_results
from provgraph.evaluation.running import MeasuredSystem, Run
from provgraph.evaluation.runs import RunFolder
from provgraph.evaluation.tables import Table, notes, tables
from provgraph.settings import Settings, read_settings

FOLDER: Final = Path("provgraph-evaluation")


@click.command()
@click.argument("dataset", required=False)
@plan_options
@click.option("--compare", nargs=2, type=click.Path(path_type=Path), metavar="RUN RUN",
              help="Compare two runs in place of making one.")  # fmt: skip
@click.option("--folder", type=click.Path(path_type=Path),
              help=f"The folder that holds the collections. [default: {FOLDER}]")  # fmt: skip
@click.option("-u", "--url", default="", help="A service to evaluate in place of a folder.")
@click.option("--verbose", is_flag=True, help="Log what happens on stderr.")
@format_option("text", "json", "markdown")
def evaluate(
    dataset: str | None,
    compare: tuple[Path, Path] | None,
    folder: Path | None,
    url: str,
    verbose: bool,
    style: str,
    **plan: Any,
) -> None:
    """Measure flows over DATASET: musique, hotpotqa, fever, scifact or crag, or a JSONL file of your own.

    Each answer is kept as it comes: broken off, the same command goes on where it ended.
    """
    if verbose:
        logging.basicConfig(level=logging.DEBUG)
    if compare:
        found = compared(*compare)
        if plan["out"]:
            found.write(plan["out"])
        _show(found.to_json(), found.tables(), style)
        return
    if not dataset:
        raise click.UsageError("There is no data set. Name one, or two runs with --compare.")
    settings = read_settings()
    place = url or ("" if folder else settings.url)
    target = Target(settings, folder or FOLDER, place.rstrip("/"), create=True)
    _evaluate(target, Plan(dataset=dataset, **plan), style)


def _evaluate(target: Target, plan: Plan, style: str) -> None:
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
    found = write_results(folder, dataset.questions)
    _show(found, tables(found), style)
    for note in notes(found):
        say(note, err=True)
    say(f"All of it: {folder.path}", err=True)


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


def _show(value: Any, told: Iterable[Table], style: str) -> None:
    if style == "json":
        echo_json(value)
    elif style == "markdown":
        click.echo(harmless("\n".join(table.markdown() for table in told)))
    else:
        say("\n\n".join(table.aligned() for table in told))
