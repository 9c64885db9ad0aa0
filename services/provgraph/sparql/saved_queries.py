"""The queries that are shipped: named, described, and bound to the parameters that a user gives.

Each is a file `saved/NAME.rq`. Its header, comments of the form `# description: …` and
`# parameter: name kind meaning (default value)`, says what it is for; its parameters stand in the text as `$name`, all
other variables as `?name`. A parameter is bound by putting the term, as SPARQL writes it, in the place of the token:
no text of a user ever becomes anything but one term.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from importlib.resources import files
from typing import Final

from pyoxigraph import Literal, NamedNode

from provgraph.errors import InvalidInput, NotFound
from provgraph.rdf.iris import given_iri
from provgraph.rdf.vocabulary import XSD
from provgraph.sparql.tokens import tokens

_HEADER: Final = re.compile(r"^# (description|parameter): (.+)$", re.MULTILINE)
_PARAMETER: Final = re.compile(r"(\w+) (\w+) (.+?)(?: \(default (.+)\))?")
_NUMBERS: Final = {
    "integer": re.compile(r"[0-9]{1,9}"),
    "decimal": re.compile(r"[0-9]{1,9}(?:\.[0-9]{1,9})?"),
}


def _number(kind: str, datatype: NamedNode) -> Callable[[str], Literal]:
    def read(value: str) -> Literal:
        if not _NUMBERS[kind].fullmatch(value):
            raise ValueError
        return Literal(value, datatype=datatype)

    return read


_KINDS: Final[Mapping[str, Callable[[str], NamedNode | Literal]]] = {
    "iri": given_iri,
    "text": Literal,
    "integer": _number("integer", XSD.integer),
    "decimal": _number("decimal", XSD.decimal),
}


@dataclass(frozen=True)
class SavedQueryParameter:
    """`kind` is iri, text, integer or decimal; one without a default must be given."""

    name: str
    kind: str
    meaning: str
    default: str | None

    def term(self, value: str) -> NamedNode | Literal:
        """Raises `InvalidInput` for a value that is not of the kind."""
        try:
            return _KINDS[self.kind](value)
        except ValueError as error:
            raise InvalidInput(
                f"The parameter {self.name!r} takes one {self.kind}, and {value[:80]!r} is none. {self.meaning}"
            ) from error


@dataclass(frozen=True)
class SavedQuery:
    name: str
    description: str
    parameters: tuple[SavedQueryParameter, ...]
    text: str

    def bound(self, values: Mapping[str, str]) -> str:
        """The query with every parameter in its place.

        Raises `InvalidInput` for a parameter that is missing or unknown, or whose value is not of its kind.
        """
        unknown = sorted(values.keys() - {parameter.name for parameter in self.parameters})
        if unknown:
            has = ", ".join(parameter.name for parameter in self.parameters) or "none"
            raise InvalidInput(
                f"The query {self.name} has no parameter {unknown[0][:80]!r}. Its parameters: {has}."
            )
        terms = {f"${parameter.name}": self._term(parameter, values) for parameter in self.parameters}
        return "".join(terms.get(token.text, token.text) for token in tokens(self.text))

    def _term(self, parameter: SavedQueryParameter, values: Mapping[str, str]) -> str:
        value = values.get(parameter.name, parameter.default)
        if value is None:
            raise InvalidInput(
                f"The query {self.name} needs the parameter {parameter.name!r}. {parameter.meaning} "
                f"Give it as {parameter.name}=VALUE."
            )
        term = parameter.term(value)
        return term.value if parameter.kind == "integer" else str(term)


@cache
def saved_queries() -> Mapping[str, SavedQuery]:
    """All shipped queries, by name in order."""
    folder = files("provgraph.sparql") / "saved"
    queries = [_read(entry.name.removesuffix(".rq"), entry.read_text()) for entry in folder.iterdir()]
    return {query.name: query for query in sorted(queries, key=lambda query: query.name)}


def saved_query(name: str) -> SavedQuery:
    """Raises `NotFound` with all names for one that there is not."""
    known = saved_queries()
    if name not in known:
        raise NotFound(f"There is no saved query {name[:80]!r}. There are: {', '.join(known)}.")
    return known[name]


def _read(name: str, text: str) -> SavedQuery:
    said = _HEADER.findall(text)
    (description,) = (value for key, value in said if key == "description")
    return SavedQuery(
        name, description, tuple(_parameter(value) for key, value in said if key == "parameter"), text
    )


def _parameter(value: str) -> SavedQueryParameter:
    match = _PARAMETER.fullmatch(value)
    assert match is not None, value
    return SavedQueryParameter(match[1], match[2], match[3], match[4])
