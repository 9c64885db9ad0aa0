"""What a model wrote as an object → a typed value, where it is one; read by the same rules as without a model."""

from __future__ import annotations

from typing import Final

from provgraph.extraction.facts import Value
from provgraph.extraction.stored_values import read_value
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import PREFIXES, RDF, RDFS

_XSD: Final = PREFIXES["xsd"]
_WORDS: Final = {
    RDF.lang_string.value,
    RDFS.Literal.value,
    *(f"{_XSD}{name}" for name in ("string", "token")),
}
_INTEGERS: Final = {
    f"{_XSD}{name}"
    for name in (
        "integer long int short byte nonNegativeInteger positiveInteger nonPositiveInteger negativeInteger "
        "unsignedLong unsignedInt unsignedShort unsignedByte"
    ).split()
}
_DECIMALS: Final = {f"{_XSD}{name}" for name in ("decimal", "double", "float")}
_DATES: Final = {f"{_XSD}date": 10, f"{_XSD}gYearMonth": 7, f"{_XSD}gYear": 4}


def value_of(label: str, datatype: NamedNode) -> Value | None:
    """`label` as a value of `datatype`; None where it does not spell one. Words are kept for unknown datatypes."""
    asked, read = datatype.value, read_value(label)
    if asked in _WORDS:
        return Value("text", label, label)
    if asked in _DATES:
        is_date = read is not None and read.kind == "date" and len(read.lexical) == _DATES[asked]
        return read if is_date else None
    if asked in _INTEGERS | _DECIMALS:
        return _number(label, datatype, whole=asked in _INTEGERS)
    if asked == f"{_XSD}boolean":
        truth = label.casefold()
        return Value("text", truth, label, datatype) if truth in ("true", "false") else None
    if asked == f"{_XSD}anyURI":
        return Value("text", label, label, datatype) if ":" in label and len(label.split()) == 1 else None
    return None if asked.startswith(_XSD) else Value("text", label, label, datatype)


def _number(label: str, datatype: NamedNode, whole: bool) -> Value | None:
    read = read_value(label)
    if read is not None and read.kind == "date" and len(read.lexical) == 4:
        lexical = read.lexical  # four digits may be a year, or just a number
    elif read is not None and read.kind == "number":
        lexical = read.lexical
    else:
        return None
    if (whole and "." in lexical) or not _in_range(int(float(lexical)), datatype.value):
        return None
    return Value("number", lexical, label, datatype)


def _in_range(number: int, datatype: str) -> bool:
    name = datatype.removeprefix(_XSD)
    if name.startswith(("unsigned", "nonNegative")):
        return number >= 0
    signs = {"positiveInteger": number > 0, "negativeInteger": number < 0, "nonPositiveInteger": number <= 0}
    return signs.get(name, True)
