"""The writer without a model: sentences of the selected passages, each after the paper that says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from provgraph.catalogue.papers import StoredPaper
from provgraph.flows.runner.answers import DraftAnswer, joined
from provgraph.flows.runner.chunk_answers import ChunkSelection, quoted_answer
from provgraph.flows.runner.run import Run
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class NamingWriter:
    """`papers` are those that may be named."""

    papers: Mapping[NamedNode, StoredPaper]

    async def answer(
        self,
        run: Run,
        question: str,  # noqa: ARG002 (the question is the protocol's: what was selected answers it)
        selection: ChunkSelection,
    ) -> DraftAnswer:
        return await run.say_all(self.named(quoted_answer(selection), selection))

    def named(self, quoted: DraftAnswer, selection: ChunkSelection) -> DraftAnswer:
        """The quoted sentences, with the name of its paper before each that is of another than the one before it."""
        texts: list[str] = []
        before: NamedNode | None = None
        for sentence in quoted.sentences:
            paper = selection.chosen[sentence.chunks[0]].passage.hit.document
            lead = "" if paper == before else f"{self._reference(paper)}: "
            before = paper
            texts.append(lead + quoted.text[sentence.start : sentence.end])
        return joined(texts, lambda index, start, end: replace(quoted.sentences[index], start=start, end=end))

    def _reference(self, paper: NamedNode) -> str:
        return self.papers[paper].reference if paper in self.papers else "Another paper"
