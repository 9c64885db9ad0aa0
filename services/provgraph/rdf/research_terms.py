"""The terms of `ontology/research.ttl`: what papers speak of."""

from __future__ import annotations

from typing import Final

from pyoxigraph import NamedNode

RESEARCH_NAMESPACE: Final = "https://trustgraph.ai/ns/research#"


class RESEARCH:
    """Classes and relations of `ontology/research.ttl`, by their local names; of classes, the narrower first."""

    classes: Final = {
        name: NamedNode(RESEARCH_NAMESPACE + name)
        for name in "ALGORITHM METHOD DATASET METRIC CONCEPT".split()
    }
    relations: Final = {
        name: NamedNode(RESEARCH_NAMESPACE + name)
        for name in "USES IMPROVES COMPARES_TO BASED_ON APPLIES_TO".split()
    }
