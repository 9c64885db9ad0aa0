"""The built-in English parser: words, parts of speech, lemmas, entities and a tree of Universal Dependencies."""

from provgraph.reading.parser.built_in import BuiltInParser

__all__ = ["BuiltInParser"]
