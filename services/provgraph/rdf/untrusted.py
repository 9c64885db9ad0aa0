"""RDF that somebody sends → quads: what would exhaust its parser is refused before it is parsed, and while it is.

A parser of nested structures can end its process (triple terms within triple terms), take the square of its input
(elements, objects) or make gigabytes of a few lines (entities, prefixes). How deep a file nests is told by its brackets
alone, without its strings; entities are left to Expat, which refuses those that grow (CVE-2013-0340).
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import IO, Final, cast
from xml.parsers import expat

from provgraph.rdf.serialization import RdfFormat, parse
from provgraph.rdf.terms import Literal, Quad, Term, Triple

MOST_NESTED: Final = 50
MOST_GROWTH: Final = 50
"""Characters of terms for each byte of the file, beyond `FREE`: prefixes make words of a letter or two."""
FREE: Final = 10_000_000
MOST_STATEMENTS: Final = 1_000_000
MOST_QUOTED: Final = 300
"""Triple terms in a line, one within the other or not."""

_OF_JSON: Final = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\Z)', re.S)
_OF_TURTLE: Final = re.compile(
    rb'"""(?:[^"\\]|\\.|"(?!""))*+(?:"""|\Z)'
    rb"|'''(?:[^'\\]|\\.|'(?!''))*+(?:'''|\Z)"
    rb'|"(?:[^"\\\n]|\\.)*+(?:["\n]|\Z)'
    rb"|'(?:[^'\\\n]|\\.)*+(?:['\n]|\Z)"
    rb"|#[^\n]*+|<[^<>\s]*+>",
    re.S,
)
"""Strings, IRIs and comments, unclosed ones to their end, so that no byte is looked at twice."""

_QUOTED: Final = re.compile(rb"<<|>>")
_NO_BRACKETS: Final = bytes(set(range(256)) - set(b"[]{}"))


def untrusted_quads(content: bytes, rdf_format: RdfFormat, base_iri: str | None = None) -> Iterator[Quad]:
    """The quads of a file, one by one. Raises `ValueError` or `SyntaxError` that says why it is not read."""
    if _is_too_deep(content, rdf_format):
        raise ValueError(f"it nests deeper than {MOST_NESTED} levels: give inner nodes names of their own")
    left = FREE + MOST_GROWTH * len(content)
    for number, quad in enumerate(parse(content, format=rdf_format, base_iri=base_iri)):
        left -= sum(map(_length, (quad.subject, quad.predicate, quad.object)))
        if left < 0:
            raise ValueError("its names unfold to far more than the file")
        if number == MOST_STATEMENTS:
            raise ValueError(f"it has more than {MOST_STATEMENTS:,} statements: split it, or send an archive")
        yield quad


def archived_quads(file: IO[bytes]) -> Iterator[Quad]:
    """The statements of N-Quads of whatever length, one by one. Raises `ValueError` or `SyntaxError`."""
    return parse(cast("IO[bytes]", _ShallowLines(file)), format=RdfFormat.N_QUADS)


class _ShallowLines:
    """A file of N-Quads as it is read, as long as no line quotes deeper than a parser bears: `read` raises
    `ValueError` then. Words within strings count too, of which a line has few."""

    def __init__(self, file: IO[bytes]) -> None:
        self._file = file
        self._count = 0

    def read(self, size: int = -1) -> bytes:
        content = self._file.read(size)
        first, *others = content.split(b"\n")
        counts = [self._count + first.count(b"<<"), *(line.count(b"<<") for line in others)]
        self._count = counts[-1]
        if max(counts) > MOST_QUOTED:
            raise ValueError("a statement in it nests too deeply")
        return content


def _length(term: Term) -> int:
    if isinstance(term, Triple):
        return sum(map(_length, (term.subject, term.predicate, term.object)))
    return len(term.value) + (len(term.datatype.value) if isinstance(term, Literal) else 0)


def _is_too_deep(content: bytes, rdf_format: RdfFormat) -> bool:
    if rdf_format == RdfFormat.RDF_XML:
        return _Elements().is_too_deep(content)
    if rdf_format == RdfFormat.JSON_LD:
        brackets = _OF_JSON.sub(b"", content).translate(None, _NO_BRACKETS)
        return _nests_too_deep(brackets, 2 * MOST_NESTED)  # an object and a list for each level
    if content.count(b"<<") <= MOST_NESTED:
        return False
    quoted = b"".join(_QUOTED.findall(_OF_TURTLE.sub(b" ", content)))
    return _nests_too_deep(quoted.replace(b"<<", b"[").replace(b">>", b"]"))


def _nests_too_deep(brackets: bytes, most: int = MOST_NESTED) -> bool:
    """Whether pairs within pairs are left when the innermost were taken away so often, or that many are unclosed."""
    for _ in range(most):
        before = len(brackets)
        brackets = brackets.replace(b"[]", b"").replace(b"{}", b"")
        if len(brackets) == before:
            break
    return b"[]" in brackets or b"{}" in brackets or len(brackets) > most


class _Elements:
    """Walks through XML once; what is no XML, or what Expat refuses for its entities, raises `ValueError`."""

    def __init__(self) -> None:
        self._depth = 0

    def is_too_deep(self, content: bytes) -> bool:
        parser = expat.ParserCreate()
        parser.StartElementHandler, parser.EndElementHandler = self._start, self._end
        try:
            parser.Parse(content, True)
        except StopIteration:
            return True
        except expat.ExpatError as error:
            raise ValueError(str(error)) from error
        return False

    def _start(self, _name: str, _attributes: object) -> None:
        self._depth += 1
        if self._depth > 2 * MOST_NESTED:  # a node and a property for each level
            raise StopIteration

    def _end(self, _name: str) -> None:
        self._depth -= 1
