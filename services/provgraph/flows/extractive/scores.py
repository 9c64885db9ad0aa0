"""What made a document's score: the question's words in its best passage, each counted and weighed."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from provgraph.language.terms import terms
from provgraph.ports.retriever import ChunkHit
from provgraph.wire.highlights import TermScore


def term_scores(hit: ChunkHit, parameters: Mapping[str, float]) -> list[TermScore]:
    """The terms of a hit, the weightiest first.

    By term frequency, which has the parameter `weight`, a score is a count times that weight, and the factual boost is
    counted once. In other rankings the words of the passage and its title are counted.
    """
    weight = parameters.get("weight")
    held = Counter(terms(f"{hit.title}\n{hit.text}"))
    found = []
    for text, score in hit.terms:
        if weight and (count := score / weight).is_integer():
            found.append(TermScore(text=text, count=int(count), weight=weight, score=score))
        else:
            count = sum(held[form] for form in dict.fromkeys(terms(text)))
            own = weight is not None
            found.append(
                TermScore(text=text, count=1 if own else count, weight=score if own else None, score=score)
            )
    return found


def told(scores: list[TermScore], score: float) -> str:
    """The terms in words: "polonium 3 × 2 + numbers with units 1 × 1 = 7"."""
    parts = [
        f"{each.text} {each.count} × {each.weight:g}"
        if each.weight is not None
        else f"{each.text} {each.score:g}"
        for each in scores
    ]
    return f"{' + '.join(parts) or 'no word of the question'} = {score:g}"
