"""The files of data sets: JSON, JSON Lines and CSV, plain or compressed (gzip, bzip2), and what is wrong with them."""

from __future__ import annotations

import bz2
import csv
import gzip
import hashlib
import io
import json
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any, Final

from provgraph.errors import InvalidInput, NotFound

Record = Mapping[str, Any]

_OPENERS: Final = {".gz": gzip.decompress, ".bz2": bz2.decompress}
_LONGEST_FIELD: Final = 1 << 30


class DataFile:
    """One file, read whole, as records of named fields. Raises `NotFound` or `InvalidInput`."""

    def __init__(self, path: Path) -> None:
        self.path = path
        try:
            self.content = path.read_bytes()
            packed = _OPENERS.get(path.suffix)
            text = (packed(self.content) if packed else self.content).decode("utf-8-sig")
        except FileNotFoundError:
            raise NotFound(f"There is no file {path}. Check the path of the data set.") from None
        except (OSError, EOFError) as error:
            raise InvalidInput(f"{path} cannot be read ({error}). Check that it is whole.") from error
        except UnicodeDecodeError as error:
            raise InvalidInput(f"{path} is not text in UTF-8 ({error.reason}). Save it as UTF-8.") from error
        self.records = _records(path, text)
        if not self.records:
            raise InvalidInput(f"{path} is empty. Name a file with at least one record.")

    def where(self, number: int) -> str:
        """How a record is named to a person, by its number from 0."""
        return f"Record {number + 1} of {self.path}"


def data_file(place: Path, patterns: Iterable[str]) -> DataFile:
    """The file itself, or the first in the folder `place` that one of the patterns finds.

    Raises `NotFound` for a folder without such a file.
    """
    if not place.is_dir():
        return DataFile(place)
    for pattern in patterns:
        if found := sorted(place.glob(pattern)):
            return DataFile(found[0])
    raise NotFound(
        f"The folder {place} has no file like {' or '.join(patterns)}. Name the file of the data set itself."
    )


def sha256_of(files: Iterable[DataFile]) -> str:
    """The hash of the bytes of files, in their order."""
    return hashlib.sha256(b"".join(file.content for file in files)).hexdigest()


def text_of(record: Record, field: str, where: str) -> str:
    """A field that must be there and say something; raises `InvalidInput` that names it."""
    value = record.get(field)
    if isinstance(value, bool) or not isinstance(value, str | int | float) or not str(value).strip():
        has = ", ".join(sorted(map(str, record))) or "nothing"
        raise InvalidInput(f"{where} has no text in {field!r}. It has: {has}.")
    return str(value).strip()


def list_of(record: Record, field: str, where: str) -> list[Any]:
    """A list that may be missing; one value stands for a list of itself."""
    value = record.get(field)
    if value is None or value == "":
        return []
    if isinstance(value, dict):
        raise InvalidInput(f"{where} has an object in {field!r}, where a list is needed.")
    return value if isinstance(value, list) else [value]


def record_of(value: Any, where: str) -> Record:
    """A value that must be an object with fields."""
    if not isinstance(value, dict):
        raise InvalidInput(f"{where} holds {type(value).__name__}, where an object with fields is needed.")
    return value


def _records(path: Path, text: str) -> list[Record]:
    if ".csv" in path.suffixes:
        csv.field_size_limit(_LONGEST_FIELD)
        return list(csv.DictReader(io.StringIO(text, newline="")))
    if text.lstrip()[:1] == "[":
        values = _parsed(text, str(path))
        return [record_of(value, f"Record {number} of {path}") for number, value in enumerate(values, 1)]
    return [
        record_of(_parsed(line, f"Line {number} of {path}"), f"Line {number} of {path}")
        for number, line in enumerate(text.split("\n"), 1)
        if line.strip()
    ]


def _parsed(text: str, where: str) -> Any:
    try:
        return json.loads(text)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(
            f"{where} is not JSON ({error}). A data set is a JSON list, JSON Lines or CSV."
        ) from error
