"""Facts from what sentences mean: the propositions of `reading`, as far as they are worth storing."""

from provgraph.extraction.by_reading.clause_extractor import ClauseExtractor
from provgraph.extraction.by_reading.extractor import PropositionExtractor, go_on

__all__ = ["ClauseExtractor", "PropositionExtractor", "go_on"]
