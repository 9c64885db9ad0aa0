"""Facts from English prose without a model: tokens → tags → chunks → clauses → facts."""

from provgraph.extraction.model_free.extractor import ModelFreeExtractor

__all__ = ["ModelFreeExtractor"]
