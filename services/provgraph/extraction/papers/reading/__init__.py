"""Papers read by rules, in the terms of the research ontology: what methods use, improve, rest on and apply to."""

from provgraph.extraction.papers.reading.extractor import PaperExtractor

__all__ = ["PaperExtractor"]
