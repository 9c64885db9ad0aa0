"""A run from beginning to end: passages in, every wording asked of every system, every answer kept as it comes."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Protocol

from provgraph.errors import Unavailable
from provgraph.evaluation.judging import Prompting, can_be_judged, judged
from provgraph.evaluation.passages import collection_of, files_of
from provgraph.evaluation.questions import CorpusPassage, EvaluationQuestion, QuestionSet
from provgraph.evaluation.replies import (
    FAILED,
    NEGATION,
    ORIGINAL,
    WITHOUT,
    Declined,
    EvaluatedService,
    SystemReply,
)
from provgraph.evaluation.runs import RunFolder
from provgraph.evaluation.wordings import QuestionWording, wordings

FRUITLESS: Final = 5
"""So many first questions of a system, all declined, end a run: then it is not the questions."""

Progress = Callable[[str, int, int], None]


class MeasuredSystem(Protocol):
    """What is asked: a flow of the service, or the baseline."""

    @property
    def name(self) -> str: ...

    def reply(self, wording: QuestionWording, collection: str) -> SystemReply: ...

    def without(self, wording: QuestionWording, reply: SystemReply, collection: str) -> SystemReply | None:
        """Raises `Declined` where the system cannot leave anything out."""
        ...


@dataclass(frozen=True)
class EvaluationRunner:
    """How a data set is asked: `collection` is one that is there already, else passages are ingested."""

    perturbations: Sequence[str] = ()
    consistency: bool = True
    faithfulness: bool = True
    collection: str = ""
    seed: int = 0


class EvaluationRun:
    """One run over a data set. Begun again in the same folder, it goes on; nothing is asked twice."""

    def __init__(
        self,
        service: EvaluatedService,
        dataset: QuestionSet,
        asking: EvaluationRunner,
        folder: RunFolder,
        progress: Progress,
    ) -> None:
        self._service = service
        self._dataset = dataset
        self._asking = asking
        self._folder = folder
        self._progress = progress

    def ingest(self) -> None:
        """Put the passages into their collections, once for each run; what is there already stays."""
        if self._asking.collection:
            return
        done = set(self._folder.record.get("ingested", ()))
        refused = list(self._folder.record.get("refused", ()))
        for collection, passages in self._collections():
            if collection not in done and passages:
                for file in files_of(passages):
                    refused += self._service.ingest(
                        collection, file, lambda at, of: self._progress("reading the passages", at, of)
                    )
                done.add(collection)
                self._folder.note(ingested=sorted(done), refused=refused)

    def build_pairs(self) -> None:
        """Make the question-answer pairs of the collections of this run, once."""
        if self._asking.collection:
            return
        done = set(self._folder.record.get("pairs_built", ()))
        collections = [collection for collection, passages in self._collections() if passages]
        for number, collection in enumerate(collections):
            self._progress("building question-answer pairs", number, len(collections))
            if collection not in done:
                self._service.build_pairs(collection)
                done.add(collection)
                self._folder.note(pairs_built=sorted(done))

    def _collections(self) -> Iterator[tuple[str, Sequence[CorpusPassage]]]:
        shared = [question for question in self._dataset.questions if not question.passages]
        if shared:
            yield collection_of(self._dataset, shared[0]), self._dataset.passages
        for question in self._dataset.questions:
            if question.passages:
                yield collection_of(self._dataset, question), question.passages

    def ask(self, systems: Sequence[MeasuredSystem]) -> None:
        """Ask every wording of every system, but those whose replies are kept.

        Raises `Unavailable` when the service is gone or turns everything down; what was answered until then is kept.
        """
        asked = [wording for question in self._dataset.questions for wording in self._wordings(question)]
        total = len(asked) * len(systems)
        for at, system in enumerate(systems):
            tries = _Tries(system.name)
            for number, wording in enumerate(asked, at * len(asked)):
                self._progress(f"asking {system.name}", number, total)
                if wording.variant == NEGATION and not self._labels(system, wording.question):
                    continue
                reply = self._reply(system, wording)
                tries.count(reply)
                if self._asking.faithfulness and wording.variant == ORIGINAL and reply.outcome != FAILED:
                    self._leave_out(system, wording, reply, tries)

    def _wordings(self, question: EvaluationQuestion) -> Iterator[QuestionWording]:
        asking = self._asking
        return wordings(question, asking.perturbations, asking.consistency, asking.seed)

    def _reply(self, system: MeasuredSystem, wording: QuestionWording) -> SystemReply:
        key = (system.name, wording.question.id, wording.variant)
        if not self._folder.has(key):
            self._folder.keep(system.reply(wording, self._collection(wording)))
        return self._folder.replies[key]

    def _leave_out(
        self, system: MeasuredSystem, wording: QuestionWording, reply: SystemReply, tries: _Tries
    ) -> None:
        if tries.leaves_nothing_out or self._folder.has((system.name, wording.question.id, WITHOUT)):
            return
        try:
            other = system.without(wording, reply, self._collection(wording))
        except Declined as declined:
            tries.leaves_nothing_out = not tries.left_out
            if tries.leaves_nothing_out:
                unmeasured = self._folder.record.get("unmeasured", {})
                self._folder.note(unmeasured={**unmeasured, f"faithfulness of {system.name}": str(declined)})
            return
        if other:
            tries.left_out = True
            self._folder.keep(other)

    def _labels(self, system: MeasuredSystem, question: EvaluationQuestion) -> bool:
        """Whether the claim itself got a label: without one, that of its negation means nothing."""
        original = self._folder.replies.get((system.name, question.id, ORIGINAL))
        return original is not None and bool(original.label)

    def _collection(self, wording: QuestionWording) -> str:
        return self._asking.collection or collection_of(self._dataset, wording.question)

    def judge(self, judges: Sequence[Prompting], manners: Sequence[str]) -> None:
        """Have every answer judged that has a reference; a judgement that is kept is not asked for again."""
        questions = {question.id: question for question in self._dataset.questions}
        replies = [
            reply
            for reply in self._folder.replies.values()
            if reply.question in questions and can_be_judged(questions[reply.question], reply)
        ]
        asked = [(judge, manner, reply) for judge in judges for manner in manners for reply in replies]
        for number, (judge, manner, reply) in enumerate(asked):
            self._progress(f"judging by {judge.model}", number, len(asked))
            if (judge.model, manner, reply.system, reply.question) not in self._folder.judgements:
                self._judge(judge, manner, questions[reply.question], reply)

    def _judge(self, judge: Prompting, manner: str, question: EvaluationQuestion, reply: SystemReply) -> None:
        """Raises `Unavailable` when the model does not answer: a judge that grades only some answers is none."""
        try:
            self._folder.keep_judgement(judged(judge, manner, question, reply))
        except Declined as declined:
            raise Unavailable(
                f"The judge {judge.model} gave up. {declined} Then run the command again."
            ) from declined


class _Tries:
    """How it has gone with one system so far."""

    def __init__(self, system: str) -> None:
        self._system = system
        self._declined = 0
        self._answered = False
        self.left_out = False
        self.leaves_nothing_out = False

    def count(self, reply: SystemReply) -> None:
        """Raises `Unavailable` when the first replies were all declined."""
        self._answered = self._answered or reply.outcome != FAILED
        self._declined += reply.outcome == FAILED
        if not self._answered and self._declined >= FRUITLESS:
            raise Unavailable(
                f"The service declined the first {FRUITLESS} questions to {self._system}, the last with: "
                f"{reply.problem} Correct that, and run the same command again."
            )
