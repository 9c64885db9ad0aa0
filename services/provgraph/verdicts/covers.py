"""Of each unit of a claim what meets it in a sentence, or in several, and what stands in its place."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Final

from provgraph.reading.syntax import Token
from provgraph.verdicts.sentence_words import SentenceWords
from provgraph.verdicts.units import Unit
from provgraph.verdicts.word_links import Link

MET: Final = 0.5
"""How far a unit must be accounted for."""


@dataclass(frozen=True)
class Rival:
    """What the evidence has in the place of an unmet unit; `near` says that it hangs on the same word."""

    kind: str
    token: Token
    near: bool


@dataclass(frozen=True)
class Cover:
    """Of each unit of a claim the link that meets it, or None; `rivals` by unit."""

    units: Sequence[Unit]
    links: Sequence[Link | None]
    sentence: SentenceWords | None
    rivals: dict[int, Rival] = field(default_factory=dict)
    options: Sequence[Sequence[Link]] = ()

    @property
    def share(self) -> float:
        whole = sum(unit.weight for unit in self.units) or 1.0
        met = sum(
            u.weight * link.worth for u, link in zip(self.units, self.links, strict=True) if link is not None
        )
        return met / whole

    @property
    def is_of_another(self) -> bool:
        """Whether the sentence tells of the second where the claim tells of the first, or of the new for the old."""
        return any(
            rival.near and (self.units[number].kind == "ordinal" or rival.kind == "opposite")
            for number, rival in self.rivals.items()
        )

    @property
    def at(self) -> set[int]:
        return {link.at for link in self.links if link is not None and link.worth >= MET and link.at >= 0}

    @cached_property
    def literal(self) -> frozenset[int]:
        """Where units are met by the very same words."""
        return frozenset(link.at for link in self.links if link is not None and link.way == "same")

    def met(self, number: int) -> bool:
        link = self.links[number]
        return link is not None and link.worth >= MET


def union(covers: Sequence[Cover]) -> Cover:
    """Of each unit the best link of several sentences; the first one's rivals. Sentences of another add nothing."""
    first, *others = covers
    covers = [first, *(each for each in others if not each.is_of_another)]
    links = [
        max((c.links[i] for c in covers if c.links[i] is not None), key=lambda link: link.worth, default=None)  # type: ignore[union-attr]
        for i in range(len(first.units))
    ]
    return Cover(first.units, links, first.sentence, first.rivals, first.options)
