"""Facts from what sentences mean: the propositions of `reading`, as far as they are worth storing."""

from provgraph.extraction.by_reading.extractor import PropositionExtractor, go_on

__all__ = ["PropositionExtractor", "go_on"]
