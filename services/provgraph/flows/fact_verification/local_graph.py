"""The local graph of a claim: the facts of its passages, ranked by scores that spread from what the claim names."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.catalogue.naming import fact_terms, is_statement, labels
from provgraph.catalogue.sources import Source, Words
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.language.terms import content_terms
from provgraph.ports.quad_store import QuadPattern
from provgraph.propagation import fact_rank, spread, started
from provgraph.rdf.terms import NamedNode, Term, Triple
from provgraph.rdf.vocabulary import PROV, TG

MOST_FACTS: Final = 30
"""Facts that the judge reads; the others are rejected."""


@dataclass(frozen=True)
class GraphFact:
    """A fact that passages say, the best of them at `rank`; `triple` is None for one that a model read just now.

    `labels` are subject, relation and object in words, `ends` what the two ends of the fact are known by, `words` the
    sentences that say it.
    """

    labels: tuple[str, str, str]
    ends: tuple[str, str]
    confidence: float
    rank: int
    words: tuple[Words, ...]
    triple: Triple | None = None


async def stored_facts(run: Run, passages: Sequence[RetrievedPassage]) -> list[GraphFact]:
    """What the store has read from the passages, each fact once, but the edges that are left out."""
    store, graphs = run.services.store, run.graphs
    ranks = {passage.hit.chunk: passage.rank for passage in passages}
    left_out = set(run.question.without.edges)
    subgraphs, contained = await _contained(run, list(ranks))
    triples = [triple for triple in contained if triple not in left_out]
    sources = await run.reader.sources(triples, within=subgraphs)
    terms = [term for triple in triples for term in fact_terms(triple)]
    names = await labels(store, graphs.knowledge, terms)
    own = {
        triple: [source for source in sources[triple] if source.place.chunk in ranks] for triple in triples
    }
    return [_fact(triple, names, own_sources, ranks) for triple, own_sources in own.items() if own_sources]


async def _contained(run: Run, chunks: Sequence[NamedNode]) -> tuple[set[NamedNode], list[Triple]]:
    """The subgraphs of the chunks, and their statements."""
    store, source = run.services.store, run.graphs.source
    derived = await store.match([QuadPattern(None, PROV.was_derived_from, chunk, source) for chunk in chunks])
    subgraphs = [quad.subject for quads in derived for quad in quads if isinstance(quad.subject, NamedNode)]
    read = await store.match([QuadPattern(node, TG.contains, None, source) for node in subgraphs])
    facts = dict.fromkeys(quad.object for quads in read for quad in quads)
    return set(subgraphs), [fact for fact in facts if isinstance(fact, Triple) and is_statement(fact)]


def _fact(
    triple: Triple, names: Mapping[Term, str], sources: Sequence[Source], ranks: Mapping[NamedNode, int]
) -> GraphFact:
    subject, relation, object_ = fact_terms(triple)
    return GraphFact(
        labels=(names[subject], names[relation], names[object_]),
        ends=(str(subject), str(object_)),
        confidence=max(source.confidence for source in sources),
        rank=min(ranks[source.place.chunk] for source in sources),
        words=tuple(sources),
        triple=triple,
    )


@dataclass(frozen=True)
class RankedFact:
    """`rank` is what equation 4 gives it, in 0…1; `met` are the words of the claim that its labels have."""

    fact: GraphFact
    rank: float
    met: tuple[str, ...]


@dataclass(frozen=True)
class ClaimGraph:
    """The facts best first: those that are read, and those beyond `MOST_FACTS`."""

    facts: tuple[RankedFact, ...] = ()
    beyond: tuple[RankedFact, ...] = ()

    def linearised(self) -> str:
        """A line for each fact: `[1] subject | relation | object (0.90)`."""
        return "\n".join(
            f"[{number}] {' | '.join(map(_one_line, each.fact.labels))} ({each.fact.confidence:.2f})"
            for number, each in enumerate(self.facts, 1)
        )


def local_graph(claim: str, facts: Sequence[GraphFact]) -> ClaimGraph:
    """All facts of the passages, ranked."""
    words = content_terms(claim)
    near, central = _spread(set(words), facts), _centrality(facts)
    ranked = [
        RankedFact(
            fact,
            fact_rank(_mean(near, fact), _mean(central, fact), fact.confidence),
            tuple(word for term, word in words.items() if term in content_terms(" ".join(fact.labels))),
        )
        for fact in facts
    ]
    ranked.sort(
        key=lambda ranked_fact: (-ranked_fact.rank, ranked_fact.fact.rank, ranked_fact.fact.words[0].start)
    )
    return ClaimGraph(tuple(ranked[:MOST_FACTS]), tuple(ranked[MOST_FACTS:]))


def _spread(claimed: set[str], facts: Sequence[GraphFact]) -> Mapping[str, float]:
    """The scores of the ends, the largest 1; each starts by its similarity to the claim and its passage's rank."""
    start: dict[str, float] = {}
    ties: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for fact in facts:
        for end, label in zip(fact.ends, (fact.labels[0], fact.labels[2]), strict=True):
            score = started(_similarity(claimed, label), fact.rank)
            start[end] = max(score, start.get(end, 0.0))
        one, other = fact.ends
        if one != other:
            ties[one][other] += fact.confidence
            ties[other][one] += fact.confidence
    scores = spread(start, ties)
    top = max(scores.values(), default=0.0) or 1.0
    return {end: score / top for end, score in scores.items()}


def _similarity(claimed: set[str], label: str) -> float:
    """How much of a name's words the claim has."""
    own = set(content_terms(label))
    return len(own & claimed) / len(own) if own else 0.0


def _centrality(facts: Sequence[GraphFact]) -> Mapping[str, float]:
    """ln(1 + degree), beside the largest."""
    degrees: dict[str, int] = defaultdict(int)
    for fact in facts:
        for end in fact.ends:
            degrees[end] += 1
    most = math.log1p(max(degrees.values(), default=1))
    return {end: math.log1p(degree) / most for end, degree in degrees.items()}


def _mean(scores: Mapping[str, float], fact: GraphFact) -> float:
    return sum(scores[end] for end in fact.ends) / len(fact.ends)


def _one_line(label: str) -> str:
    return " ".join(label.replace("|", "/").split())
