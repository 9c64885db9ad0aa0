"""`breadth-first`, `pagerank` and `propagation`: the facts around the seeds, hop by hop, by random walk, or
by scores that spread."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from provgraph.ports.retriever import Seed
from provgraph.propagation import ALPHA, BETA, GAMMA, LAMBDAS, Ties, fact_rank, spread, started
from provgraph.retrieval.edges import EdgeSearch, ends_of
from provgraph.retrieval.fact_walk import FactWalk, WalkNode
from provgraph.retrieval.methods.method import (
    Method,
    MethodParameter,
    SearchContext,
    SearchResult,
    found_seeds,
)
from provgraph.retrieval.passages import by_words, of_chunks


def _rank_breadth_first(asking: SearchContext) -> SearchResult:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    seeds = found_seeds(asking)
    search.expand(seeds)
    chunks: dict[str, float] = defaultdict(float)
    for fact in search.found.values():
        chunks[fact.payload["chunk"]] += fact.score
    return SearchResult(of_chunks(chunks, asking.index, "facts"), search.ranked(), seeds)


BREADTH_FIRST: Final = Method(
    "breadth-first",
    "edges around the entities of the question, hop by hop; passages by the edges that they say",
    _rank_breadth_first,
)


STARTING_CHUNKS: Final = 20


def _rank_by_pagerank(asking: SearchContext) -> SearchResult:
    parameters = asking.parameters
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    walk = FactWalk(asking.index, search.word_queries, 1 - parameters["damping"])
    seeds = found_seeds(asking)
    best = by_words(asking.question, asking.index, asking.request.chunks)[:STARTING_CHUNKS]
    restart = {WalkNode("entity", seed.entity.value): seed.score for seed in seeds}
    of_seeds, of_words = sum(restart.values()) or 1.0, sum(passage.score for passage in best) or 1.0
    share = parameters["chunks"] if restart else 1.0
    starts = {node: (1 - share) * weight / of_seeds for node, weight in restart.items()}
    starts |= {WalkNode("chunk", passage.chunk): share * passage.score / of_words for passage in best}
    ranks = walk.ranks(starts) if starts else {}
    facts = {node.name: rank for node, rank in ranks.items() if node.kind == "fact"}
    search.take((walk.facts[key] for key in facts), "pagerank")
    top = max(facts.values(), default=1.0)
    chunks = {node.name: rank for node, rank in ranks.items() if node.kind == "chunk"}
    return SearchResult(
        of_chunks(chunks, asking.index, "pagerank"),
        search.ranked({key: rank / top for key, rank in facts.items()}),
        seeds,
    )


PAGERANK: Final = Method(
    "pagerank",
    "edges and passages by personalised PageRank over entities, edges and chunks, from the entities of the question "
    "and the chunks that its words find",
    _rank_by_pagerank,
    {
        "damping": MethodParameter(0.5, 0.0, 0.95, "the share that walks on at each step"),
        "chunks": MethodParameter(
            0.5, 0.0, 1.0, "the share of the walks that start at chunks; the others at entities"
        ),
    },
)


def _rank_by_propagation(asking: SearchContext) -> SearchResult:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    seeds = found_seeds(asking)
    search.expand(seeds)
    scores = spread(_started(seeds, asking.parameters), _ties(search), asking.parameters["gamma"])
    facts = _fact_scores(asking, search, scores)
    chunks: dict[str, float] = defaultdict(float)
    for key, score in facts.items():
        chunks[search.found[key].payload["chunk"]] += score
    return SearchResult(of_chunks(chunks, asking.index, "propagation"), search.ranked(facts), seeds)


def _started(seeds: Sequence[Seed], parameters: Mapping[str, float]) -> dict[str, float]:
    alpha, beta = parameters["alpha"], parameters["beta"]
    return {seed.entity.value: started(seed.score, rank, alpha, beta) for rank, seed in enumerate(seeds, 1)}


def _ties(search: EdgeSearch) -> Ties:
    ties: dict[str, dict[str, float]] = defaultdict(lambda: defaultdict(float))
    for fact in search.found.values():
        nodes = [node for node, _ in ends_of(fact.payload)]
        if len(nodes) == 2 and nodes[0] != nodes[1]:
            for one, other in (nodes, reversed(nodes)):
                ties[one][other] += fact.payload["confidence"]
    return ties


def _fact_scores(asking: SearchContext, search: EdgeSearch, scores: Mapping[str, float]) -> dict[str, float]:
    """Centrality is ln(1 + degree), beside the largest; the index counts degrees as it grows."""
    by, readings = asking.parameters, asking.index.readings
    lambdas = by["lambda1"], by["lambda2"], by["lambda3"]
    nodes = {node for fact in search.found.values() for node, _ in ends_of(fact.payload)}
    central = {node: math.log1p(readings.frequency("node", node)) for node in nodes}
    most, top = max(central.values(), default=1.0), max(scores.values(), default=1.0) or 1.0
    fact_scores = {}
    for key, fact in search.found.items():
        about = [node for node, _ in ends_of(fact.payload)] or [""]
        near = sum(scores.get(node, 0.0) / top for node in about) / len(about)
        centrality = sum(central.get(node, 0.0) / most for node in about) / len(about)
        fact_scores[key] = fact_rank(near, centrality, fact.payload["confidence"], lambdas)
    return fact_scores


PROPAGATION: Final = Method(
    "propagation",
    "edges by scores that spread from the entities of the question over the edges around them; passages by the edges "
    "that they say",
    _rank_by_propagation,
    {
        "alpha": MethodParameter(ALPHA, 0.0, 1.0, "what the similarity of a seed counts"),
        "beta": MethodParameter(BETA, 0.0, 1.0, "what 1 / rank of a seed counts"),
        "gamma": MethodParameter(GAMMA, 0.0, 1.0, "the share that moves on at each step"),
        "lambda1": MethodParameter(LAMBDAS[0], 0.0, 1.0, "what the score that has spread counts"),
        "lambda2": MethodParameter(LAMBDAS[1], 0.0, 1.0, "what centrality counts"),
        "lambda3": MethodParameter(LAMBDAS[2], 0.0, 1.0, "what confidence counts"),
    },
)
