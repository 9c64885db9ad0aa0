"""French and Spanish sentences in English words, word for word, for the rules of reading."""

from provgraph.reading.glosses.glossary import LANGUAGES
from provgraph.reading.glosses.glossing import GlossedText, glossed

__all__ = ["LANGUAGES", "GlossedText", "glossed"]
