"""Fields of TrustGraph's messages: numbers, texts, base64, and RDF terms as its clients read and write
them."""

from __future__ import annotations

import base64
import binascii
import json
from collections.abc import Mapping
from typing import Any

from provgraph.errors import InvalidInput
from provgraph.rdf.graphs import CollectionGraphs, kind_of_graph
from provgraph.rdf.json_terms import JsonTerm, term_to_json
from provgraph.rdf.terms import Literal, NamedNode, Quad, Term, Triple

Body = Mapping[str, Any]


def json_object(raw: str | bytes, what: str) -> Body:
    """Raises `InvalidInput` where `what` was sent is not a JSON object."""
    try:
        value = json.loads(raw)
    except (ValueError, RecursionError) as error:
        raise InvalidInput(f"The {what} is not JSON. Send one JSON object.") from error
    if not isinstance(value, Mapping):
        raise InvalidInput(f"The {what} is not a JSON object. Send one.")
    return value


def text(body: Body, name: str, default: str | None = None) -> str:
    """Raises `InvalidInput` where the field is absent without a default, is no text, or holds half a character."""
    value = body.get(name)
    if value is None:
        if default is None:
            raise InvalidInput(f"The request has no {name!r}. Send it.")
        return default
    if not isinstance(value, str):
        raise _unfit(name, "a text")
    try:
        value.encode()
    except UnicodeEncodeError as error:
        raise _unfit(name, "text in whole characters") from error
    return value


def texts(body: Body, name: str) -> list[str]:
    values = body.get(name) or []
    if not isinstance(values, list):
        raise _unfit(name, "a list of texts")
    return [text({name: value}, name) for value in values]


def number(body: Body, name: str, default: int, most: int) -> int:
    """A whole number from 1 to `most`; more is taken as `most`, and 0 or nothing as the default."""
    value = body.get(name)
    if value is None:
        return default
    if isinstance(value, bool) or not isinstance(value, int) or value < 0:
        raise _unfit(name, "a whole number")
    return min(value, most) or default


def flag(body: Body, name: str) -> bool:
    value = body.get(name, False)
    if not isinstance(value, bool | None):
        raise _unfit(name, "true or false")
    return bool(value)


def part(body: Body, name: str) -> Body:
    """A field that holds fields of its own."""
    value = body.get(name)
    if not isinstance(value, Mapping):
        raise _unfit(name, "an object")
    return value


def parts(body: Body, name: str) -> list[Body]:
    values = body.get(name) or []
    if not isinstance(values, list):
        raise _unfit(name, "a list of objects")
    return [part({name: value}, name) for value in values]


def _unfit(name: str, kind: str) -> InvalidInput:
    return InvalidInput(f"{name!r} is not {kind}. Send it as the client of TrustGraph does.")


def encoded(content: bytes) -> str:
    return base64.b64encode(content).decode()


def decoded(content: str) -> bytes:
    """Raises `InvalidInput` for what is not base64."""
    try:
        return base64.b64decode(content, validate=True)
    except (binascii.Error, ValueError) as error:
        raise InvalidInput(f"'content' is not base64 ({error}). Encode the file's bytes.") from error


def wire_term(term: Term) -> JsonTerm:
    if isinstance(term, Triple):
        return {"t": "t", "tr": wire_triple(term), "v": str(term)}
    told = term_to_json(term)
    if isinstance(term, Literal):
        again = {"d": told.get("dt"), "l": told.get("ln")}
        told |= {name: value for name, value in again.items() if value}
    return told


def wire_triple(triple: Triple) -> JsonTerm:
    return {
        "s": wire_term(triple.subject),
        "p": wire_term(triple.predicate),
        "o": wire_term(triple.object),
    }


def wire_quad(quad: Quad) -> JsonTerm:
    """With the graph as clients name it: none for the knowledge graph, and no collection in the others."""
    kind = kind_of_graph(quad.graph_name)
    graph: dict[str, Any] = {} if kind in (None, "knowledge") else {"g": f"urn:graph:{kind}"}
    return wire_triple(quad.triple) | graph


def graphs_of(name: object, graphs: CollectionGraphs) -> tuple[NamedNode, ...]:
    """The graphs that a client means: all for none or "*", the knowledge graph for "", else the one of this name."""
    if name is None or name == "*":
        return tuple(graphs)
    if name == "":
        return (graphs.knowledge,)
    own = {f"urn:graph:{kind}": graph for kind, graph in vars(graphs).items()}
    own |= {graph.value: graph for graph in graphs}
    return (own[name],) if isinstance(name, str) and name in own else ()
