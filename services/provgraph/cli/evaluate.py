"""`provgraph evaluate`: any flow of a service measured over a data set, and two runs compared."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

import click

from provgraph.cli.connection import Target
from provgraph.cli.options import echo_json, format_option, together
from provgraph.cli.terminal import harmless, say
from provgraph.evaluation.questions import MANNERS, PASSAGE_RAG
from provgraph.evaluation.wordings import PERTURBATIONS

if TYPE_CHECKING:
    from provgraph.evaluation.tables import FigureTable

FOLDER: Final = Path("provgraph-evaluation")
_PATH: Final = click.Path(path_type=Path)

plan_options = together(
    click.option("--data", type=_PATH, help="The file or folder of a published data set."),
    click.option("--passages", type=_PATH, help="The passages to search, as JSONL; see docs/evaluation.md."),
    click.option("--flow", "flows", multiple=True, default=["graph-rag"], show_default=True,
                 help="A flow to measure; may be repeated."),
    click.option("--baseline", type=click.Choice([PASSAGE_RAG]), help="Also measure plain passage RAG."),
    click.option("--limit", type=click.IntRange(1), help="Sample this many questions, using --seed."),
    click.option("--seed", default=1, show_default=True, help="Random seed."),
    click.option("--option", "options", multiple=True, metavar="NAME=VALUE",
                 help="A field of each request, such as engine=model-free; may be repeated."),
    click.option("--perturb", default="", metavar="LIST",
                 help=f"Also ask perturbed questions: any of {', '.join(PERTURBATIONS)}, separated by commas."),
    click.option("--consistency/--no-consistency", default=True, show_default=True,
                 help="Also ask the negation of each claim, and paraphrases if the data set has them."),
    click.option("--faithfulness/--no-faithfulness", default=True, show_default=True,
                 help="Also ask without the sources that each answer cites, if the flow supports it."),
    click.option("--judge", "judges", multiple=True, metavar="MODEL",
                 help="A language model to grade answers; at most two."),
    click.option("--manner", "manners", multiple=True, type=click.Choice(MANNERS), default=MANNERS,
                 show_default=True, help="How judges grade; may be repeated."),
    click.option("--out", type=_PATH, help="The folder of the run. [default: provgraph-runs/DATASET-FLOWS]"),
    click.option("-C", "--collection", default="", help="Use an existing collection and ingest nothing."),
)  # fmt: skip
"""The options that make a plan, given to the command by the names of its fields."""


@click.command()
@click.argument("dataset", required=False)
@plan_options
@click.option("--compare", nargs=2, type=click.Path(path_type=Path), metavar="RUN RUN",
              help="Compare two finished runs.")  # fmt: skip
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

    Answers are saved as they arrive; after an interruption, the same command continues.
    """
    from provgraph.cli.evaluation_plan import (
        EvaluationPlan,  # all of this is slow to import, and --help needs none
        evaluated,
    )
    from provgraph.evaluation.comparing import compared
    from provgraph.evaluation.tables import notes, tables
    from provgraph.settings import read_settings

    if verbose:
        logging.basicConfig(level=logging.DEBUG)
    if compare:
        runs = compared(*compare)
        if plan["out"]:
            runs.write(plan["out"])
        _show(runs.to_json(), runs.tables(), style)
        return
    if not dataset:
        raise click.UsageError("There is no data set. Name one, or two runs with --compare.")
    settings = read_settings()
    place = url or ("" if folder else settings.url)
    target = Target(settings, folder or FOLDER, place.rstrip("/"), create=True)
    run, results = evaluated(target, EvaluationPlan(dataset=dataset, **plan))
    _show(results, tables(results), style)
    for note in notes(results):
        say(note, err=True)
    say(f"All of it: {run.path}", err=True)


def _show(value: Any, tables: Iterable[FigureTable], style: str) -> None:
    if style == "json":
        echo_json(value)
    elif style == "markdown":
        click.echo(harmless("\n".join(table.markdown() for table in tables)))
    else:
        say("\n\n".join(table.aligned() for table in tables))
