"""Addresses without the user name and the password that may stand in them (RFC 3986, section 3.2.1): what is shown,
logged or stored passes through here."""

from __future__ import annotations

import re
from typing import Final

_USER: Final = re.compile(
    r"""(?<=://)(?:
        [^\s/?\#:@"'<>]{0,200}:(?!\d{1,5}(?:[/?\#\s"'<>]|\Z))[^\s@"'<>]{0,200}@+   # name:password, whatever is in it
      | [^\s/?\#@"'<>]{1,200}@   # a name alone may be a key
    )+""",
    re.VERBOSE,
)


def without_passwords(text: str) -> str:
    """`https://name:secret@host/` becomes `https://host/`; a port and an `@` of a path stay."""
    return _USER.sub("", text) if "://" in text and "@" in text else text
