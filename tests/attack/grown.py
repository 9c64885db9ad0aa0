"""Inputs of any size for every reader and language: each grows with `n`, and is small until then."""

from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable, Mapping
from typing import Final

from attack import bombs

Grown = Callable[[int], bytes]


def _text(make: Callable[[int], str]) -> Grown:
    return lambda n: make(n).encode(errors="surrogatepass")


def _zip(members: Mapping[str, bytes]) -> bytes:
    made = io.BytesIO()
    with zipfile.ZipFile(made, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    return made.getvalue()


def png(width: int, height: int) -> bytes:
    """A picture that is one colour throughout, and says that it has so many pixels."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack("!I", len(content)) + kind + content + struct.pack("!I", zlib.crc32(kind + content))
        )

    packer = zlib.compressobj(9)
    rows = b"".join(packer.compress(bytes(1 + width // 8)) for _ in range(min(height, 4000))) + packer.flush()
    head = struct.pack("!IIBBBBB", width, height, 1, 0, 0, 0, 0)
    return b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", head) + chunk(b"IDAT", rows) + chunk(b"IEND", b"")


def _laughing_docx(n: int) -> bytes:
    entities = "".join(f'<!ENTITY e{i} "{f"&e{i - 1};" * 10 if i else "ha"}">' for i in range(min(n, 9)))
    body = f"<!DOCTYPE w:document [{entities}]><w:document {bombs.WORD}><w:body><w:p><w:r><w:t>&e{min(n, 9) - 1};</w:t>"
    return bombs.docx(f"{body}</w:r></w:p></w:body></w:document>".encode())


def _bib(n: int) -> str:
    return (
        "@article{a, title = {"
        + "{" * n
        + "radium"
        + "}" * n
        + "}, author = {"
        + "Curie and " * n
        + "Curie}}"
    )


FILES: Final[Mapping[str, Grown]] = {
    "one-word.txt": _text(lambda n: "a" * n),
    "one-sentence.txt": _text(lambda n: "the Abc of " * (n // 11)),
    "commas.txt": _text(lambda n: "Curie, " * (n // 7) + "found radium."),
    "and.txt": _text(lambda n: "Curie found it and " * (n // 19) + "left."),
    "brackets.txt": _text(lambda n: "(" * n),
    "quotes.txt": _text(lambda n: '"Curie found ' * (n // 13)),
    "digits.txt": _text(lambda n: "1" * n),
    "numbers.txt": _text(lambda n: "1,2." * (n // 4)),
    "dots.txt": _text(lambda n: "A. " * (n // 3)),
    "names.txt": _text(lambda n: "Marie " * (n // 6)),
    "short-sentences.txt": _text(lambda n: " ".join(f"Curie found item{i}." for i in range(n // 20))),
    "spaces.txt": _text(lambda n: "a" + " " * n + "b"),
    "line-ends.txt": _text(lambda n: "a\n" * (n // 2)),
    "accents.txt": _text(lambda n: "a" + "\u0301" * (n // 2)),
    "turned.txt": _text(lambda n: "\u202ea\u202c" * (n // 7)),
    "no-width.txt": _text(lambda n: "Cu\u200brie found \u2060radium. " * (n // 25)),
    "zeros.txt": _text(lambda n: "a\x00" * (n // 2)),
    "stars.md": _text(lambda n: "*" * n),
    "emphasis.md": _text(lambda n: "*a **b " * (n // 7)),
    "links.md": _text(lambda n: "[" * n),
    "linked.md": _text(lambda n: "[a](" * (n // 4)),
    "quoted.md": _text(lambda n: ">" * n + "a"),
    "indented.md": _text(lambda n: "".join(f"{' ' * (i % 200)}- a\n" for i in range(n // 100))),
    "columns.md": _text(lambda n: f"{'|a' * (n // 6)}|\n{'|-' * (n // 6)}|\n{'|b' * (n // 6)}|\n"),
    "headings.md": _text(lambda n: "# Radium\n\n" * (n // 10)),
    "ticks.md": _text(lambda n: "".join("`" * i + " " for i in range(1, int((2 * n) ** 0.5)))),
    "nested.html": _text(lambda n: "<html>" + "<div>" * (n // 5)),
    "tables.html": _text(lambda n: "<html>" + "<table><tr><td>" * (n // 15)),
    "lists.html": _text(lambda n: "<html>" + "<ul><li>a" * (n // 9)),
    "spans.html": _text(lambda n: "<html><table>" + "<tr><td colspan=999 rowspan=999>a" * (n // 33)),
    "inline.html": _text(lambda n: "<html><p>" + "<b><i>" * (n // 6) + "a"),
    "open.html": _text(lambda n: "<html>" + "<" * n),
    "attributes.html": _text(lambda n: "<html><p " + "a=b " * (n // 4)),
    "comment.html": _text(lambda n: "<html>" + "<!--" * (n // 4)),
    "entities.html": _text(lambda n: "<html>" + "&amp;&#x" * (n // 8)),
    "headings.html": _text(lambda n: "<html>" + "<h1>a" * (n // 5)),
    "closed-headings.html": _text(lambda n: "<html>" + "<h1>a</h1>" * (n // 10)),
    "one-heading.html": _text(lambda n: "<html><h1>" + "a</h1>" * (n // 6)),
    "sections.html": _text(
        lambda n: "<html>" + "<h2>Radium</h2><table><tr><td>Year<td>1898</table>" * (n // 51)
    ),
    "sections.md": _text(lambda n: "# Radium\n\n| Item | 1898 |\n|---|---|\n| Mass | 7 |\n\n" * (n // 52)),
    "no-stops.txt": _text(lambda n: "\n".join(f"Curie found radium in room {i}" for i in range(n // 30))),
    "endless.txt": _text(
        lambda n: "Curie found " + "the radium that Becquerel had sent to Paris when " * (n // 50)
    ),
    "name-and-name.txt": _text(lambda n: "Marie Curie and " * (n // 16) + "Pierre found radium."),
    "one-name.txt": _text(lambda n: "Marie Curie found radium. " * (n // 26)),
    "many-names.txt": _text(lambda n: " ".join(f"Anna{i} Berg met Otto{i} Kuhn." for i in range(n // 30))),
    "aliases.txt": _text(
        lambda n: " ".join(f"Anna{i} Berg, known as Otto{i}, is a doctor." for i in range(n // 44))
    ),
    "ligatures.txt": _text(lambda n: "\ufdfa" * (n // 3)),
    "dates.txt": _text(lambda n: "On 1 May 1898, 2.3.1899, 1900-01-02 and in 1903-04, " * (n // 53)),
    "addresses.txt": _text(lambda n: "http://a.b." * (n // 11) + "@" + "a." * 9),
    "backtracks.txt": _text(lambda n: "(1,234.5" * (n // 8) + "$ €- " * (n // 40)),
    "amounts.csv": _text(
        lambda n: "name,2020,2021,2022\n" + "".join(f"Item {i},{i}.5,{2 * i},({i})\n" for i in range(n // 30))
    ),
    "columns.csv": _text(lambda n: "a," * (n // 4) + "\n" + "1," * (n // 4)),
    "rows.csv": _text(lambda n: "name,year\n" + "Curie,1898\n" * (n // 11)),
    "quote.csv": _text(lambda n: 'name,year\n"' + "Curie,1898\n" * (n // 11)),
    "quotes.csv": _text(lambda n: "name\n" + '"' * n),
    "ragged.csv": _text(lambda n: "".join("a," * (i * 37 % 100) + "\n" for i in range(n // 100))),
    "line.jsonl": _text(lambda n: json.dumps({"text": "Curie found radium. " * (n // 20)})),
    "deep.jsonl": _text(lambda n: "[" * (n // 2) + "]" * (n // 2)),
    "objects.jsonl": _text(lambda n: '{"a":' * (n // 6) + "1" + "}" * (n // 6)),
    "keys.jsonl": _text(lambda n: json.dumps({f"k{i}": i for i in range(n // 14)})),
    "lines.jsonl": _text(lambda n: "".join(f'{{"text": "Curie found {i}."}}\n' for i in range(n // 28))),
    "number.json": _text(lambda n: '{"text": ' + "9" * n + "}"),
    "deep.json": _text(lambda n: '{"a":[' * (n // 8) + "]}" * (n // 8)),
    "list.json": _text(lambda n: json.dumps([{"text": "Curie found radium."}] * (n // 32))),
    "braces.bib": _text(_bib),
    "entries.bib": _text(
        lambda n: "".join(f"@misc{{k{i}, title = {{Radium {i}}}}}\n" for i in range(n // 33))
    ),
    "paragraphs.docx": lambda n: bombs.docx("<w:p><w:r><w:t>Curie.</w:t></w:r></w:p>" * (n // 4)),
    "nested.docx": lambda n: bombs.docx("<w:p>" * n + "</w:p>" * n),
    "runs.docx": lambda n: bombs.docx(f"<w:p>{'<w:r><w:t>a</w:t></w:r>' * n}</w:p>"),
    "zeros.docx": lambda n: bombs.docx(b" " * (n * 200)),
    "laughs.docx": lambda n: _laughing_docx(max(2, n // 10_000)),
    "members.docx": lambda n: _zip(
        {f"word/{i}.xml": b"" for i in range(n // 100)} | {"word/document.xml": b"<a/>"}
    ),
    "rows.xlsx": lambda n: bombs.xlsx(bombs.cells(max(2, n // 4)), "<si><t>Curie</t></si>"),
    "long.xlsx": lambda n: bombs.xlsx(
        bombs.cells(max(2, n // 100)), f"<si><t>{'radium ' * (n // 100)}</t></si>"
    ),
    "sheets.xlsx": lambda n: bombs.xlsx(bombs.cells(100), "<si><t>Curie</t></si>", sheets=max(1, n // 100)),
    "merged.xlsx": lambda n: bombs.xlsx(
        bombs.cells(3, 26),
        "<si><t>Curie</t></si>",
        merged="".join(f'<mergeCell ref="{chr(65 + at % 26)}{1 + at % 3}:XFD{1 + n}"/>' for at in range(78)),
    ),
    "digits.xlsx": lambda n: bombs.xlsx(
        f'<c r="A1"><v>{"9" * n}</v></c><c r="B{"1" * n}"><v>1e{"9" * n}</v></c>'
    ),
    "nested.xlsx": lambda n: bombs.xlsx("<c>" * n + "</c>" * n, "<si>" * n + "</si>" * n),
    "other.epub": lambda n: _zip({"mimetype": b"application/epub+zip", "a.xhtml": b" " * (n * 200)}),
    "stream.pdf": lambda n: bombs.pdf(
        zlib.compress(b"BT /F 9 Tf (radium) Tj ET\n" * n), "/Filter /FlateDecode"
    ),
    "strokes.pdf": lambda n: bombs.pdf(zlib.compress(b"0 0 m 9 9 l S\n" * n), "/Filter /FlateDecode"),
    "states.pdf": lambda n: bombs.pdf(b"q " * n, ""),
    "places.pdf": lambda n: bombs.pdf(
        zlib.compress(
            b"".join(b"BT /F 1 Tf %d %d Td (a) Tj ET\n" % (i % 600, i % 790) for i in range(n // 8))
        ),
        "/Filter /FlateDecode",
    ),
    "fonts.pdf": lambda n: bombs.fonts_pdf(n // 70),
    "annotated.pdf": lambda n: bombs.annotated_pdf(max(1, n // 110)),
    "forms.pdf": lambda n: bombs.forms_pdf(min(max(1, n // 150), 64)),
    "linked.docx": lambda n: bombs.linked_docx(max(1, n // 400)),
    "pixels.png": lambda n: png(n, n),
    "wide.png": lambda n: png(min(n * 100, 2**31 - 1), 1),
}
"""By the name under which each is sent, of about `n` bytes or as hard to read."""

QUERIES: Final[Mapping[str, Callable[[int], str]]] = {
    "cross product": lambda n: (
        "SELECT (COUNT(*) AS ?n) { " + " ".join(f"?s{i} ?p{i} ?o{i} ." for i in range(n)) + " }"
    ),
    "paths": lambda n: "SELECT * { ?a (" + "|".join(["!<urn:x>*"] * n) + ")* ?b }",
    "nested paths": lambda n: "SELECT * { ?a " + "(" * n + "!<urn:x>" + ")*" * n + " ?b }",
    "brackets": lambda n: "SELECT * { BIND(" + "(" * n + "1" + ")" * n + " AS ?x) }",
    "groups": lambda n: "SELECT * " + "{" * n + "}" * n,
    "optional": lambda n: "SELECT * { " + "OPTIONAL { ?s ?p ?o " * n + "}" * n + " }",
    "union": lambda n: "SELECT * { " + " UNION ".join(["{ ?s ?p ?o }"] * n) + " }",
    "doubling": lambda n: (
        "SELECT (STRLEN(?x0) AS ?n) { BIND('ab' AS ?x"
        + str(n)
        + ") "
        + " ".join(f"BIND(CONCAT(?x{i + 1}, ?x{i + 1}) AS ?x{i})" for i in reversed(range(n)))
        + " }"
    ),
    "regex": lambda n: f'SELECT * {{ FILTER(REGEX("{"a" * n}", "^(a+)+$")) }}',
    "regex of groups": lambda n: f'SELECT * {{ FILTER(REGEX("a", "{"(" * n}a{")*" * n}")) }}',
    "regex of counts": lambda n: (
        f'SELECT * {{ FILTER(REGEX("{"a" * n}", "((a{{1,{n}}}){{1,{n}}}){{1,{n}}}$")) }}'
    ),
    "values": lambda n: "SELECT * { VALUES ?x { " + "1 " * n + "} VALUES ?y { " + "1 " * n + "} }",
    "order": lambda n: "SELECT * { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i } ORDER BY ?i ?c DESC(?a) LIMIT " + str(n),
    "concat": lambda _: (
        "SELECT (GROUP_CONCAT(CONCAT(STR(?a), STR(?c), STR(?f))) AS ?x) { ?a ?b ?c . ?d ?e ?f . ?g ?h ?i }"
    ),
    "construct": lambda n: "CONSTRUCT { " + "?s ?p ?o . [] ?p ?o . " * n + "} { ?s ?p ?o . ?a ?b ?c }",
    "describe": lambda _: "DESCRIBE * { ?s ?p ?o }",
    "triple terms": lambda n: "SELECT * { ?s ?p " + "<<( ?a ?b " * n + "1" + " )>>" * n + " }",
    "ask": lambda n: "ASK { " + "FILTER NOT EXISTS { ?s ?p ?o " * n + "}" * n + " }",
    "federated": lambda _: "SELECT * { SERVICE <http://127.0.0.1:1/> { ?s ?p ?o } }",
    "from": lambda n: "SELECT * " + " ".join(f"FROM <urn:g{i}>" for i in range(n)) + " { ?s ?p ?o }",
    "comment": lambda n: "#" * n,
    "prefix": lambda n: "".join(f"PREFIX p{i}: <urn:p{i}> " for i in range(n)) + "SELECT * { ?s ?p ?o }",
}

_TRIPLE: Final = "<urn:a> <urn:b> "
_RDF_XML: Final = 'xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#" xmlns:a="urn:a"'


def _laughing_rdf(n: int) -> str:
    """Entities of entities: a line for each power of ten."""
    levels = max(2, min(12, n // 60))
    entities = "".join(f'<!ENTITY e{i} "{(f"&e{i - 1};" if i else "ha") * 10}">' for i in range(levels))
    return (
        f'<?xml version="1.0"?><!DOCTYPE rdf:RDF [{entities}]><rdf:RDF {_RDF_XML}>'
        f'<rdf:Description rdf:about="urn:x"><a:b>&e{levels - 1};</a:b></rdf:Description></rdf:RDF>'
    )


RDF: Final[Mapping[str, Grown]] = {
    "terms.ttl": _text(
        lambda n: _TRIPLE + f"<<( {_TRIPLE}" * (n // 22) + "<urn:c>" + " )>>" * (n // 22) + " ."
    ),
    "terms.nt": _text(
        lambda n: _TRIPLE + f"<<( {_TRIPLE}" * (n // 22) + "<urn:c>" + " )>>" * (n // 22) + " .\n"
    ),
    "quoted.trig": _text(
        lambda n: _TRIPLE + f"<< {_TRIPLE}" * (n // 20) + "<urn:c>" + " >>" * (n // 20) + " ."
    ),
    "blanks.ttl": _text(lambda n: _TRIPLE + "[ <urn:b> " * (n // 12) + "1" + " ]" * (n // 12) + " ."),
    "lists.ttl": _text(lambda n: _TRIPLE + "( " * (n // 4) + "1" + " )" * (n // 4) + " ."),
    "strings.ttl": _text(lambda n: _TRIPLE + '"\\"' * (n // 3)),
    "unclosed.ttl": _text(lambda n: _TRIPLE + '"""<<' * (n // 5)),
    "prefix.ttl": _text(lambda n: f"@prefix a: <urn:{'a' * (n // 2)}> .\n" + "a:b a:c a:d .\n" * (n // 28)),
    "objects.jsonld": _text(lambda n: '{"@id":"urn:a","urn:b":' * (n // 24) + '"1"' + "}" * (n // 24)),
    "context.jsonld": _text(lambda n: '{"@context":' + "[" * (n // 2) + "]" * (n // 2) + "}"),
    "elements.rdf": _text(
        lambda n: (
            f"<rdf:RDF {_RDF_XML}>" + "<a:b><a:c>" * (n // 22) + "</a:c></a:b>" * (n // 22) + "</rdf:RDF>"
        )
    ),
    "laughs.rdf": _text(_laughing_rdf),
}
"""Of RDF, for whatever takes some."""

WORDS: Final[Mapping[str, Callable[[int], str]]] = {
    "word": lambda n: "a" * n,
    "words": lambda n: "Curie " * (n // 6),
    "of": lambda n: "Who found the " + "child of the " * (n // 13) + "radium?",
    "and": lambda n: "Who found " + "radium and " * (n // 11) + "polonium?",
    "who": lambda n: "who " * (n // 4) + "?",
    "questions": lambda n: "Who found radium? " * (n // 18),
    "quotes": lambda n: '"' * n,
    "brackets": lambda n: "(" * n,
    "dots": lambda n: "A.B. " * (n // 5),
    "numbers": lambda n: "1898 " * (n // 5),
    "accents": lambda n: "e" + "\u0301" * (n // 2),
    "turned": lambda n: "\u202e" * (n // 3),
    "surrogate": lambda n: "\ud800" * (n // 3),
    "zeros": lambda n: "\x00" * n,
    "other numbers": lambda n: " ".join(str(i + 1000) for i in range(n // 5)),
    "years": lambda n: "Who found radium " + "".join(f"in {1000 + i}, " for i in range(n // 9)) + "and when?",
    "names": lambda n: "Did " + ", ".join(f"Marie{i} Curie" for i in range(n // 15)) + " find radium?",
    "ands": lambda n: " and ".join(f"Curie found item{i}" for i in range(n // 24)) + ".",
    "one name": lambda n: "Marie Curie " * (n // 12) + "found radium.",
    "ligatures": lambda n: "\ufdfa" * (n // 3),
    "endless": lambda n: "Who found " + "the radium that Becquerel sent when " * (n // 37) + "?",
    "comparisons": lambda n: "Is radium " + "larger than polonium or smaller than " * (n // 37) + "lead?",
    "lucene": lambda n: "+a -(b " * (n // 7),
    "stars": lambda n: "* " * (n // 2),
    "lines": lambda n: "a\n" * (n // 2),
    "markup": lambda n: "<script>" * (n // 8),
    "clauses": lambda n: "Curie, who " + "said that she, who " * (n // 19) + "found radium, left.",
    "commas": lambda n: "Curie, " * (n // 7) + "found radium in 1898.",
    "capitals": lambda n: "Marie Of The " * (n // 13) + "found radium.",
    "hyphens": lambda n: "well-" * (n // 5) + "known",
    "digits": lambda n: "Curie found " + "9" * n + " atoms.",
    "amounts": lambda n: "Curie found $1.5 million in 3 May 1898, " * (n // 40) + ".",
    "tables": lambda n: "| name | year |\n|---|---|\n" + "| Curie | 1898 |\n" * (n // 17),
    "columns": lambda n: "|a" * (n // 6) + "|\n" + "|-" * (n // 6) + "|\n" + "|1" * (n // 6) + "|\n",
    "citations": lambda n: "Curie found radium [1]. " * (n // 24),
    "notes": lambda n: "".join(f"[{i}]" for i in range(n // 6)) + "Curie found radium.",
    "tongues": lambda n: "谁发现了镭？" * (n // 18),
}
"""Texts of about `n` bytes, for every field that takes some."""
