"""What is asked, and what is known of the right answer: the one shape that every data set is read into, and
the names of the three verdicts."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from provgraph.errors import InvalidInput

PASSAGE_RAG: Final = "passage-rag"
"""The system that is asked beside the flows, to compare them with."""
MANNERS: Final = ("lenient", "strict")
"""How a judge grades."""


SUPPORTS: Final = "SUPPORTS"
REFUTES: Final = "REFUTES"
NOT_ENOUGH_INFO: Final = "NOT ENOUGH INFO"
LABELS: Final = (SUPPORTS, REFUTES, NOT_ENOUGH_INFO)

Triple = tuple[str, str, str]


@dataclass(frozen=True)
class CorpusPassage:
    """A text to be ingested, known by `id`; `html` says that the text is a page of the web."""

    id: str
    title: str
    text: str
    html: bool = False


@dataclass(frozen=True)
class GoldEvidence:
    """What proves the right answer: a passage or document by its id, and its words where they are known."""

    passage: str
    text: str = ""


@dataclass(frozen=True)
class EvaluationQuestion:
    """A question, or a claim that is to be judged (`label` is then one of `LABELS`).

    `answers` are the spellings of the right answer, the reference first; `entities` and `triples` what the facts behind
    it have to name; `explanations` and `paraphrases` are texts. `passages` are its own, where it is not asked of the
    pool that all share.
    """

    id: str
    text: str
    answers: tuple[str, ...] = ()
    label: str = ""
    evidence: tuple[GoldEvidence, ...] = ()
    entities: tuple[str, ...] = ()
    triples: tuple[Triple, ...] = ()
    explanations: tuple[str, ...] = ()
    paraphrases: tuple[str, ...] = ()
    passages: tuple[CorpusPassage, ...] = ()

    @property
    def gold_passages(self) -> frozenset[str]:
        return frozenset(evidence.passage for evidence in self.evidence if evidence.passage)


@dataclass(frozen=True)
class QuestionSet:
    """`left_out` counts items that are not asked, by the reason; `sha256` is of the bytes of all files read."""

    name: str
    questions: tuple[EvaluationQuestion, ...]
    passages: tuple[CorpusPassage, ...] = ()
    left_out: Mapping[str, int] = field(default_factory=dict)
    sha256: str = ""


_SPELLINGS: Final = {
    "support": SUPPORTS,
    "supports": SUPPORTS,
    "supported": SUPPORTS,
    "entailment": SUPPORTS,
    "true": SUPPORTS,
    "refute": REFUTES,
    "refutes": REFUTES,
    "refuted": REFUTES,
    "contradict": REFUTES,
    "contradiction": REFUTES,
    "false": REFUTES,
    "not enough info": NOT_ENOUGH_INFO,
    "not enough information": NOT_ENOUGH_INFO,
    "noinfo": NOT_ENOUGH_INFO,
    "nei": NOT_ENOUGH_INFO,
    "neutral": NOT_ENOUGH_INFO,
    "unknown": NOT_ENOUGH_INFO,
}


def known_label(given: Any) -> str:
    """The verdict that a word stands for, or nothing."""
    return _SPELLINGS.get(str(given).replace("_", " ").strip().casefold(), "")


def label(given: Any, where: str) -> str:
    """The same; raises `InvalidInput` for a word that is none."""
    if found := known_label(given):
        return found
    raise InvalidInput(f"{where} has the label {given!r}. Use SUPPORTS, REFUTES or NOT ENOUGH INFO.")
