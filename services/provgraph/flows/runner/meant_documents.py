"""Which document a text means that names what the document is about: "the mayor of Halversund" means the minutes of
that council, which say "the Mayor" throughout.

It is asked for where nothing in all documents answers. The document has every name of the text, no other that was found
has as many, and it is no short one, which says whom it means.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.errors import NotFound
from provgraph.flows.runner.named_documents import documents_of
from provgraph.flows.runner.passages import RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.rdf.terms import NamedNode
from provgraph.reading.scope import head_words, name_words, without_scope, words_of_text
from provgraph.reading.syntax import Parser

MOST_LOOKED_AT: Final = 5
"""Of how many documents, the best found, the names are looked for."""


@dataclass(frozen=True)
class MeantDocument:
    """`names` are the words of names of the text, `head` the words by which the document names what it is about,
    `others` the documents that are not meant; `is_article` where the text names its title: other documents may tell of
    what that describes."""

    document: NamedNode
    title: str
    names: frozenset[str]
    head: frozenset[str]
    others: tuple[NamedNode, ...]
    is_article: bool

    def wordings(self, text: str, parser: Parser) -> tuple[str, ...]:
        """The text, and the text without what only says that this document is meant."""
        parsed = parser.parse(text, [(0, len(text))])
        return tuple(
            dict.fromkeys((text, *(without_scope(each, text, self.head).text for each in parsed[:1])))
        )

    def why(self, sentences: Iterable[str]) -> str:
        """One sentence that says which document answers, where its sentences do not have the names themselves."""
        is_said = self.names <= words_of_text(" ".join(sentences))
        return "" if is_said else f"So says “{self.title}”, the document that has the names of the question."


async def meant_document(
    run: Run, text: str, parser: Parser, found: Sequence[RetrievedPassage]
) -> MeantDocument | None:
    """The one that a text means, among those with the best passages; None where none is told by its names."""
    names = name_words(parser.parse(text, [(0, len(text))]))
    if not names:
        return None
    documents = await _read(run, sorted(found, key=lambda each: each.rank))
    scores = {
        document: (len(names & (each.head | words_of_text(each.text))), len(names & each.head))
        for document, each in documents.items()
    }
    best = max(scores, key=lambda document: scores[document], default=None)
    if best is None or not documents[best].head or scores[best][0] < len(names):
        return None
    if sum(score == scores[best] for score in scores.values()) > 1:
        return None
    title, head = documents[best].title, documents[best].head
    others = tuple(node for node in await documents_of(run) if node != best)
    return MeantDocument(best, title, names, head, others, title.casefold() in text.casefold())


async def heads_of(run: Run, found: Sequence[RetrievedPassage]) -> dict[NamedNode, frozenset[str]]:
    """By document of some passages, the words by which it names what it is about; none of a short one."""
    return {document: each.head for document, each in (await _read(run, found)).items()}


@dataclass(frozen=True)
class _ReadDocument:
    title: str
    text: str
    head: frozenset[str]


async def _read(run: Run, found: Sequence[RetrievedPassage]) -> dict[NamedNode, _ReadDocument]:
    """The documents of some passages, in their order."""
    by_document: dict[NamedNode, list[RetrievedPassage]] = {}
    for passage in found:
        by_document.setdefault(passage.hit.document, []).append(passage)
    looked_at = list(by_document.items())[:MOST_LOOKED_AT]
    texts = await asyncio.gather(*(_text(run, passages) for _, passages in looked_at))
    read = {}
    for (document, passages), text in zip(looked_at, texts, strict=True):
        place = passages[0].at.place
        read[document] = _ReadDocument(place.title, text, head_words(place.title, place.source, text))
    return read


async def _text(run: Run, passages: Sequence[RetrievedPassage]) -> str:
    """The first page of a document, and those on which passages stand."""
    page = passages[0].at.place.page
    first = NamedNode(f"{page.value.rpartition('/')[0]}/1")
    pages = dict.fromkeys((first, *(passage.at.place.page for passage in passages)))
    return "\n".join(await asyncio.gather(*(_page(run, each) for each in pages)))


async def _page(run: Run, page: NamedNode) -> str:
    try:
        return await run.services.library.text(run.question.collection, page)
    except NotFound:
        return ""
