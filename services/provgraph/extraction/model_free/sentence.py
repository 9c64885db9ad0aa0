"""One sentence as the other modules read it: tokens, their tags, and its chunks."""

from __future__ import annotations

from dataclasses import dataclass, field

from provgraph.extraction.model_free.chunks import Chunk, chunk
from provgraph.extraction.model_free.tagging import tag
from provgraph.extraction.model_free.tokens import Token, tokenize
from provgraph.extraction.model_free.values import value_atoms


@dataclass(frozen=True, slots=True)
class Phrase:
    """Tokens `start` to `end` of a sentence, read as the name of something; `head` ends its first noun phrase."""

    start: int
    end: int
    head: int


@dataclass(frozen=True)
class Sentence:
    """`kinds[i]` is the kind of `chunks[i]`; two full stops follow, so that looking ahead needs no check."""

    text: str
    start: int
    end: int
    tokens: list[Token]
    tags: str
    chunks: list[Chunk]
    kinds: list[str] = field(default_factory=list)

    def words(self, start: int, end: int) -> str:
        """The passage's own characters from token `start` to before token `end`."""
        return self.text[self.tokens[start].start : self.tokens[end - 1].end]


def read_sentence(text: str, start: int, end: int) -> Sentence:
    """Tag and chunk `text[start:end]`."""
    tokens = tokenize(text, start, end, value_atoms(text, start, end))
    tags = tag(tokens)
    chunks = chunk(tags)
    return Sentence(text, start, end, tokens, tags, chunks, [c.kind for c in chunks] + [".", ".", "."])
