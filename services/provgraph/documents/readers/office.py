"""The parts of an Office file: a zip of XML (ECMA-376).

The parser refuses document type declarations (which the format forbids: ECMA-376-2, 8.2.5), so that no entity can be
defined, and each part has a size limit, so that a small file cannot unfold into memory.
"""

from __future__ import annotations

import zipfile
from xml.etree.ElementTree import Element, ParseError, TreeBuilder, XMLParser

from provgraph.errors import TooLarge

PART_LIMIT = 256 * 1024 * 1024
STRICT = "{http://purl.oclc.org/ooxml/"
"""How namespaces of the strict form begin."""


class _NoDoctype(TreeBuilder):
    def doctype(self, *_: str | None) -> None:
        raise ParseError("it declares a document type, which Office files forbid")


def part(archive: zipfile.ZipFile, path: str, limit: int = PART_LIMIT) -> Element:
    """The root of the part at `path`. Raises `TooLarge` where it unfolds to more than `limit` bytes."""
    if archive.getinfo(path).file_size > limit:
        raise TooLarge(
            f"The part {path} of this Office file decompresses to more than {limit // 2**20} MB. "
            "Split the document into smaller files."
        )
    parser = XMLParser(target=_NoDoctype())
    with archive.open(path) as stream:
        for piece in iter(lambda: stream.read(1 << 20), b""):
            parser.feed(piece)
    return parser.close()
