"""Commands of who operates a folder or a service: `provgraph config`, `check`, `compact`, `reindex` and `queue`."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any, Final

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.options import collection_option, counted, echo_json, format_option, show, target_options
from provgraph.cli.progress import awaited
from provgraph.cli.terminal import say
from provgraph.errors import InvalidInput

DEFAULT: Final = "default"


@click.command()
@click.argument("name", default="")
@click.option("--changed", is_flag=True, help="Only settings that are not left at their defaults.")
@format_option("text", "json")
def config(name: str, changed: bool, style: str) -> None:
    """Show the settings, or the one named NAME, and where each comes from: a variable, a file, or its default.

    Settings are environment variables, or lines of provgraph.toml here or in ~/.config/provgraph; secrets are hidden.
    """
    from provgraph.settings import Settings, read_with_sources, variable_of

    wanted = name.casefold().removeprefix("provgraph_")
    if wanted and wanted not in Settings.model_fields:
        raise click.UsageError(f"There is no setting {name!r}. 'provgraph config' lists them.")
    read = read_with_sources()
    rows = [
        {
            "name": model_field,
            "variable": variable_of(model_field),
            "value": _setting_shown(model_field, getattr(read.settings, model_field)),
            "source": read.sources.get(model_field, DEFAULT),
        }
        for model_field in Settings.model_fields
        if wanted in ("", model_field) and (model_field in read.sources or not changed)
    ]
    show(rows, style, _setting_lines, "Every setting has its default.")


def _setting_shown(name: str, value: Any) -> str | int | float | bool | None:
    from provgraph.passwords import without_passwords
    from provgraph.settings import SECRETS

    if name in SECRETS:
        return "(set, not shown)" if value else ""
    return value if isinstance(value, int | float | bool | None) else without_passwords(str(value))


def _setting_lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    texts = {row["name"]: "" if row["value"] is None else str(row["value"]) for row in rows}
    widest = max((len(name) for name in texts), default=0)
    longest = min(40, max(map(len, texts.values()), default=0))
    for row in rows:
        yield f"{row['name']:<{widest}}  {texts[row['name']]:<{longest}}  {row['source']}".rstrip()


@click.command()
@click.option(
    "--all", "everything", is_flag=True, help="Check everything, not only what is new since the last check."
)
@click.option("--extract-again", is_flag=True, help="Extract all documents again by rules, and compare.")
@click.option("--signatures", is_flag=True, help="Check the signed records of all collections.")
@click.option(
    "--head",
    default="",
    metavar="HASH",
    help="The hash of an earlier last record, which must still be in the chain.",
)
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="FINGERPRINT",
    help="A key that records may be signed with; may be repeated.",
)
@collection_option
@format_option("text", "json")
@target_options()
def check(target: Target, everything: bool, collection: str, style: str, **signed: Any) -> None:
    """Check the store for errors: SHACL shapes, text spans, disjoint graphs, and a source for every fact."""
    if (signed["head"] or signed["keys"]) and not signed["signatures"]:
        raise InvalidInput("--head and --key are for signed records. Add --signatures.")
    body = {"collection": collection, "everything": everything, **signed, "keys": list(signed["keys"])}
    with connect(target) as service:
        *findings, summary = awaited(service.events("POST", "/api/v1/check", body), "summary")
    if style == "json":
        echo_json({"summary": summary, "findings": findings})
    else:
        _report_check(summary, findings)
    if not summary["passed"]:
        raise SystemExit(1)


def _report_check(summary: dict[str, Any], findings: list[dict[str, Any]]) -> None:
    for finding in findings:
        say(f"{finding['rule']:<10} {finding['subject']}\n    {finding['sentence']}")
    looked = f"{summary['units']} units checked, {summary['unchanged']} unchanged since they passed"
    say(f"{'Sound' if summary['passed'] else 'Not sound'}: {summary['findings']} findings; {looked}.")
    if (extracted := summary.get("extracted")) is not None:
        say(f"Extracted again: {counted(extracted, 'subgraph')} of extractors by rules compared.")
    if signed := summary.get("signatures"):
        since = f" since {signed['began'][:19]}Z" if signed["began"] else ""
        say(
            f"Signed: {counted(signed['records'], 'record')}{since}, by key {', '.join(signed['keys']) or 'none'}."
        )
        if signed["found"]:
            say(f"        {signed['found']:,} statements were there before, and were taken as they were.")
        if signed["head"]:
            say(f"        Keep this elsewhere, and give it to a later check as --head: {signed['head']}")


@click.command()
@collection_option
@format_option("text", "json")
@target_options()
def reindex(target: Target, collection: str, style: str) -> None:
    """Rebuild the indexes of a collection from its facts and texts."""
    with connect(target) as service:
        done = awaited(service.events("POST", "/api/v1/reindex", {"collection": collection}), "reindexed")[-1]
    told = f"Rebuilt the indexes of {done['collection']}: {counted(done['documents'], 'document')}."
    show(done, style, lambda _: (told,))


@click.command()
@format_option("text", "json")
@target_options()
def compact(target: Target, style: str) -> None:
    """Rewrite the store and the indexes, so that nothing deleted remains in their files."""
    with connect(target) as service:
        done = awaited(service.events("POST", "/api/v1/compact"), "compacted", doing="part")[-1]
    told = f"Compacted: {_megabytes(done['before'])} to {_megabytes(done['after'])}"
    show(done, style, lambda _: (told,))


def _megabytes(size: int) -> str:
    return f"{size / 1_000_000:,.1f} MB"


@click.command()
@click.argument("action", type=click.Choice(["show", "dead", "replay", "discard"]), default="show")
@click.argument("ids", nargs=-1, metavar="[ID…]")
@format_option("text", "json")
@target_options()
def queue(target: Target, action: str, ids: tuple[str, ...], style: str) -> None:
    """Show the ingest queue; list failed tasks (`dead`), retry them (`replay`) or drop them (`discard`).

    `replay` and `discard` take the ids that `dead` lists, or the word all.
    """
    if bool(ids) != (action in ("replay", "discard")):
        raise click.UsageError(
            "Give the ids of failed tasks with replay and discard, and no ids with show and dead."
        )
    with connect(target) as service:
        found = _found(service, action, ids)
    show(found, style, lambda tasks: map(_TOLD[action], tasks), "Nothing was given up.")


def _found(service: Service, action: str, ids: tuple[str, ...]) -> list[dict[str, Any]]:
    if action == "show":
        waiting: list[dict[str, Any]] = service.get("/api/v1/queue").json()
        return waiting
    dead: list[dict[str, Any]] = (
        service.get("/api/v1/queue/dead").json() if action == "dead" or "all" in ids else []
    )
    if action == "dead":
        return dead
    chosen = [each["id"] for each in dead] if "all" in ids else list(ids)
    if action == "replay":
        return [service.json("POST", f"/api/v1/queue/dead/{each}/replay") for each in chosen]
    return [service.json("DELETE", f"/api/v1/queue/dead/{each}") for each in chosen]


def _depth(each: dict[str, Any]) -> str:
    waiting, under_way = counted(each["waiting"], "task"), f"{each['under_way']:,}"
    return f"{each['kind']}: {waiting} waiting, {under_way} under way, {each['dead']:,} given up"


def _dead(each: dict[str, Any]) -> str:
    files = ", ".join(each["files"]) or "nothing that can be read"
    what = f"{each['kind']} of {files}; {counted(each['attempts'], 'attempt')}"
    return f"{each['id']}  {each['at'][:19]}  {what}\n    {each['reason']}"


_TOLD: Final[dict[str, Callable[[dict[str, Any]], str]]] = {
    "show": _depth,
    "dead": _dead,
    "replay": lambda each: f"{each['id']} will be retried for job {each['job']}.",
    "discard": lambda each: f"{each['id']} is dropped.",
}
