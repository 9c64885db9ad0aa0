"""Scores that spread over a graph: the arithmetic of graph-augmented retrieval, for whoever has nodes and ties.

After "Graph-Augmented RAG for Fact Verification", equations 1 to 4. Knows nothing of where nodes and ties come from.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

STEPS: Final = 5
ALPHA: Final = 0.8
BETA: Final = 0.2
GAMMA: Final = 0.5
LAMBDAS: Final = (0.7, 0.1, 0.2)
"""Weights that add up to 1: of the score that has spread, of centrality, of confidence."""

Ties = Mapping[str, Mapping[str, float]]


def started(similarity: float, rank: int, alpha: float = ALPHA, beta: float = BETA) -> float:
    """s⁰ = α·similarity + β/rank, of a node that the question leads to at `rank`, from 1."""
    return alpha * similarity + beta / rank


def spread(scores: Mapping[str, float], ties: Ties, gamma: float = GAMMA) -> Mapping[str, float]:
    """s ← (1 − γ)·s + γ·Σⱼ wⱼᵢ/Zⱼ·sⱼ, `STEPS` times, with Zⱼ the sum of the weights around j."""
    for _ in range(STEPS):
        after = defaultdict(float, {node: (1 - gamma) * score for node, score in scores.items()})
        for node, score in scores.items():
            around = ties.get(node, {})
            whole = sum(around.values())
            for other, weight in around.items():
                after[other] += gamma * score * weight / whole if whole else 0.0
        scores = after
    return scores


def fact_rank(
    near: float, centrality: float, confidence: float, lambdas: tuple[float, float, float] = LAMBDAS
) -> float:
    """λ₁·s + λ₂·centrality + λ₃·confidence, all of them in 0…1."""
    return lambdas[0] * near + lambdas[1] * centrality + lambdas[2] * confidence
