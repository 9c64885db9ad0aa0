"""`provgraph token`, `access` and `audit`: who may use a service, who may read which documents, and who did what."""

from __future__ import annotations

import sys
import tomllib
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any, Final
from urllib.parse import quote

import click

from provgraph.cli.connection import Target, connect
from provgraph.cli.files import write_file
from provgraph.cli.options import collection_option, counted, echo_json, format_option, show, target_options
from provgraph.cli.program import SummarizedGroup
from provgraph.cli.terminal import complain, say
from provgraph.client.calls import RDF_FORMATS
from provgraph.sparql.formats import accept_of_name

ROLES: Final = ("reader", "writer", "auditor", "admin")
_UNITS: Final = {"h": "hours", "d": "days", "w": "weeks"}


@click.group(cls=SummarizedGroup)
def token() -> None:
    """Create, list, revoke and rotate the tokens with which people and programs use a service."""


@token.command()
@click.argument("name")
@click.option("--role", required=True, type=click.Choice(ROLES), help="What the token allows.")
@click.option(
    "--collection",
    "collections",
    multiple=True,
    help="A collection it may use; all without this; may be repeated.",
)
@click.option(
    "--group", "groups", multiple=True, help="A group whose documents it may read; may be repeated."
)
@click.option("--expires", default="", metavar="WHEN", help="A date, or a time from now: 12h, 30d, 8w.")
@format_option("text", "json")
@target_options(create=True)
def create(target: Target, name: str, style: str, expires: str, **given: Any) -> None:
    """Create a token for NAME, and show it once."""
    asked = {
        "name": name,
        "role": given["role"],
        "collections": list(given["collections"]),
        "groups": list(given["groups"]),
    }
    if expires:
        asked["expires"] = _moment(expires).isoformat()
    with connect(target) as service:
        made = service.json("POST", "/api/v1/tokens", asked)
    _show_once(made, style)


@token.command("list")
@format_option("text", "json")
@target_options()
def list_tokens(target: Target, style: str) -> None:
    """List the tokens, and what each allows."""
    with connect(target) as service:
        found = service.get("/api/v1/tokens").json()
    none = "There are no tokens yet. Create one: provgraph token create NAME --role admin."
    show(found, style, lambda tokens: map(_line, tokens) if tokens else (none,))


@token.command()
@click.argument("name")
@format_option("text", "json")
@target_options()
def revoke(target: Target, name: str, style: str) -> None:
    """Revoke the token of NAME, from the next request on."""
    with connect(target) as service:
        service.json("DELETE", f"/api/v1/tokens/{quote(name, safe='')}")
    show({"revoked": name}, style, lambda _: (f"Revoked the token of {name}.",))


@token.command()
@click.argument("name")
@format_option("text", "json")
@target_options()
def rotate(target: Target, name: str, style: str) -> None:
    """Replace the token of NAME by a new one, and show it once."""
    with connect(target) as service:
        made = service.json("POST", f"/api/v1/tokens/{quote(name, safe='')}/rotate")
    _show_once(made, style)


@click.group(cls=SummarizedGroup)
def access() -> None:
    """Show, test and set who may read documents."""


@access.command("list")
@click.argument("documents", nargs=-1)
@collection_option
@format_option("text", "json")
@target_options()
def list_readers(target: Target, documents: tuple[str, ...], collection: str, style: str) -> None:
    """List who may read DOCUMENTS (ids, file names or titles), or all documents of the collection."""
    with connect(target) as service:
        named = "".join(f"&id={quote(document, safe='')}" for document in documents)
        found = service.get(f"/api/v1/documents/readers?collection={quote(collection)}{named}").json()
    show(found, style, _reader_lines)


