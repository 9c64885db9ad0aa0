"""`provgraph verify`: one claim, or a file of them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import click

from provgraph.cli.answer_stream import STEPS, stream_answer
from provgraph.cli.connection import Service, ServiceProblem, Target, connect
from provgraph.cli.files import picture_format
from provgraph.cli.options import (
    chosen,
    collection_option,
    echo_json,
    engine_option,
    format_option,
    method_option,
    narrowing_options,
    picture_option,
    target_options,
)
from provgraph.cli.progress import StepProgress
from provgraph.cli.terminal import say
from provgraph.cli.traces import draw_trace
from provgraph.errors import InvalidInput, NotFound, UnreadableDocument

ROUTE: Final = "/api/v1/verify"
BATCH: Final = ".jsonl"


@click.command()
@click.argument("claim")
@click.option("-x", "--explain", is_flag=True, help="Show each step of the verdict on stderr as it happens.")
@click.option(
    "--doc-limit", type=click.IntRange(1, 20), help="Most chunks used to judge a claim. [default: 5]"
)
@method_option("chunks")
@engine_option("Judge with the language model or without it. Default: with it, if one is configured.")
@click.option(
    "--time-limit",
    type=click.FloatRange(0, 600, min_open=True),
    help="Total seconds for a model to extract facts. [default: 20]",
)
@picture_option("Draw the graph around the claim into an .svg or .png file.")
@narrowing_options
@collection_option
@format_option("text", "json")
@target_options()
def verify(
    target: Target, claim: str, explain: bool, picture: Path | None, style: str, **options: Any
) -> None:
    """Check CLAIM against a collection: supported, refuted, or not enough information.

    CLAIM may be a file of claims that ends in .jsonl, each line {"claim": …}; the verdicts are then lines of JSON.
    """
    wanted = chosen(options)
    kind = picture_format(picture) if picture else ""
    if claim.endswith(BATCH) and picture:
        raise click.UsageError("A picture is of one claim. Leave --picture out, or name one claim.")
    with connect(target) as service:
        if claim.endswith(BATCH):
            _judge_file(service, Path(claim), wanted)
            return
        session = _judge(service, {"claim": claim, **wanted}, explain, style)
        if picture:
            draw_trace(service, session, picture, kind)


def _judge(service: Service, body: dict[str, Any], explain: bool, style: str) -> str:
    """Print the verdict on one claim; returns its session."""
    if style == "json":
        answer = service.json("POST", ROUTE, body)
        echo_json(answer if explain else {key: answer[key] for key in answer if key != "explain"})
        return str(answer["session"])
    last = stream_answer(service, body, steps=STEPS if explain else (), evidence=True, route=ROUTE)
    return str(last["session"])


def _judge_file(service: Service, path: Path, options: dict[str, Any]) -> None:
    """Print a line of JSON for each claim; on stderr how many got which label, and how many labels were right."""
    claims = list(_claims(path))
    labels: dict[str, int] = {}
    right = known = failed = 0
    with StepProgress() as progress:
        for number, given in enumerate(claims):
            progress.show(path.name, number, len(claims))
            told = _verdict(service, given["claim"], options)
            click.echo(json.dumps({**given, **told}, ensure_ascii=False))
            failed += "error" in told
            label = told.get("verdict", {}).get("label", "failed")
            labels[label] = labels.get(label, 0) + 1
            if "label" in given:
                known += 1
                right += given["label"] == label
    counts = ", ".join(f"{label}: {count:,}" for label, count in sorted(labels.items()))
    say(f"{len(claims):,} claims. {counts}.", err=True)
    if known:
        say(f"{right:,} of {known:,} labels as given.", err=True)
    if failed:
        raise ServiceProblem(f"{failed:,} claims could not be judged; their lines say why.")


def _verdict(service: Service, claim: str, options: dict[str, Any]) -> dict[str, Any]:
    try:
        answer = service.json("POST", ROUTE, {"claim": claim, **options})
    except ServiceProblem as problem:
        return {"error": str(problem)}
    return {"verdict": answer["verdict"], "response": answer["response"], "session": answer["session"]}


def _claims(path: Path) -> Iterator[dict[str, Any]]:
    """The lines of a file. Raises `NotFound`, `UnreadableDocument`, or `InvalidInput` for a line that is no claim."""
    try:
        lines = path.read_text(encoding="utf-8-sig").split("\n")
    except FileNotFoundError as error:
        raise NotFound(f"There is no file {path}. Check the name.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise UnreadableDocument(f"{path} cannot be read ({error}). Save it as UTF-8 text.") from error
    for number, line in enumerate(lines, 1):
        if line.strip():
            yield _claim(line, number)


def _claim(line: str, number: int) -> dict[str, Any]:
    try:
        given = json.loads(line)
    except ValueError as error:
        raise InvalidInput(
            f'Line {number} is not JSON ({error}). Write each claim as {{"claim": "…"}}.'
        ) from error
    if not isinstance(given, dict) or not isinstance(given.get("claim"), str) or not given["claim"].strip():
        raise InvalidInput(f'Line {number} has no claim. Write each claim as {{"claim": "…"}}.')
    return given
