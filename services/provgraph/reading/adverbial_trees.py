"""Trees in which a parser took a phrase of manner between a helping verb and its own for what something is: of "was in
fact born" the fact."""

from __future__ import annotations

from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token

_PHRASES: Final = frozenset(
    "fact practice turn effect reality truth theory principle general particular addition part short consequence "
    "contrast end meantime".split()
)


def changes_of_adverbials(sentence: ParsedSentence) -> dict[int, tuple[int, str]]:
    """Head and relation of the words that hang otherwise then."""
    changes: dict[int, tuple[int, str]] = {}
    for noun in sentence.tokens:
        if noun.text.lower() in _PHRASES and (verb := _verb_behind(noun, sentence)) is not None:
            changes |= _put_right(noun, verb, sentence)
    return changes


def _verb_behind(noun: Token, sentence: ParsedSentence) -> Token | None:
    children = sentence.children[noun.index]
    stands_in = any(c.relation == "case" and c.text.lower() == "in" for c in children)
    helps = any(c.relation == "cop" and c.index < noun.index for c in children)
    behind = next((c for c in children if c.index == noun.index + 1), None)
    is_verb = behind is not None and behind.relation in ("acl", "xcomp") and behind.tag in ("VBN", "VBG")
    return behind if stands_in and helps and is_verb else None


def _put_right(noun: Token, verb: Token, sentence: ParsedSentence) -> dict[int, tuple[int, str]]:
    passive = ":pass" if verb.tag == "VBN" else ""
    relations = {"cop": f"aux{passive}", "nsubj": f"nsubj{passive}"}
    moved = (
        c
        for c in sentence.children[noun.index]
        if c.relation not in ("case", "det", "amod") and c is not verb
    )
    changes = {child.index: (verb.index, relations.get(child.relation, child.relation)) for child in moved}
    return changes | {verb.index: (noun.head, noun.relation), noun.index: (verb.index, "advmod")}
