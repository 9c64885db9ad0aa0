"""Whether clauses of the evidence hang together as those of the claim do: who "gave up working" did not work."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.verdicts.alignment import Alignment

_GOVERNED: Final = ("xcomp", "ccomp", "csubj")
_LINKS: Final = frozenset("after before because although though until till since while unless if".split())


def hang_alike(groups: Sequence[Alignment], claim: Sequence[ParsedSentence]) -> bool:
    """Whether each clause of the claim that hangs on another is met below what meets that; `claim` is its sentences."""
    for group in groups:
        if group.claimed.clause < 0:
            continue
        at = group.claimed.words.start
        sentence = next((s for s in claim if s.start <= at < s.end), None)
        if sentence is None:
            continue
        head = sentence.tokens[group.claimed.clause]
        for other in groups:
            is_above = other.claimed.clause == head.head and other.claimed.sentence == group.claimed.sentence
            if is_above and other is not group and not _hangs(head, sentence, group, other):
                return False
    return True


def _hangs(head: Token, claim: ParsedSentence, group: Alignment, above: Alignment) -> bool:
    if group.said is None or above.said is None or group.text is None:
        return False
    governed, link = head.relation.startswith(_GOVERNED), _link(head, claim)
    if group.text is not above.text or group.said.sentence != above.said.sentence:
        return not governed and not link
    if group.said.clause < 0:
        return True
    sentence = group.text.parsed[group.said.sentence]
    if governed:
        return above.said.clause in sentence.chain(group.said.clause)
    return link in ("", _link(sentence.tokens[group.said.clause], sentence))


def _link(head: Token, sentence: ParsedSentence) -> str:
    """The word between a clause and what it hangs on: "after", "because"; empty where there is none."""
    marks = sentence.children[head.index] if head.relation.startswith("advcl") else ()
    return next((c.text.lower() for c in marks if c.text.lower() in _LINKS), "")
