"""The options of `provgraph evaluate` that make a plan."""

from __future__ import annotations

from pathlib import Path

import click

from provgraph.cli.options import Command
from provgraph.evaluation.names import MANNERS, PASSAGE_RAG
from provgraph.evaluation.perturbing import PERTURBATIONS


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
