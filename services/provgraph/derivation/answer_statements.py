"""A question with its answer as a statement: "When was the mill sold?", "in 2004" → "the mill was sold in 2004."

The order of words is that of a statement, the verb stays as the question has it ("the salmon did return in 1998"): what
reads statements reads roles, and helping verbs for what they are.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.derivation.yes_no import HELPING_VERBS
from provgraph.reading.syntax import ParsedSentence, Parser, Token

_HELPERS: Final = HELPING_VERBS | {"shall"}
_ASKING: Final = frozenset("who whom what which when where how".split())
_OF_THINGS: Final = frozenset("who whom what which".split())
_BEHIND: Final = frozenset(
    "in on at of from to by for with about into through during under since until after before as".split()
)
_BEFORE: Final = re.compile(
    r"\b(in|on|at|of|from|to|by|for|with|into|during|under|since|until|after|before|within|near|between)"
    r"(?: (?:the|a|an|about|around))? *$",
    re.IGNORECASE,
)


def answered_statement(question: str, answer: str, before: str, parser: Parser) -> str:
    """The statement that an answer makes of a question; empty where its order is not understood. `before` is the text
    right before the answer in its sentence, from which it takes its preposition."""
    text = question.strip()
    parsed = parser.parse(text, [(0, len(text))])
    if not parsed:
        return ""
    said = _Question(text, parsed[0]).with_answer(answer, _preposition(before))
    return f"{said[:1].upper()}{said[1:]}." if said else ""


def _preposition(before: str) -> str:
    match = _BEFORE.search(before[-30:])
    return match[1].lower() if match else ""


class _Question:
    def __init__(self, text: str, sentence: ParsedSentence) -> None:
        self._text, self._sentence = text, sentence
        self._tokens = [token for token in sentence.tokens if token.text != "?"]

    def with_answer(self, answer: str, preposition: str) -> str:
        asking = next((t for t in self._tokens if t.text.lower() in _ASKING), None)
        if asking is None:
            return ""
        opening = self._tokens[: asking.index]
        own = opening[-1].text.lower() if opening and opening[-1].text.lower() in _BEHIND else ""
        start = next((t for t in self._tokens[asking.index + 1 :] if self._is_verbal(t)), None)
        if len(opening) > bool(own) or start is None:
            return ""
        rest = self._tokens[start.index :]
        counted = self._counted(asking, start)
        if counted and not any(word in answer for word in self._words(counted).split()):
            answer = f"{answer} {self._words(counted)}"
        turned = self._turned(rest) if start.text.lower() in _HELPERS else None
        if turned is None:
            return f"{answer} {self._words(rest)}"
        subject, tail = turned
        kind = "" if asking.text.lower() == "how" else preposition
        is_thing = asking.text.lower() in _OF_THINGS or bool(counted) or self._asks_how_much(asking, start)
        of_thing = is_thing and not own
        return self._ordered(subject, start, tail, f"{own or kind} {answer}".strip(), of_thing)

    def _counted(self, asking: Token, start: Token) -> Sequence[Token]:
        """What "how many" counts."""
        between = [t for t in self._tokens if asking.index < t.index < start.index]
        many = (
            asking.text.lower() == "how" and len(between) > 1 and between[0].text.lower() in ("many", "much")
        )
        return between[1:] if many else ()

    def _asks_how_much(self, asking: Token, start: Token) -> bool:
        """Whether it is what somebody pays or the like: "how much does a member pay a year"."""
        between = [t.text.lower() for t in self._tokens if asking.index < t.index < start.index]
        return asking.text.lower() == "how" and between == ["much"] and start.lemma.lower() == "do"

    def _is_verbal(self, token: Token) -> bool:
        return token.text.lower() in _HELPERS or token.pos in ("VERB", "AUX")

    def _turned(self, rest: Sequence[Token]) -> tuple[Sequence[Token], Sequence[Token]] | None:
        """The subject that stands behind the helping verb, and what follows; None where the answer is the subject."""
        behind = {token.index for token in rest}
        for token in rest[1:]:
            if token.relation.startswith("nsubj"):
                below = [t.index for t in self._sentence.subtree(token) if t.index in behind]
                if min(below) != rest[1].index:
                    return None
                return [t for t in rest[1:] if t.index <= max(below)], [
                    t for t in rest if t.index > max(below)
                ]
        return None

    def _ordered(
        self, subject: Sequence[Token], helper: Token, tail: Sequence[Token], slot: str, of_thing: bool
    ) -> str:
        if of_thing and not tail:
            return f"{_bare(slot)} {helper.text} {self._words(subject)}"
        lead = f"{self._words(subject)} {helper.text}"
        if of_thing and tail[-1].text.lower() not in _BEHIND:
            verb = next((t.index for t in tail if t.pos == "VERB"), tail[0].index)
            done, left = [t for t in tail if t.index <= verb], [t for t in tail if t.index > verb]
            return " ".join(f"{lead} {self._words(done)} {_bare(slot)} {self._words(left)}".split())
        return " ".join(f"{lead} {self._words(tail)} {_bare(slot) if of_thing else slot}".split())

    def _words(self, tokens: Sequence[Token]) -> str:
        return self._text[tokens[0].start : tokens[-1].end] if tokens else ""


def _bare(slot: str) -> str:
    """An answer that is a thing, without the preposition that it has in its sentence."""
    first, _, rest = slot.partition(" ")
    return rest if first in _BEHIND and rest else slot
