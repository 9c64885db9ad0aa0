"""What a SPARQL query gives, as values of Python."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, Any, Final

import httpx2

from provgraph.client.notebook import rows_page
from provgraph.errors import InvalidInput

if TYPE_CHECKING:
    import pandas

JSON_RESULTS: Final = "application/sparql-results+json"
ACCEPTED: Final = f"{JSON_RESULTS}, text/turtle;q=0.5"
_XSD: Final = "http://www.w3.org/2001/XMLSchema#"
_NUMBERS: Final = {
    **dict.fromkeys(("integer", "int", "long", "short", "nonNegativeInteger", "positiveInteger"), int),
    **dict.fromkeys(("decimal",), Decimal),
    **dict.fromkeys(("double", "float"), float),
}

Row = dict[str, Any]


@dataclass(frozen=True)
class SparqlRows:
    """The rows of a SELECT, each a value by column: IRIs and texts as `str`, numbers as numbers, None where unbound.

    `boolean` is the answer to an ASK, else None; `turtle` are the statements of a CONSTRUCT or DESCRIBE, else empty.
    `notes` tell what the service did with the query, such as cut its rows.
    """

    columns: tuple[str, ...]
    rows: tuple[Row, ...]
    boolean: bool | None = None
    turtle: str = ""
    notes: tuple[str, ...] = ()

    def __iter__(self) -> Iterator[Row]:
        return iter(self.rows)

    def __len__(self) -> int:
        return len(self.rows)

    def _repr_html_(self) -> str:
        return rows_page(self)

    def dataframe(self) -> pandas.DataFrame:
        """The rows as a DataFrame. Raises `InvalidInput` where pandas is not installed."""
        try:
            import pandas  # optional
        except ImportError as error:
            raise InvalidInput("A DataFrame needs pandas. Install it: pip install pandas.") from error
        return pandas.DataFrame(list(self.rows), columns=list(self.columns))

    @staticmethod
    def of(response: httpx2.Response) -> SparqlRows:
        headers = ("ProvGraph-Syntax", "ProvGraph-Truncated")
        notes = tuple(response.headers[name] for name in headers if name in response.headers)
        if not response.headers["Content-Type"].startswith(JSON_RESULTS):
            return SparqlRows((), (), turtle=response.text, notes=notes)
        told = response.json()
        columns = tuple(told["head"].get("vars", ()))
        bindings = told.get("results", {}).get("bindings", ())
        rows = tuple({name: _value(row.get(name)) for name in columns} for row in bindings)
        return SparqlRows(columns, rows, told.get("boolean"), notes=notes)


def _value(term: dict[str, Any] | None) -> Any:
    """A term of the SPARQL 1.2 results format in JSON; a quoted triple is a tuple of its three values."""
    if term is None:
        return None
    value = term["value"]
    if term["type"] == "triple":
        return tuple(_value(value[part]) for part in ("subject", "predicate", "object"))
    name = str(term.get("datatype", "")).removeprefix(_XSD)
    if name == "boolean":
        return value in ("true", "1")
    try:
        return _NUMBERS[name](value) if name in _NUMBERS else value
    except (ValueError, ArithmeticError):
        return value
