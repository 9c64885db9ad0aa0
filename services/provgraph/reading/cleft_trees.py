"""Sentences that set one part apart, put into the form that says the same plainly: "It was Ada Holm who led the trial"
as "Ada Holm led the trial", so that who did it is told by the tree."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token

Change = tuple[int, tuple[int, str]]
"""A token, by index, its new head and relation."""

_RELATIVE: Final = frozenset(("who", "that", "which", "whom"))
_NOT: Final = frozenset(("not", "n't", "n’t", "never"))
_OF_SENTENCE: Final = ("conj", "punct", "parataxis", "advcl")
_BESIDE: Final = "dep"
"""The relation of words that say nothing any more."""


def changes_of_clefts(sentence: ParsedSentence) -> Iterator[Change]:
    """Other heads and relations where "it was" sets somebody or something apart; none elsewhere."""
    roots = sentence.roots
    if len(roots) != 1 or roots[0].pos not in ("PROPN", "NOUN", "PRON") or not sentence.tokens:
        return
    apart, children = roots[0], sentence.children[roots[0].index]
    it = next(
        (c for c in children if c.text.casefold() == "it" and c.relation.startswith(("nsubj", "expl"))), None
    )
    copula = next((c for c in children if c.relation == "cop"), None)
    verb = next((t for t in sentence.tokens[apart.index :] if _tells_of(t, apart, sentence)), None)
    if it is None or copula is None or verb is None or it.index > copula.index or copula.index > apart.index:
        return
    relative = _relative(sentence, verb)
    if relative is None:
        return
    yield verb.index, (-1, "root")
    yield apart.index, (verb.index, relative.relation)
    yield from ((each.index, (verb.index, _BESIDE)) for each in (it, copula, relative))
    for child in children:
        is_behind = child.index > verb.index and child.relation in _OF_SENTENCE
        if is_behind or (child.index < apart.index and child.text.casefold() in _NOT):
            yield child.index, (verb.index, child.relation)


def _tells_of(verb: Token, apart: Token, sentence: ParsedSentence) -> bool:
    """Whether a relative clause hangs on what is set apart, or on what stands beside it."""
    above = sentence.tokens[verb.head] if verb.head >= 0 else verb
    is_its = above is apart or (above.relation == "appos" and above.head == apart.index)
    return verb.relation == "acl:relcl" and is_its


def _relative(sentence: ParsedSentence, verb: Token) -> Token | None:
    """The word that stands for what is set apart, as subject or object of the verb."""
    return next(
        (
            child
            for child in sentence.children[verb.index]
            if child.text.casefold() in _RELATIVE and child.relation.startswith(("nsubj", "obj"))
        ),
        None,
    )
