"""All members of a list that a sentence gives, where one of them was read: "Ada Novak, Ben Hall and Cy Reed"."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from provgraph.derivation.evidence import ReadPassage, support_at
from provgraph.derivation.result import Derived
from provgraph.reading.propositions import Span
from provgraph.reading.syntax import ParsedSentence, Token

_MEMBERS: Final = frozenset("NOUN PROPN NUM VERB ADJ".split())
_SEVERAL: Final = re.compile(r"[,;]| and | or ")
_BETWEEN: Final = re.compile(r"[,;] (?:and )?| and ")
_MOST_WORDS: Final = 6
_OUTSIDE: Final = frozenset("conj cc punct acl acl:relcl appos parataxis case mark discourse".split())
"""What hangs on a member and is not said as its name."""


def told_together(passage: ReadPassage, span: Span) -> list[str]:
    """The members of the list that a span stands in, as they are written, in their order; none where it is in none."""
    sentence = support_at(passage, span).parsed
    if sentence is None:
        return []
    if items := _of_a_line(passage.text[sentence.start : sentence.end], span.text):
        return items
    inside = [token for token in sentence.tokens if span.start <= token.start and token.end <= span.end]
    places = {token.index for token in inside}
    heads = [token for token in inside if token.head not in places and token.pos in _MEMBERS]
    if not heads:
        return []
    members = _coordinated(sentence, heads[0])
    texts = [_named(passage.text, sentence, member) for member in members]
    return texts if len(texts) > 1 and all(texts) else []


def _of_a_line(text: str, item: str) -> list[str]:
    """The items behind a label, where one is that: "Apologies: Ada Novak, Ben Hall"."""
    _, colon, rest = text.partition(": ")
    items = [each.strip(" .") for each in _BETWEEN.split(rest)] if colon else []
    is_list = len(items) > 1 and all(0 < each.count(" ") + 1 <= _MOST_WORDS for each in items)
    return items if is_list and item.strip() in items else []


def _coordinated(sentence: ParsedSentence, token: Token) -> list[Token]:
    first = token
    while first.relation == "conj" and first.head >= 0 and sentence.tokens[first.head].pos in _MEMBERS:
        first = sentence.tokens[first.head]
    found, waiting = [first], [first]
    while waiting:
        others = [
            each
            for each in sentence.children[waiting.pop().index]
            if each.relation == "conj" and each.pos == first.pos
        ]
        found += others
        waiting += others
    alike = {
        first.pos,
        "PROPN" if first.pos == "NOUN" else first.pos,
        "NOUN" if first.pos == "PROPN" else first.pos,
    }
    return sorted((each for each in found if each.pos in alike), key=lambda each: each.index)


def _named(text: str, sentence: ParsedSentence, member: Token) -> str:
    """The words of a member: its head with what stands around it, without clauses and what is coordinated with it."""
    own = {member.index}
    for child in sentence.children[member.index]:
        if child.relation not in _OUTSIDE:
            own |= {each.index for each in sentence.subtree(child)}
    first = last = member.index
    while first - 1 in own:
        first -= 1
    while last + 1 in own:
        last += 1
    return " ".join(text[sentence.tokens[first].start : sentence.tokens[last].end].split())


def joined(members: Sequence[str]) -> str:
    return f"{', '.join(members[:-1])} and {members[-1]}"


def is_several(text: str) -> bool:
    """Whether a text sets things side by side."""
    return _SEVERAL.search(text) is not None


def names_several(found: Derived) -> bool:
    """Whether an answer is more than one thing, or a number of them."""
    return is_several(found.text) or found.text[:1].isdigit()


def with_all_members(found: Derived) -> Derived:
    """An answer with all that its sentence lists beside it, where it is one of a list."""
    (support,) = found.ending
    members = told_together(support.passage, support.words)
    if not members or len(joined(members)) <= len(found.text):
        return found
    text = joined(members)
    step = replace(found.steps[-1], value=text)
    return replace(found, text=text, kind="list", steps=(*found.steps[:-1], step))
