"""`pagerank`: personalised PageRank over entities, facts and chunks together, from the seeds and the best chunks."""

from __future__ import annotations

from typing import Final

from provgraph.retrieval.edges import EdgeSearch
from provgraph.retrieval.fact_walk import FactWalk, Node
from provgraph.retrieval.methods.method import Asking, Found, Method, Parameter, found_seeds
from provgraph.retrieval.passages import by_words, of_chunks

STARTING_CHUNKS: Final = 20


def _rank(asking: Asking) -> Found:
    parameters = asking.parameters
    search = EdgeSearch(asking.question, asking.index, asking.request.limits)
    walk = FactWalk(asking.index, search.word_queries, 1 - parameters["damping"])
    seeds = found_seeds(asking)
    best = by_words(asking.question, asking.index, asking.request.chunks)[:STARTING_CHUNKS]
    restart = {Node("entity", seed.entity.value): seed.score for seed in seeds}
    of_seeds, of_words = sum(restart.values()) or 1.0, sum(passage.score for passage in best) or 1.0
    share = parameters["chunks"] if restart else 1.0
    starts = {node: (1 - share) * weight / of_seeds for node, weight in restart.items()}
    starts |= {Node("chunk", passage.chunk): share * passage.score / of_words for passage in best}
    ranks = walk.ranks(starts) if starts else {}
    facts = {node.name: rank for node, rank in ranks.items() if node.kind == "fact"}
    search.take((walk.facts[key] for key in facts), "pagerank")
    top = max(facts.values(), default=1.0)
    chunks = {node.name: rank for node, rank in ranks.items() if node.kind == "chunk"}
    return Found(
        of_chunks(chunks, asking.index, "pagerank"),
        search.ranked({key: rank / top for key, rank in facts.items()}),
        seeds,
    )


PAGERANK: Final = Method(
    "pagerank",
    "edges and passages by personalised PageRank over entities, edges and chunks, from the entities of the question "
    "and the chunks that its words find",
    _rank,
    {
        "damping": Parameter(0.5, 0.0, 0.95, "the share that walks on at each step"),
        "chunks": Parameter(
            0.5, 0.0, 1.0, "the share of the walks that start at chunks; the others at entities"
        ),
    },
)
