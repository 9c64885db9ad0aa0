"""What a question makes of entities that are one: it starts at all of them, passes between them, and says so."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Final

from provgraph.ports.retriever import Seed, TakenAsOne
from provgraph.rdf.terms import NamedNode
from provgraph.retrieval.identity.entity_resolution import Tie
from provgraph.retrieval.identity.resolver import Resolver
from provgraph.retrieval.seeds import EXACT, FUZZY, KEYWORD, SPELLING, Entrance

MOST_WORDINGS: Final = 3
BY_NAME: Final = (EXACT, SPELLING, FUZZY, KEYWORD)
SAME_AS: Final = "another name"


def joined(seeds: Sequence[Seed], resolver: Resolver) -> list[Seed]:
    """The seeds and all entities that are one with them, best first.

    An entity that a name of the question leads to is called by that name, also where something less led to it.
    """
    resolver.know(seed.entity.value for seed in seeds)
    found = {seed.entity.value: seed for seed in seeds}
    by_name = sorted(seeds, key=lambda seed: seed.how not in BY_NAME)
    for seed in by_name:
        node = seed.entity.value
        for other, way in sorted(resolver.identity(node).ways(node).items()):
            known = found.get(other)
            if known is None or (seed.how in BY_NAME and known.how not in BY_NAME and not known.called):
                score = max(seed.score, known.score) if known else seed.score
                ties = tuple(told_ties(node, way, asked=seed.how in BY_NAME))
                found[other] = Seed(NamedNode(other), resolver.name(other), score, SAME_AS, ties, seed.label)
    return sorted(found.values(), key=lambda seed: -seed.score)


def told_ties(node: str, way: Iterable[Tie], *, asked: bool = False) -> Iterator[TakenAsOne]:
    """The ties of a way that begins at `node`, as they are told.

    An ambiguous name that is `asked` for stands for all that are called so: they are shown beside each other, in
    all documents. Only between facts it counts in none but its own documents.
    """
    for tie in way:
        yield TakenAsOne(
            entities=(NamedNode(tie.one), NamedNode(tie.other)),
            rule=tie.rule,
            told=tie.told(node, asked=asked),
            fact=tie.said.fact if tie.said else None,
            decision=NamedNode(tie.decision) if tie.decision else None,
            within=frozenset() if asked else tie.within,
            is_one_of_several=asked and bool(tie.within),
        )
        node = tie.beyond(node)


def wordings(question: str, seeds: Sequence[Seed]) -> list[str]:
    """The question with other names in the place of those that it has, a few."""
    found: list[str] = []
    for seed in seeds:
        if seed.called and seed.label.casefold() != seed.called.casefold():
            other = seed.label.replace("\\", "\\\\")
            pattern = rf"(?<!\w){re.escape(seed.called)}(?!\w)"
            worded = re.sub(pattern, other, question, flags=re.IGNORECASE)
            if worded != question and worded not in found:
                found.append(worded)
    return found[:MOST_WORDINGS]


def with_others(
    entrances: Mapping[str, Entrance], visited: set[str], resolver: Resolver
) -> dict[str, Entrance]:
    """The entrances and those to entities that are one with them, at no cost.

    An entity that may be two things lets in only facts of the documents by whose facts it was reached.
    """
    resolver.know(entrances)
    others = dict(entrances)
    for node, entrance in entrances.items():
        identity = resolver.identity(node)
        if node not in identity.doubts:
            others[node] = entrance = replace(entrance, within=frozenset())
        for other, way in sorted(identity.ways(node).items()):
            within = _within(entrance, way)
            if other not in others and other not in visited and within is not None:
                ties = tuple(told_ties(node, way))
                path = (*entrance.path, *(tie.told for tie in ties))
                others[other] = replace(entrance, path=path, ties=(*entrance.ties, *ties), within=within)
    return others


def _within(entrance: Entrance, way: Iterable[Tie]) -> frozenset[str] | None:
    """The documents in which a way counts; None where in none."""
    limits = [limit for limit in (entrance.within, *(tie.within for tie in way)) if limit]
    if not limits:
        return frozenset()
    return frozenset.intersection(*limits) or None


def joints(ends: Iterable[str], documents: Iterable[str], resolver: Resolver) -> frozenset[str]:
    """What the ends of an edge are, for other edges to meet them; `documents` say the edge."""
    said = list(documents)
    found: set[str] = set()
    for node in ends:
        identity = resolver.identity(node)
        if node in identity.doubts:
            found.update(f"{node} {document}" for document in said)
        else:
            found.add(identity.name)
        for tie in identity.near:
            if node in tie.pair:
                found.update(
                    f"{end} {document}" for end in tie.pair for document in said if document in tie.within
                )
    return frozenset(found)
