"""What a SPARQL 1.1 Protocol request asks for (section 2.1), whichever of its three ways it comes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final
from urllib.parse import parse_qsl

from starlette.requests import Request

from provgraph.errors import Forbidden, InvalidInput, TooLarge, UnsupportedDocument
from provgraph.rdf.graphs import DEFAULT_COLLECTION
from provgraph.sparql.formats import accept_of_name, with_version
from provgraph.sparql.query import MAX_QUERY_CHARACTERS

_FORM: Final = "application/x-www-form-urlencoded"
_QUERY: Final = "application/sparql-query"
_UPDATE: Final = "application/sparql-update"
_RDF_12: Final = "rdf-1.2"
_MAX_BODY: Final = 12 * MAX_QUERY_CHARACTERS
"""Four bytes a character, each of them percent-encoded."""


@dataclass(frozen=True)
class ProtocolRequest:
    """`query` is None for a GET without one. `accept` holds the `format` and `rdf` parameters where there are any."""

    query: str | None
    collection: str
    default_graphs: tuple[str, ...]
    named_graphs: tuple[str, ...]
    star_syntax: bool
    accept: str


async def protocol_request(request: Request) -> ProtocolRequest:
    """Read a request, its body with a limit.

    Raises `InvalidInput` for a request that is not the protocol's, `Forbidden` for an update, `TooLarge` and
    `UnsupportedDocument` for its body.
    """
    parameters = _Parameters([*request.query_params.multi_items(), *await _posted(request)])
    if parameters.all("update"):
        raise _update_refused()
    query = parameters.one("query")
    if query is None and request.method == "POST":
        raise InvalidInput(
            f"There is no query. Send it as the form field 'query' or as a body of type {_QUERY}."
        )
    syntax = parameters.one("syntax")
    if syntax not in (None, _RDF_12):
        raise InvalidInput(f"{syntax[:40]!r} is not a syntax. Leave it out, or use syntax={_RDF_12}.")
    return ProtocolRequest(
        query,
        parameters.one("collection") or DEFAULT_COLLECTION,
        parameters.all("default-graph-uri"),
        parameters.all("named-graph-uri"),
        syntax is None,
        _accept(parameters.all("format"), parameters.one("rdf"), request),
    )


@dataclass(frozen=True)
class _Parameters:
    pairs: Sequence[tuple[str, str]]

    def all(self, name: str) -> tuple[str, ...]:
        return tuple(value for key, value in self.pairs if key == name)

    def one(self, name: str) -> str | None:
        values = self.all(name)
        if len(values) > 1:
            raise InvalidInput(f"There are {len(values)} parameters {name!r}. Send one.")
        return values[0] if values else None


def _accept(formats: Sequence[str], version: str | None, request: Request) -> str:
    """What the client wants. SPARQLWrapper names a format twice, by its short name and its media types."""
    named = [each if "/" in each else accept_of_name(each) for each in formats if each]
    accept = ", ".join(named or request.headers.getlist("accept")) or "*/*"
    return with_version(accept, version) if version else accept


async def _posted(request: Request) -> list[tuple[str, str]]:
    """The parameters in the body of a POST; a query that is the body counts as the parameter `query`."""
    if request.method != "POST":
        return []
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type == _UPDATE:
        raise _update_refused()
    if media_type not in (_FORM, _QUERY):
        raise UnsupportedDocument(
            f"A query does not come as {media_type[:80]!r}. Send it as {_QUERY} or {_FORM}."
        )
    body = await _body(request)
    try:
        text = body.decode()
        return (
            [("query", text)]
            if media_type == _QUERY
            else parse_qsl(text, errors="strict", max_num_fields=100)
        )
    except ValueError as error:
        raise InvalidInput(f"The request's body cannot be read ({error}). Encode it as UTF-8.") from error


async def _body(request: Request) -> bytes:
    body = bytearray()
    async for piece in request.stream():
        body += piece
        if len(body) > _MAX_BODY:
            raise TooLarge(
                f"The request's body has more than {_MAX_BODY} bytes. Split it into several queries."
            )
    return bytes(body)


def _update_refused() -> Forbidden:
    return Forbidden(
        "An update would change the store, and this endpoint only reads. "
        "Change data by ingesting and importing."
    )