@access.command("set")
@click.argument("documents", nargs=-1, required=True)
@click.option(
    "--readers", multiple=True, metavar="GROUP", help="A group or a person who may read; may be repeated."
)
@click.option(
    "--everyone", is_flag=True, help="Let everyone who may read the collection read these documents."
)
@collection_option
@format_option("text", "json")
@target_options()
def set_readers(
    target: Target,
    documents: tuple[str, ...],
    readers: tuple[str, ...],
    everyone: bool,
    collection: str,
    style: str,
) -> None:
    """Let the --readers read DOCUMENTS (ids, file names or titles), and nobody else."""
    if everyone == bool(readers):
        raise click.UsageError("Give --readers, or --everyone.")
    asked = {"collection": collection, "documents": list(documents), "readers": list(readers)}
    with connect(target) as service:
        found = service.json("PUT", "/api/v1/documents/readers", asked)
    show(found, style, _reader_lines)


@access.command()
@click.argument("policy", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option("text", "json")
@target_options()
def test(target: Target, policy: Path, style: str) -> None:
    """Show who would read what by the file POLICY (TOML), and compare it with what the file expects; exit status 1 if
    that differs. Nothing is changed."""
    with connect(target) as service:
        tested = service.json("POST", "/api/v1/documents/readers/test", _policy(policy))
    show(tested, style, _access_test_lines)
    _require_passed(tested)


@access.command()
@click.argument("policy", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@format_option("text", "json")
@target_options()
def apply(target: Target, policy: Path, style: str) -> None:
    """Set the readers of documents as the file POLICY has them, if what it expects of them holds."""
    asked = _policy(policy)
    with connect(target) as service:
        _require_passed(service.json("POST", "/api/v1/documents/readers/test", asked))
        found = []
        for name, readers in asked.get("readers", {}).items():
            body = {"collection": asked.get("collection", "default"), "documents": [name], "readers": readers}
            found += service.json("PUT", "/api/v1/documents/readers", body)
    show(found, style, _reader_lines, "The policy names no readers of documents, so nothing was set.")


def _policy(file: Path) -> dict[str, Any]:
    try:
        policy = tomllib.loads(file.read_text("utf-8"))
    except (tomllib.TOMLDecodeError, UnicodeDecodeError) as error:
        raise click.UsageError(f"{file} is not TOML: {error}.") from error
    return policy


def _require_passed(tested: dict[str, Any]) -> None:
    titles = {document["id"]: document["title"] or document["id"] for document in tested["documents"]}
    for principal in tested["principals"]:
        for document in principal["missing"]:
            complain(f"{principal['name']} would not read {titles[document]}, and is expected to.")
        for document in principal["unexpected"]:
            complain(f"{principal['name']} would read {titles[document]}, and is not expected to.")
    if not tested["passed"]:
        raise SystemExit(1)


def _access_test_lines(tested: dict[str, Any]) -> Iterator[str]:
    """A line for each document, with those who would read it."""
    for document in tested["documents"]:
        readers = [
            principal["name"]
            for principal in tested["principals"]
            if document["id"] in principal["documents"]
        ]
        yield f"{document['title'] or document['id']}: {', '.join(readers) or 'nobody'}"


@access.command()
@format_option("text", "json")
@target_options()
def whoami(target: Target, style: str) -> None:
    """Show whose token this is, and what it may see."""
    with connect(target) as service:
        found = service.get("/api/v1/whoami").json()
    show(found, style, _principal_lines)


def _principal_lines(found: dict[str, Any]) -> Iterator[str]:
    groups = f" in {', '.join(found['groups'])}" if found["groups"] else ""
    yield f"{found['name'] or 'the service itself'}: {found['role']}{groups}"
    for collection in found["collections"]:
        yield f"    {collection['collection']}: {counted(collection['documents'], 'document')}"


@click.group(cls=SummarizedGroup)
def audit() -> None:
    """Show who asked, read and wrote."""


@audit.command("list")
@click.option("--since", default="", metavar="WHEN", help="A date, or a time ago: 12h, 30d, 8w.")
@format_option("text", "json")
@target_options()
def list_audit(target: Target, since: str, style: str) -> None:
    """List who asked, read and wrote, the latest last; exit status 1 if the log was tampered with."""
    with connect(target) as service:
        found = service.get("/api/v1/audit", **_since(since)).json()
    show(found, style, _access_lines)
    if found["first_fault"]:
        complain(f"Line {found['first_fault']} of the log does not follow from the one before it.")
        raise SystemExit(1)


def _access_lines(found: dict[str, Any]) -> Iterator[str]:
    for entry in found["entries"]:
        moment = entry["at"][:19].replace("T", " ")
        about = f"  {', '.join(entry['concerns'])}" if entry["concerns"] else ""
        yield f"{moment}  {entry['by'] or 'service'}  {entry['right']}  {entry['status']}  {entry['request']}{about}"


@audit.command("export")
@click.option("-o", "--output", type=click.Path(path_type=Path), help="Write to a file instead of stdout.")
@click.option("--since", default="", metavar="WHEN", help="A date, or a time ago: 12h, 30d, 8w.")
@format_option(*RDF_FORMATS)
@target_options()
def export_audit(target: Target, output: Path | None, since: str, style: str) -> None:
    """Export the audit log as PROV."""
    with connect(target) as service:
        written = service.get("/api/v1/audit", accept=accept_of_name(style), **_since(since)).content
    if output is None:
        sys.stdout.buffer.write(written)
    else:
        write_file(output, [written], output.name)
        say(f"Wrote {output} ({len(written):,} bytes).", err=True)


@audit.command()
@click.option(
    "--before",
    required=True,
    metavar="WHEN",
    help="A date, or a time ago: 400d. Everything older is removed.",
)
@format_option("text", "json")
@target_options()
def prune(target: Target, before: str, style: str) -> None:
    """Remove what is older than --before, and than PROVGRAPH_AUDIT_KEEP_DAYS."""
    with connect(target) as service:
        report = service.json("DELETE", "/api/v1/audit", before=_since(before)["since"])
    if style == "json":
        echo_json(report)
    elif report["removed"]:
        say(f"Removed {counted(report['removed'], 'line')} of the audit log, which says so.")
    else:
        say("Nothing in the audit log is that old.")


def _since(when: str) -> dict[str, str]:
    if not when:
        return {}
    moment = _moment(when)
    ago = datetime.now(UTC) - (moment - datetime.now(UTC)) if when[-1] in _UNITS else moment
    return {"since": ago.isoformat()}


def _show_once(made: dict[str, Any], style: str) -> None:
    if style == "json":
        echo_json(made)
        return
    say(made["token"])
    say(f"{_line(made)}. The token is shown this once: set it as PROVGRAPH_TOKEN.", err=True)


def _reader_lines(found: list[dict[str, Any]]) -> Iterator[str]:
    for each in found:
        readers = ", ".join(each["readers"]) or "everyone who may read the collection"
        yield f"{each['title'] or each['id']}: {readers}"


def _line(each: dict[str, Any]) -> str:
    return ", ".join(_phrases(each))


def _phrases(each: dict[str, Any]) -> Iterator[str]:
    yield f"{each['name']}: {each['role']}"
    collections = each["collections"]
    yield f"of {' and '.join(collections)}" if collections else "of all collections"
    if each["groups"]:
        yield f"in {' and '.join(each['groups'])}"
    if each["expires"]:
        yield f"until {each['expires'][:16].replace('T', ' ')}"


def _moment(when: str) -> datetime:
    """A date, a point in time, or so long from now."""
    if when[:-1].isdecimal() and when[-1] in _UNITS:
        return datetime.now(UTC) + timedelta(**{_UNITS[when[-1]]: int(when[:-1])})
    try:
        found = datetime.fromisoformat(when)
    except ValueError as error:
        raise click.UsageError(
            f"{when!r} is not a date. Write 2027-01-31, or 30d for thirty days from now."
        ) from error
    return found if found.tzinfo else found.astimezone()
