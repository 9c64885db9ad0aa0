"""RDF terms ⇄ the JSON that TrustGraph's clients speak.

{"t": "i", "i": IRI} · {"t": "l", "v": value, "dt": datatype, "ln": language} · {"t": "b", "d": id}
(a literal of RDF 1.2 with a base direction has "dir": "ltr" or "rtl" beside its language)
{"t": "t", "tr": {"s": …, "p": …, "o": …}} for a triple term; a quad also has "g": graph IRI
"""

from __future__ import annotations

from typing import Any

from pyoxigraph import BaseDirection, BlankNode, Literal, NamedNode, Quad, RdfFormat, Triple

from provgraph.errors import InvalidInput
from provgraph.rdf.terms import Term
from provgraph.rdf.untrusted import untrusted_quads
from provgraph.rdf.vocabulary import XSD

JsonTerm = dict[str, Any]


def term_to_json(term: Term) -> JsonTerm:
    match term:
        case NamedNode():
            return {"t": "i", "i": term.value}
        case BlankNode():
            return {"t": "b", "d": term.value}
        case Literal():
            return _literal_to_json(term)
        case Triple():
            return {"t": "t", "tr": triple_to_json(term)}


def _literal_to_json(literal: Literal) -> JsonTerm:
    json_term: JsonTerm = {"t": "l", "v": literal.value}
    if literal.language:
        json_term["ln"] = literal.language
        if literal.direction:
            json_term["dir"] = literal.direction.value
    elif literal.datatype != XSD.string:
        json_term["dt"] = literal.datatype.value
    return json_term


def triple_to_json(triple: Triple) -> JsonTerm:
    return {
        "s": term_to_json(triple.subject),
        "p": term_to_json(triple.predicate),
        "o": term_to_json(triple.object),
    }


def quad_to_json(quad: Quad) -> JsonTerm:
    json_quad = triple_to_json(quad.triple)
    if isinstance(quad.graph_name, NamedNode):
        json_quad["g"] = quad.graph_name.value
    return json_quad


def term_from_json(json_term: JsonTerm) -> Term:
    """Raises `InvalidInput` for anything that is not one term of the forms above."""
    try:
        match json_term:
            case {"t": "i", "i": str(value)}:
                return NamedNode(value)
            case {"t": "b", "d": str(value)}:
                return BlankNode(value)
            case {"t": "l", "v": str(value), **rest}:
                return _literal_from_json(value, rest)
            case {"t": "t", "tr": dict(triple)}:
                return triple_from_json(triple)
    except (ValueError, TypeError) as error:
        raise InvalidInput(f"{str(json_term)[:120]} is not an RDF term ({error}).") from error
    raise InvalidInput(f"{str(json_term)[:120]} is not an RDF term. Give t: i, l, b or t.")


def _literal_from_json(value: str, rest: JsonTerm) -> Literal:
    if language := rest.get("ln"):
        direction = BaseDirection(rest["dir"]) if "dir" in rest else None
        return Literal(value, language=str(language), direction=direction)
    if datatype := rest.get("dt"):
        return Literal(value, datatype=NamedNode(str(datatype)))
    return Literal(value)


def triple_from_json(json_triple: JsonTerm) -> Triple:
    """Raises `InvalidInput` for a triple that RDF does not allow, such as a literal as its subject."""
    terms = [term_from_json(json_triple.get(place, {})) for place in ("s", "p", "o")]
    try:
        return Triple(*terms)  # type: ignore[arg-type]
    except TypeError as error:
        raise InvalidInput(
            f"{str(json_triple)[:120]} is not an RDF triple. Its subject is an IRI or blank node, its predicate an IRI."
        ) from error


def term_from_text(text: str) -> Term:
    """A term as a person writes it: a bare IRI, or as in N-Triples (`<iri>`, `"42"^^<datatype>`, `"x"@en`).

    Raises `InvalidInput` for anything else.
    """
    written = text if text.startswith(('"', "<", "_:")) else f"<{text}>"
    try:
        (quad,) = untrusted_quads(f"<urn:s> <urn:p> {written} .".encode(), RdfFormat.N_TRIPLES)
    except (SyntaxError, ValueError) as error:
        raise InvalidInput(
            f"{text[:120]!r} is not an RDF term. Write an IRI as it is, and a literal as in N-Triples."
        ) from error
    object_: Term = quad.object
    return object_
