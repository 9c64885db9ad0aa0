"""What makes a list of heads a tree: one root, and a way from every word to it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from provgraph.reading.syntax import ParsedSentence, Token


def is_tree(heads: Sequence[int]) -> bool:
    """Whether `heads` (-1 for the root) has exactly one root and no cycle; linear in its length."""
    if sum(head < 0 for head in heads) != 1:
        return not heads
    walk_of = [0] * len(heads)
    for start in range(len(heads)):
        index = start
        while heads[index] >= 0 and not walk_of[index]:
            walk_of[index] = start + 1
            index = heads[index]
        if heads[index] >= 0 and walk_of[index] == start + 1:
            return False
    return True


def flat_heads(length: int) -> list[int]:
    """Every word on the first one: the tree of a sentence that no parser could or should read."""
    return [-1] + [0] * (length - 1) if length else []


def with_heads(sentence: ParsedSentence, changes: Mapping[int, tuple[int, str]]) -> ParsedSentence:
    """The sentence with other heads and relations, by index; itself where that would be no tree."""
    tokens = [
        replace(t, head=changes[t.index][0], relation=changes[t.index][1]) if t.index in changes else t
        for t in sentence.tokens
    ]
    return with_tokens(sentence, tokens)


def with_tokens(sentence: ParsedSentence, tokens: Sequence[Token]) -> ParsedSentence:
    if tuple(tokens) == sentence.tokens or not is_tree([token.head for token in tokens]):
        return sentence
    return ParsedSentence(tuple(tokens), sentence.start, sentence.end)
