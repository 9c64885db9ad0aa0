"""`propagation`: scores of the seeds spread over the facts around them, as graph-augmented RAG has it.

An entity starts at s⁰ = α·similarity + β/rank, where it is a seed, else at 0; then, step by step,
s ← (1 − γ)·s + γ·Σⱼ wⱼᵢ/Zⱼ·sⱼ, with w the confidence of the facts between two entities and Z its sum around one. A
fact ranks λ₁·s + λ₂·centrality + λ₃·confidence, s and centrality being the means of its ends.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import Final

from provgraph.ports.retriever import Seed
from provgraph.propagation import ALPHA, BETA, GAMMA, LAMBDAS, Ties, fact_rank, spread, started
from provgraph.retrieval.edges import EdgeSearch, ends_of
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter, found_seeds
from provgraph.retrieval.passages import of_chunks


def _rank(asking: Asking) -> Found:
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    seeds = found_seeds(asking)
    search.expand(seeds)
    scores = spread(_started(seeds, asking.parameters), _ties(search), asking.parameters["gamma"])
    facts = _fact_scores(asking, search, scores)
    chunks: dict[str, float] = defaultdict(float)
    for key, score in facts.items():
        chunks[search.found[key].payload["chunk"]] += score
    return Found(of_chunks(chunks, asking.index, "propagation"), search.ranked(facts), seeds)


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


def _fact_scores(asking: Asking, search: EdgeSearch, scores: Mapping[str, float]) -> dict[str, float]:
    """Centrality is ln(1 + degree), beside the largest; the index counts degrees as it grows."""
    by, readings = asking.parameters, asking.index.readings
    lambdas = by["lambda1"], by["lambda2"], by["lambda3"]
    nodes = {node for fact in search.found.values() for node, _ in ends_of(fact.payload)}
    central = {node: math.log1p(readings.frequency("node", node)) for node in nodes}
    most, top = max(central.values(), default=1.0), max(scores.values(), default=1.0) or 1.0
    found = {}
    for key, fact in search.found.items():
        about = [node for node, _ in ends_of(fact.payload)] or [""]
        near = sum(scores.get(node, 0.0) / top for node in about) / len(about)
        centrality = sum(central.get(node, 0.0) / most for node in about) / len(about)
        found[key] = fact_rank(near, centrality, fact.payload["confidence"], lambdas)
    return found


PROPAGATION: Final = Method(
    "propagation",
    "edges by scores that spread from the entities of the question over the edges around them; passages by the edges "
    "that they say",
    _rank,
    {
        "alpha": Parameter(ALPHA, 0.0, 1.0, "what the similarity of a seed counts"),
        "beta": Parameter(BETA, 0.0, 1.0, "what 1 / rank of a seed counts"),
        "gamma": Parameter(GAMMA, 0.0, 1.0, "the share that moves on at each step"),
        "lambda1": Parameter(LAMBDAS[0], 0.0, 1.0, "what the score that has spread counts"),
        "lambda2": Parameter(LAMBDAS[1], 0.0, 1.0, "what centrality counts"),
        "lambda3": Parameter(LAMBDAS[2], 0.0, 1.0, "what confidence counts"),
    },
)
