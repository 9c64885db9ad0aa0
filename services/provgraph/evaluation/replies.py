"""What an evaluation asks of a service, which the command line implements as a client of HTTP, and what came of each
question: the answer as a system gave it, as values that are kept and measured.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass
from typing import Any, Final, Protocol

from provgraph.errors import ProvGraphError
from provgraph.evaluation.questions import Triple

ORIGINAL: Final = "original"
NEGATION: Final = "negation"
PARAPHRASE: Final = "paraphrase"
WITHOUT: Final = "without its evidence"
ANSWERED, REFUSED, FAILED = "answered", "refused", "failed"


@dataclass(frozen=True)
class CitedWords:
    """Exact words that a sentence of the answer cites. `exact` tells whether its page has them at that very place;
    None where that was not looked up."""

    passage: str
    title: str
    text: str
    start: int = 0
    end: int = 0
    exact: bool | None = None


@dataclass(frozen=True)
class ReplySentence:
    """A sentence of the answer, `text[start:end]`; `supported` is what the system says of it."""

    start: int
    end: int
    supported: bool
    cited: tuple[CitedWords, ...] = ()


@dataclass(frozen=True)
class ContextPassage:
    """A passage that the answer was made from, by the id of its document, with the words that were used."""

    passage: str
    text: str = ""


@dataclass(frozen=True)
class SystemReply:
    """One answer of one system to one wording of a question.

    `outcome` is answered, refused or failed (then `problem` says why); `context` is best first; `facts` are the edges
    that the answer was made from, in labels. `sentences` is None for a system that cites nothing by design.
    `milliseconds` is from the request to the whole of the answer.
    """

    system: str
    question: str
    variant: str
    asked: str
    text: str = ""
    outcome: str = ANSWERED
    label: str = ""
    sentences: tuple[ReplySentence, ...] | None = None
    context: tuple[ContextPassage, ...] | None = None
    facts: tuple[Triple, ...] | None = None
    milliseconds: float = 0.0
    session: str = ""
    edges: tuple[str, ...] = ()
    problem: str = ""

    @property
    def key(self) -> tuple[str, str, str]:
        return self.system, self.question, self.variant

    @property
    def cited(self) -> tuple[CitedWords, ...]:
        return tuple(cited for sentence in self.sentences or () for cited in sentence.cited)

    def sentence_text(self, sentence: ReplySentence) -> str:
        return self.text[sentence.start : sentence.end]


def reply_to_json(reply: SystemReply) -> dict[str, Any]:
    return asdict(reply)


def reply_from_json(kept: Mapping[str, Any]) -> SystemReply:
    """Raises `KeyError`, `TypeError` or `ValueError` for what `reply_to_json` did not write."""
    values = dict(kept)
    if values.get("sentences") is not None:
        values["sentences"] = tuple(
            ReplySentence(**(sentence | {"cited": tuple(CitedWords(**cited) for cited in sentence["cited"])}))
            for sentence in values["sentences"]
        )
    if values.get("context") is not None:
        values["context"] = tuple(ContextPassage(**each) for each in values["context"])
    if values.get("facts") is not None:
        values["facts"] = tuple((str(s), str(p), str(o)) for s, p, o in values["facts"])
    values["edges"] = tuple(values.get("edges", ()))
    return SystemReply(**values)


Json = dict[str, Any]


class Declined(ProvGraphError):
    """The service answered a request with a problem: this one question, and not the service, is in question."""


@dataclass(frozen=True)
class IngestedFile:
    """A file as it is sent: its name tells its type. `id` and `title` are of its document, where it holds one only."""

    name: str
    content: bytes
    id: str = ""
    title: str = ""


class EvaluatedService(Protocol):
    """A service with collections and flows, as its clients see it.

    Every call raises `Declined` for a problem that the service tells, and `Unavailable` when it cannot be reached.
    """

    def ingest(self, collection: str, file: IngestedFile, progress: Callable[[int, int], None]) -> list[str]:
        """Read a file into a collection, which is made if need be; gives what was refused, a sentence each."""
        ...

    def build_pairs(self, collection: str) -> None:
        """Make the question-answer pairs of a collection's documents, which the flow `kgqa` answers from."""
        ...

    def ask(self, flow: str, body: Mapping[str, Any]) -> Json:
        """The whole answer of a flow, as `wire.answer.Answer` has it."""
        ...

    def trace(self, session: str) -> Json:
        """How the answer came about, as `wire.trace.TraceView` has it."""
        ...

    def retrieve(self, body: Mapping[str, Any]) -> Json:
        """Ranked chunks and edges, as `wire.retrieve.Retrieved` has them."""
        ...

    def page_text(self, collection: str, page: str) -> str: ...
