"""Characters of which a page, a title or a given value may be made."""

from __future__ import annotations

import re

# What XML 1.0 (2.2 Char) cannot carry, no RDF/XML or SPARQL/XML answer could carry either.
_UNWRITABLE = re.compile("[\x00-\x08\x0b\x0e-\x1f\x7f\ud800-\udfff\ufffe\uffff]")


def writable(text: str) -> str:
    """`text` with line ends as `\\n`, and without characters that cannot be stored or sent."""
    text = text.replace("\r\n", "\n").replace("\r", "\n") if "\r" in text else text
    return _UNWRITABLE.sub("\ufffd", text)
