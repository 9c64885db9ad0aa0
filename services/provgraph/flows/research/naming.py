"""The writer without a model: sentences of the selected passages, each after the paper that says it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace

from provgraph.catalogue.papers import Paper
from provgraph.flows.runner.answer_stream import Parts, Told
from provgraph.flows.runner.from_chunks.answers import Statement
from provgraph.flows.runner.from_chunks.quoting import QuotingWriter
from provgraph.flows.runner.from_chunks.selection import Selection, Weighed
from provgraph.rdf.terms import NamedNode


@dataclass(frozen=True)
class NamingWriter:
    """`papers` are those that may be named."""

    papers: Mapping[NamedNode, Paper]

    async def answer(self, question: str, selection: Selection) -> Parts[Statement]:
        text, statements = "", list[Statement]()
        async for part in QuotingWriter().answer(question, selection):
            if isinstance(part, str):
                continue
            if not part.statements:
                yield part.text
                yield part
                return
            named: NamedNode | None = None
            for said in part.statements:
                paper = _paper_of(selection.chosen[said.chunks[0]])
                words = part.text[said.start : said.end]
                lead = "" if paper == named else f"{self._reference(paper)}: "
                named = paper
                added = f"{' ' if text else ''}{lead}{words}"
                yield added
                start = len(text) + (1 if text else 0)
                text += added
                statements.append(replace(said, start=start, end=len(text)))
        yield Told(text, tuple(statements))

    def _reference(self, paper: NamedNode) -> str:
        return self.papers[paper].reference if paper in self.papers else "Another paper"


def _paper_of(weighed: Weighed) -> NamedNode:
    return weighed.passage.hit.document
