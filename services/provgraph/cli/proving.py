"""`provgraph prove` and `verify-bundle`."""

from __future__ import annotations

import shlex
from pathlib import Path
from urllib.parse import quote

import click

from provgraph.cli.connection import Service, Target, connect
from provgraph.cli.files import write_file
from provgraph.cli.options import echo_json, format_option, show, target_options
from provgraph.cli.terminal import say
from provgraph.client.files import content_of
from provgraph.errors import InvalidInput


@click.command()
@click.argument("session", required=False, default="")
@click.option(
    "-o",
    "--output",
    type=click.Path(dir_okay=False, path_type=Path),
    required=True,
    help="The bundle to write, such as answer.zip.",
)
@format_option("text", "json")
@target_options()
def prove(target: Target, session: str, output: Path, style: str) -> None:
    """Write the answer of SESSION (an IRI or a UUID, by default the last one) with all that proves it into one signed
    file."""
    with connect(target) as service:
        session = session or _last(service)
        pieces = service.download(f"/api/v1/proofs/{quote(session, safe='')}", "application/zip")
        size = write_file(output, pieces, "bundle")
    check = f"Check it with: provgraph verify-bundle {shlex.quote(str(output))}"
    bundle = {"file": str(output), "bytes": size, "session": session}
    show(bundle, style, lambda _: (f"Wrote {output} ({size:,} bytes). {check}",))


def _last(service: Service) -> str:
    """The session that was begun last."""
    found = service.get("/api/v1/traces", limit=1).json()
    if not found:
        raise InvalidInput('No question was asked yet. Ask one with: provgraph ask "…"')
    return str(found[0]["session"])


@click.command(name="verify-bundle")
@click.argument("file", type=click.Path(exists=True, dir_okay=False, path_type=Path))
@click.option(
    "--key",
    "keys",
    multiple=True,
    metavar="FINGERPRINT",
    help="A key that must have signed it; may be repeated.",
)
@format_option("text", "json")
def verify_bundle(file: Path, keys: tuple[str, ...], style: str) -> None:
    """Verify bundle FILE, or name what in it was changed. Needs no folder and no service.

    The exit status is 1 if anything was changed.
    """
    from provgraph.proofs.verify_bundle import MOST_BYTES, Refused, verified

    if file.stat().st_size > MOST_BYTES:
        raise InvalidInput(f"{file} has more than {MOST_BYTES:,} bytes, the most of a bundle.")
    try:
        told = verified(content_of(file), frozenset(keys))
    except Refused as error:
        if style == "json":
            echo_json({"true": False, "reason": str(error)})
        else:
            say(f"False: {error}")
        raise SystemExit(1) from error
    if style == "json":
        echo_json({"true": True, **told})
        return
    say("True: nothing in the bundle was changed since it was signed.")
    for name, value in told.items():
        say(f"  {name}: {value}")
    if not keys:
        say("  Compare the key with one you know, or give that with --key: a bundle made again has another.")
