"""Dates as file metadata writes them → ISO 8601, as precise as the source, or empty."""

from __future__ import annotations

import re
from datetime import date

_ISO = re.compile(r"\s*(\d{4})(?:-(\d{2})(?:-(\d{2})(?:[T ].*)?)?)?\s*", re.DOTALL)
_PDF = re.compile(r"\s*(?:D:)?(\d{4})(\d{2})?(\d{2})?(?:\d{2}.*)?", re.DOTALL)  # ISO 32000-1, 7.9.4


def iso_date(text: str) -> str:
    """`2019`, `2019-03` or `2019-03-07` of a W3C date or date-time; empty when it is none."""
    return _checked(_ISO.fullmatch(text))


def pdf_date(text: str) -> str:
    """The day of a PDF date such as `D:20190307125427Z`; empty when it is none."""
    return iso_date(text) or _checked(_PDF.fullmatch(text))


def _checked(match: re.Match[str] | None) -> str:
    parts = [int(part) for part in match.groups() if part] if match else []
    if not parts:
        return ""
    try:
        day = date(*[*parts, 1, 1][:3])
    except ValueError:
        return ""
    return day.isoformat()[: (4, 7, 10)[len(parts) - 1]]
