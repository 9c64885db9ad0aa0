"""What the quads that describe one thing say of it, by predicate; other kinds of terms are passed over."""

from __future__ import annotations

from collections.abc import Iterable

from pyoxigraph import Literal, NamedNode, Quad


def texts_of(quads: Iterable[Quad], predicate: NamedNode) -> list[str]:
    """The literals, in the order of the quads."""
    return [
        quad.object.value
        for quad in quads
        if quad.predicate == predicate and isinstance(quad.object, Literal)
    ]


def text_of(quads: Iterable[Quad], predicate: NamedNode) -> str:
    """The first literal; empty where there is none."""
    return next(iter(texts_of(quads, predicate)), "")


def integer_of(quads: Iterable[Quad], predicate: NamedNode) -> int:
    """0 where there is none. Raises `ValueError` for what is no integer."""
    return int(text_of(quads, predicate) or 0)


def nodes_of(quads: Iterable[Quad], predicate: NamedNode) -> list[NamedNode]:
    """The IRIs, in the order of the quads."""
    return [
        quad.object for quad in quads if quad.predicate == predicate and isinstance(quad.object, NamedNode)
    ]
