"""What a model answers line by line → concepts, and choices among candidates that the program has named."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Iterable, Sequence
from typing import Any, Final

from provgraph.flows.runner.model_calls import NO_REASON, whole_characters
from provgraph.language.json_items import items_of
from provgraph.language.json_lines import JsonLines
from provgraph.ports.retriever import CandidateEdge, EdgeLabels

NONE: Final = "NONE"
"""What the model writes when no candidate helps."""

MOST_CONCEPTS: Final = 20
LONGEST_CONCEPT: Final = 200
LONGEST_REASON: Final = 1000
MOST_IGNORED: Final = 200
_ID_HEX: Final = 8
_SAYS_NONE: Final = re.compile(r"\W*none\W*", re.IGNORECASE)


def edge_id(subject: str, relation: str, object_: str) -> str:
    """A short name of an edge, by its labels alone, so that a model has nothing longer to copy."""
    return hashlib.sha256(json.dumps([subject, relation, object_]).encode()).hexdigest()[:_ID_HEX]


def concepts_of(reply: str) -> tuple[str, ...]:
    """The concepts in `{"concept": …}` objects, each once; none in a reply that has no such object."""
    values = (item.get("concept") for item in items_of(reply) or ())
    texts = (" ".join(whole_characters(text).split()) for text in values if isinstance(text, str))
    return tuple(dict.fromkeys(text for text in texts if 0 < len(text) <= LONGEST_CONCEPT))[:MOST_CONCEPTS]


def edge_line(labels: EdgeLabels, **first: str) -> str:
    """An edge as a line of JSON, with what is to stand before its labels."""
    parts = {"subject": labels.subject, "relation": labels.relation, "object": labels.object}
    return json.dumps({**first, **parts}, ensure_ascii=False)


class CandidateIds:
    """Candidate edges by the ids under which a model is shown them; edges of the same labels share one."""

    def __init__(self, edges: Iterable[CandidateEdge]) -> None:
        self._edges: dict[str, list[CandidateEdge]] = {}
        for edge in edges:
            labels = edge.labels
            name = edge_id(labels.subject, labels.relation, labels.object)
            self._edges.setdefault(name, []).append(edge)

    def described(self) -> str:
        """A line of JSON for each id: no label can begin a line, or end its own."""
        return "\n".join(edge_line(edge.labels, id=name) for name, (edge, *_) in self._edges.items())

    def of(self, name: object) -> Sequence[CandidateEdge]:
        """The edges of an id; none for anything else that a model may write in its place."""
        return self._edges.get(name, ()) if isinstance(name, str) else ()


class ChoiceLines:
    """Reads `{"id": …, "reasoning": …}` lines while they stream.

    `chosen` holds each edge with its reason; `ignored` counts lines that name no candidate, or one a second time, or
    are not JSON. Lines around the JSON (fences, brackets) are neither.
    """

    def __init__(self, candidates: CandidateIds, limit: int) -> None:
        self.chosen: list[tuple[CandidateEdge, str]] = []
        self.ignored = 0
        self.candidates = candidates
        self._limit = limit
        self._taken: set[str] = set()
        self._lines = JsonLines(beside=_SAYS_NONE)

    @property
    def complete(self) -> bool:
        """Whether there is nothing more to read: the limit is met, or the reply is none."""
        return len(self.chosen) >= self._limit or self.ignored > MOST_IGNORED

    def feed(self, piece: str) -> None:
        self._take_all(self._lines.feed(piece))

    def finish(self, reply: str) -> bool:
        """Read the last line; whether the reply can be followed: it chose, or it said that nothing helps."""
        self._take_all(self._lines.finish())
        if not self.chosen and not self.complete:
            self._read_as_a_whole(reply)
        return bool(self.chosen) or _SAYS_NONE.fullmatch(reply) is not None or items_of(reply) == []

    def _read_as_a_whole(self, reply: str) -> None:
        """JSON that is not in lines: a list in an object, or objects over several lines."""
        items = items_of(reply) or []
        if any(self.candidates.of(item.get("id")) for item in items):
            self.ignored = 0
            self._take_all(items)

    def _take_all(self, items: Iterable[Any]) -> None:
        for item in items:
            if not self.complete:
                self._take(item)

    def _take(self, item: Any) -> None:
        name = item.get("id") if isinstance(item, dict) else None
        edges = self.candidates.of(name)
        if not edges or name in self._taken:
            self.ignored += 1
            return
        self._taken.add(str(name))
        reason = item.get("reasoning")
        text = " ".join(whole_characters(reason).split())[:LONGEST_REASON] if isinstance(reason, str) else ""
        room = self._limit - len(self.chosen)
        self.chosen += [(edge, text or NO_REASON) for edge in edges[:room]]
