"""Verbs whose subject, where they have no object, is what it happens to: "the group closed the plant" says of the plant
that it closed, not of the group. Other verbs just leave an object out: who writes novels writes.

The first are listed in `language/words/happening.txt`, after Levin's classes of the causative alternation.
"""

from __future__ import annotations

from functools import cache
from importlib.resources import files
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token

_OBJECTS: Final = ("obj", "iobj", "ccomp", "xcomp", "nsubj:pass", "csubj:pass")
_OPENINGS: Final = frozenset("door gate shutter".split())
"""What stands for the house that has it: who closes the doors has closed."""
_MEASURES: Final = frozenset("NUM SYM".split())


@cache
def happens_to_subject(lemma: str) -> bool:
    """Whether the subject of the verb without an object is what the object would be; of "break up" as of "break"."""
    return lemma.partition(" ")[0].lower() in _verbs()


@cache
def _verbs() -> frozenset[str]:
    text = (files("provgraph.language") / "words" / "happening.txt").read_text("utf-8")
    return frozenset(word for line in text.splitlines() if line[:1] != "#" for word in line.split())


def stands_for_owner(noun: Token, sentence: ParsedSentence) -> bool:
    """Whether what is said of an object is said of the subject: "closed its doors", "dissolved itself"."""
    if noun.text.lower().endswith(("self", "selves")):
        return True
    children = sentence.children[noun.index]
    return noun.lemma.lower() in _OPENINGS and any(c.relation in ("nmod:poss", "det") for c in children)


def is_told_of_subject(verb: Token, sentence: ParsedSentence) -> bool:
    """Whether a verb of the list stands without an object, with the one as its subject to whom it happens."""
    children = sentence.children[verb.index]
    return (
        happens_to_subject(verb.lemma)
        and any(c.relation == "nsubj" for c in children)
        and not any(c.relation in _OBJECTS for c in children)
    )
