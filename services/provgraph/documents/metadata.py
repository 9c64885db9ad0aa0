"""What is given with a document beside its bytes: names with values, such as `company`: `PepsiCo`.

`title`, `author` and `date` are no metadata of their own: they say what the document itself is called, by whom and of
when it is; `readers` says who may read it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from provgraph.documents.readers.dates import iso_date
from provgraph.documents.readers.writable import writable
from provgraph.errors import InvalidInput
from provgraph.passwords import without_passwords
from provgraph.rdf.iris import principal_name

MOST_ENTRIES: Final = 100
NAME_LENGTH: Final = 100
VALUE_LENGTH: Final = 1_000

Entries = tuple[tuple[str, str], ...]
_TITLE: Final = frozenset({"title"})
_AUTHORS: Final = frozenset({"author", "authors", "creator"})
_DATE: Final = frozenset({"date"})
_READERS: Final = frozenset({"readers"})


@dataclass(frozen=True)
class DocumentMetadata:
    """`entries` are names with values in the order in which they were given, each pair once; a name may have several.

    `title`, `creators` and `date` (ISO 8601) are empty where nothing was given; so are `readers`, the groups and
    principals that may read it.
    """

    entries: Entries = ()
    title: str = ""
    creators: tuple[str, ...] = ()
    date: str = ""
    readers: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.entries or self.title or self.creators or self.date or self.readers)


NO_METADATA: Final = DocumentMetadata()


def read_metadata(pairs: Iterable[tuple[str, str]]) -> DocumentMetadata:
    """Raises `InvalidInput` for a name without a value, a date or a reader that is none, and for more or longer ones
    than fit."""
    entries: list[tuple[str, str]] = []
    titles: list[str] = []
    creators: list[str] = []
    dates: list[str] = []
    readers: list[str] = []
    for given_name, given_value in pairs:
        name, value = _plain(given_name), _plain(given_value)
        _check(name, value)
        kind = name.casefold()
        if kind in _TITLE:
            titles.append(value)
        elif kind in _AUTHORS:
            creators.append(value)
        elif kind in _DATE:
            dates.append(_date(value))
        elif kind in _READERS:
            readers.append(principal_name(value))
        else:
            entries.append((name, value))
    if len(entries) > MOST_ENTRIES:
        raise InvalidInput(f"{len(entries)} values were given with a document. Give at most {MOST_ENTRIES}.")
    return DocumentMetadata(
        tuple(dict.fromkeys(entries)),
        "".join(titles[-1:]),
        tuple(creators),
        "".join(dates[-1:]),
        tuple(dict.fromkeys(readers)),
    )


def pairs_of(values: Mapping[str, Any]) -> list[tuple[str, str]]:
    """The pairs of a JSON object: a list is several values of its name, and null is none.

    Raises `InvalidInput` for an object within the object.
    """
    return [
        (name, text)
        for name, value in values.items()
        for each in (value if isinstance(value, list) else [value])
        if (text := _text(name, each)).strip()
    ]


def kept_entries(values: Mapping[str, str]) -> Entries:
    """Of what a record says besides, the values that are short enough to narrow a question by."""
    pairs = ((_plain(name), _plain(value)) for name, value in values.items())
    fitting = [
        (name, value)
        for name, value in pairs
        if name and value and "=" not in name and len(name) <= NAME_LENGTH and len(value) <= VALUE_LENGTH
    ]
    return tuple(dict.fromkeys(fitting))[:MOST_ENTRIES]


def merged(before: Entries, given: Entries) -> Entries:
    """Names that are given anew have their new values only; the others stay as they were."""
    names = {name.casefold() for name, _ in given}
    return (*(entry for entry in before if entry[0].casefold() not in names), *given)


def values_by_name(entries: Entries) -> dict[str, list[str]]:
    values: dict[str, list[str]] = {}
    for name, value in entries:
        values.setdefault(name, []).append(value)
    return values


def _text(name: str, value: Any) -> str:
    if isinstance(value, dict | list):
        raise InvalidInput(
            f"The value of {name[:60]!r} is not a plain one. Give text, a number or true or false."
        )
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)


def _plain(text: str) -> str:
    return without_passwords(" ".join(writable(text).split()))


def _check(name: str, value: str) -> None:
    if not name or not value or "=" in name:
        raise InvalidInput(f"{f'{name}={value}'[:80]!r} is not NAME=VALUE, as in company=PepsiCo.")
    if len(name) > NAME_LENGTH or len(value) > VALUE_LENGTH:
        raise InvalidInput(
            f"{name[:60]!r} is too long. A name has at most {NAME_LENGTH} characters and a value {VALUE_LENGTH:,}."
        )


def _date(value: str) -> str:
    if date := iso_date(value):
        return date
    raise InvalidInput(f"{value[:40]!r} is not a date. Write 2023, 2023-02 or 2023-02-14.")
