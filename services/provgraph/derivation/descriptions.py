"""What kinds of thing a passage says that those are which it names."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Final

from provgraph.derivation.names import words_of
from provgraph.reading.propositions import TextReading
from provgraph.reading.syntax import ParsedSentence, Token


def described(
    reading: TextReading, parsed: Sequence[ParsedSentence], title: str
) -> Mapping[str, frozenset[str]]:
    """By the words of a name, the nouns that a passage says of it: "X is a river", "the singer X", "X, a singer"."""
    found: dict[str, set[str]] = {}
    for p in reading.propositions:
        if p.object is not None and p.relation in _KINDS and p.subject.label and p.object.lemma:
            found.setdefault(" ".join(words_of(p.subject.label)), set()).add(p.object.lemma.casefold())
    for sentence in parsed:
        for token in sentence.tokens:
            for noun in _nouns_beside(sentence, token):
                found.setdefault(token.text.casefold(), set()).add(noun)
    topic = _kinds_of_topic(parsed, title)
    if topic:
        found.setdefault(" ".join(words_of(title)), set()).update(topic)
    return {name: frozenset(nouns) for name, nouns in found.items()}


_KINDS: Final = frozenset({"is", "instance-of", "occupation", "position"})


def _nouns_beside(sentence: ParsedSentence, token: Token) -> Iterator[str]:
    """Common nouns in apposition to a name, or right before it."""
    if token.pos != "PROPN":
        return
    for child in sentence.children[token.index]:
        beside = child.pos == "NOUN" and child.relation.partition(":")[0] in ("appos", "compound", "nmod")
        if beside and (child.relation.startswith("appos") or child.index < token.index):
            yield child.lemma.casefold()
    if token.head >= 0 and token.relation.startswith(("appos", "flat", "compound")):
        above = sentence.tokens[token.head]
        if above.pos == "NOUN":
            yield above.lemma.casefold()


def _kinds_of_topic(parsed: Sequence[ParsedSentence], title: str) -> set[str]:
    """What the first sentence says that its subject is."""
    if not title or not parsed:
        return set()
    sentence = parsed[0]
    for root in sentence.roots:
        if root.pos == "NOUN" and any(c.relation == "cop" for c in sentence.children[root.index]):
            joined = [c for c in sentence.children[root.index] if c.relation == "conj" and c.pos == "NOUN"]
            inner = [c for c in sentence.children[root.index] if c.relation == "compound"]
            return {t.lemma.casefold() for t in (root, *joined, *inner)}
    return set()
