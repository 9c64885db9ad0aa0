"""What `provgraph ingest` gives with each file: of `--set`, of the file beside it, and of a table for a folder."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput

SIDECAR: Final = ".metadata.json"
_FILE_COLUMNS: Final = ("file", "filename", "file name", "path", "name")

Values = Mapping[str, list[str]]


@dataclass(frozen=True)
class GivenMetadata:
    """`values` go with every file; `by_file` has those of a table, by the name or the path that it gives a file; `own`
    has those of exactly these files."""

    values: Values = field(default_factory=dict)
    by_file: Mapping[str, Values] = field(default_factory=dict)
    own: Mapping[Path, Values] = field(default_factory=dict)

    def of(self, file: Path) -> str:
        """What goes with a file, as JSON, or empty: `--set` before the file beside it, that before the table."""
        given = {**self._tabled(file), **_beside(file), **self.values, **self.own.get(file, {})}
        return json.dumps(given, ensure_ascii=False) if given else ""

    def _tabled(self, file: Path) -> Values:
        path = file.as_posix().casefold()
        for name, values in self.by_file.items():
            if path == name or path.endswith(f"/{name}"):
                return values
        return {}


NOTHING_GIVEN: Final = GivenMetadata()


def given_metadata(pairs: Sequence[str], table: Path | None) -> GivenMetadata:
    """Raises `InvalidInput` for a pair that is none and a table that cannot be read."""
    values: dict[str, list[str]] = {}
    for pair in pairs:
        name, equals, value = pair.partition("=")
        if not (name.strip() and equals and value.strip()):
            raise InvalidInput(f"{pair[:80]!r} is not NAME=VALUE, as in company=PepsiCo.")
        values.setdefault(name.strip(), []).append(value.strip())
    return GivenMetadata(values, _table(table) if table else {})


def is_sidecar(file: Path) -> bool:
    return file.name.casefold().endswith(SIDECAR)


def _beside(file: Path) -> Values:
    """Of `report.pdf.metadata.json`, or `report.metadata.json`, in the folder of `report.pdf`."""
    for name in (f"{file.name}{SIDECAR}", f"{file.stem}{SIDECAR}"):
        beside = file.with_name(name)
        if beside != file and beside.is_file():
            return _values(_json(beside), beside)
    return {}


def _table(path: Path) -> dict[str, Values]:
    """A CSV with a column that names the file, or a JSON object of objects by file name."""
    if path.suffix.casefold() == ".json":
        return {_plain(name): _values(values, path) for name, values in _json(path).items()}
    rows = list(csv.DictReader(io.StringIO(_text(path))))
    heads = [head for head in (rows[0] if rows else ()) if head]
    of_file = next(
        (head for file_column in _FILE_COLUMNS for head in heads if head.strip().casefold() == file_column),
        "",
    )
    if not of_file:
        raise InvalidInput(
            f"{path} has no column 'file' that names the files. Give it one; the others are metadata."
        )
    return {
        _plain(row[of_file]): {
            head.strip(): [row[head].strip()]
            for head in heads
            if head != of_file and (row[head] or "").strip()
        }
        for row in rows
        if row[of_file]
    }


def _values(given: Any, path: Path) -> Values:
    if not isinstance(given, dict):
        raise InvalidInput(
            f'{path} is not an object of names and values. Write it as {{"company": "PepsiCo"}}.'
        )
    return {
        name: [str(each) for each in (value if isinstance(value, list) else [value])]
        for name, value in given.items()
        if value not in (None, "", [])
    }


def _json(path: Path) -> dict[str, Any]:
    try:
        given = json.loads(_text(path))
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"{path} is not JSON: {error}. Correct it.") from error
    if not isinstance(given, dict):
        raise InvalidInput(
            f'{path} is not an object of names and values. Write it as {{"company": "PepsiCo"}}.'
        )
    return given


def _text(path: Path) -> str:
    try:
        return path.read_text(encoding="utf-8-sig")
    except (OSError, UnicodeDecodeError) as error:
        raise InvalidInput(f"{path} cannot be read ({error}). Give a file of UTF-8 text.") from error


def _plain(name: str) -> str:
    return name.strip().replace("\\", "/").removeprefix("./").casefold()


def without_sidecars(files: Iterable[Path]) -> list[Path]:
    """The files without those that only say something of others."""
    return [file for file in files if not is_sidecar(file)]
