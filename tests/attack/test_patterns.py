"""No regular expression of the package takes far more than its text is long, whatever it is made to read."""

from __future__ import annotations

import gc
import re
from collections.abc import Iterator
from contextlib import contextmanager
from functools import lru_cache

import pytest

from attack.patterns import Used, patterns_used, slow_text

LENGTH = 4_000
LIMIT_S = 0.02
"""What begins to be looked at: work that grows as the square takes some ten times as long for a text of that length."""
PARTS = [
    "adapters archiving assembly attestation catalogue checking cli client comprehension documents evaluation flows",
    "derivation",
    "extraction gateway ingestion integrations language peers proofs provenance",
    "rdf reading retrieval sparql traces verdicts web wire",
]
"""Packages whose patterns are tried by one test; what is in none of them is tried with the first."""


@lru_cache(maxsize=1)
def _all_used() -> tuple[Used, ...]:
    return tuple(patterns_used())


def _of(part: str) -> list[Used]:
    others = {name for other in PARTS if other != part for name in other.split()}
    mine = set(part.split())
    return [
        used
        for used in _all_used()
        if (package := re.split(r"[.:]", used.place)[1]) in mine
        or (part == PARTS[0] and package not in others)
    ]


@contextmanager
def _without_collections() -> Iterator[None]:
    """Garbage collections take far longer than a pattern, and are counted to whoever meets one."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


@pytest.mark.parametrize("part", PARTS)
def test_no_pattern_grows_faster_than_its_text(part: str) -> None:
    with _without_collections():
        slow = [(used, text) for used in _of(part) if (text := slow_text(used, LENGTH, LIMIT_S))]
    assert not slow, "\n".join(
        f"{used.place} .{used.method}: {text}: {used.pattern.pattern}" for used, text in slow
    )


def test_the_patterns_of_the_whole_package_are_found() -> None:
    assert len(_all_used()) > 700
    assert {used.place.split(".")[1] for used in _all_used()} > {
        "derivation",
        "extraction",
        "verdicts",
        "gateway",
    }


@pytest.mark.parametrize(
    ("pattern", "method"),
    [
        (r"\s*what happened to (?P<thing>.+?)\s*\?*\s*$", "match"),
        (r"<chat_history>\s*(.*?)\s*</chat_history>", "search"),
        (r"\s*,\s*|\s+and\s+", "split"),
        (r"(\w+)\s+to$", "search"),
        (r"(?:[a-z]+ ?)+;", "match"),
    ],
)
def test_a_pattern_that_grows_faster_is_found(pattern: str, method: str) -> None:
    """Two quantifiers beside each other that take the same, one in another, and a search that begins at each place."""
    with _without_collections():
        assert slow_text(Used(re.compile(pattern), method, ""), LENGTH, LIMIT_S) is not None
