"""`provgraph config`: every setting, and where its value comes from."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import click

from provgraph.cli.options import format_option, show

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
            "name": each,
            "variable": variable_of(each),
            "value": _shown(each, getattr(read.settings, each)),
            "source": read.sources.get(each, DEFAULT),
        }
        for each in Settings.model_fields
        if wanted in ("", each) and (each in read.sources or not changed)
    ]
    show(rows, style, _lines, "Every setting has its default.")


def _shown(name: str, value: Any) -> str | int | float | bool | None:
    from provgraph.passwords import without_passwords
    from provgraph.settings import SECRETS

    if name in SECRETS:
        return "(set, not shown)" if value else ""
    return value if isinstance(value, int | float | bool | None) else without_passwords(str(value))


def _lines(rows: list[dict[str, Any]]) -> Iterator[str]:
    texts = {row["name"]: "" if row["value"] is None else str(row["value"]) for row in rows}
    widest = max((len(name) for name in texts), default=0)
    longest = min(40, max(map(len, texts.values()), default=0))
    for row in rows:
        yield f"{row['name']:<{widest}}  {texts[row['name']]:<{longest}}  {row['source']}".rstrip()
