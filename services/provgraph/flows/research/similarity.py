"""When papers are alike: each with the papers nearest to it. Who is near whom, `ports.document_likeness` tells."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from provgraph.rdf.terms import NamedNode

NEIGHBOURS: Final = 3
LEAST_WEIGHT: Final = 0.3
METHOD: Final = f"cosine of mean chunk vectors; the {NEIGHBOURS} nearest of each paper, over {LEAST_WEIGHT:g}"


@dataclass(frozen=True)
class Likeness:
    """Two papers, the one whose IRI comes first before the other, and their cosine in (0.3, 1]."""

    papers: tuple[NamedNode, NamedNode]
    weight: float
