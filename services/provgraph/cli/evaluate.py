"""`provgraph evaluate`: any flow of a service measured over a data set, and two runs compared."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from provgraph.cli.connection import Target
from provgraph.cli.options import Command, echo_json, format_option
from provgraph.cli.terminal import harmless, say
from provgraph.evaluation.questions import MANNERS, PASSAGE_RAG
from provgraph.evaluation.wordings import PERTURBATIONS


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


if TYPE_CHECKING:
    from provgraph.evaluation.tables import Table

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
    from provgraph.cli.evaluation_plan import (
        Plan,  # all of this is slow to import, and --help needs none
        evaluated,
    )
    from provgraph.evaluation.comparing import compared
    from provgraph.evaluation.tables import notes, tables
    from provgraph.settings import read_settings

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
    run, results = evaluated(target, Plan(dataset=dataset, **plan))
    _show(results, tables(results), style)
    for note in notes(results):
        say(note, err=True)
    say(f"All of it: {run.path}", err=True)


def _show(value: Any, told: Iterable[Table], style: str) -> None:
    if style == "json":
        echo_json(value)
    elif style == "markdown":
        click.echo(harmless("\n".join(table.markdown() for table in told)))
    else:
        say("\n\n".join(table.aligned() for table in told))
