"""The commands under the names and options that TrustGraph's users type; thin twins of our own.

Like ours they work on a service (`-u`) or, without one, on a folder (`--data`).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import click

from provgraph.cli.answer_stream import STEPS, stream_answer
from provgraph.cli.connection import Target, connect
from provgraph.cli.documents import document
from provgraph.cli.options import answer_options, chosen, collection_option, narrowing_options, target_options
from provgraph.cli.program import ProvGraphCommand
from provgraph.cli.traces import trace, traces


@click.command(cls=ProvGraphCommand)
@click.option("-q", "--question", required=True, help="The question.")
@click.option("-x", "--explainable", is_flag=True, help="Show each step on stderr as it happens.")
@answer_options
@narrowing_options
@collection_option
@target_options()
def invoke_graph_rag(target: Target, question: str, explainable: bool, **options: Any) -> None:
    """Answer a question: the explanation on stderr, the answer on stdout."""
    with connect(target) as service:
        body = {"query": question, **chosen(options)}
        steps = [step for step in STEPS if step != "grounding"] if explainable else []
        stream_answer(service, body, steps=steps, evidence=False)


def _twin(command: click.Command) -> Callable[[], Any]:
    """The same command, as a program of its own."""
    twin = ProvGraphCommand(command.name, params=command.params, callback=command.callback, help=command.help)
    return lambda: twin.main()


list_explain_traces = _twin(traces)
show_explain_trace = _twin(trace)
show_extraction_provenance = _twin(document)
