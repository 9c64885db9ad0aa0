"""The fields of a client's request, each of the kind that it must be, or an error that names it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from provgraph.errors import InvalidInput

Body = Mapping[str, Any]


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
