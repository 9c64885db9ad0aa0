"""A few documents in memory, read by the built-in parser, and a finder that ranks them by shared words."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from functools import cache

from provgraph.derivation.answer import Answerer
from provgraph.derivation.evidence import Found, ReadPassage
from provgraph.derivation.result import Derived, Incomplete, Probable
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.reader import read_parsed

PARSER = BuiltInParser()

DOCUMENTS = {
    "Silver Harbour": "Silver Harbour is a 1994 drama film directed by Milan Korda. It was written by Petra Lindqvist "
    "and produced by Otter Films. The film stars Jonas Weil and Carla Moretti. It runs for 118 minutes and cost 3.2 "
    "million euros.",
    "Milan Korda": "Milan Korda was a Hungarian film director and photographer. He was born on 4 March 1941 in Szeged, "
    "and died in Vienna on 9 May 2008. His father was the composer Béla Korda.",
    "Night Ferry": "Night Ferry is a 1987 thriller film directed by Anna Sorel. The film runs for 95 minutes.",
    "Anna Sorel": "Anna Sorel is a French film director, born in Lyon on 2 July 1950.",
    "Otter Films": "Otter Films is a production company based in Trieste. It was founded in 1979 by Paolo Verdi. The "
    "company has 140 employees.",
    "Béla Korda": "Béla Korda was the son of the violinist Ferenc Korda and of Zsofia Nagy.",
    "Velm": "Velm is a town in the north. The town covers 54 square kilometres and has a tower of 61 metres.",
}


@cache
def passage(title: str, text: str) -> ReadPassage:
    parsed = PARSER.parse(text, list(sentence_spans(text)))
    return ReadPassage(title, title, title, text, read_parsed(text, parsed, title), tuple(parsed))


class Shelf:
    """Implements `derivation.evidence.Finder`."""

    def __init__(self, documents: Mapping[str, str]) -> None:
        self._passages = [passage(title, text) for title, text in documents.items()]

    async def passages(self, query: str) -> Sequence[ReadPassage]:
        words = set(re.findall(r"\w+", query.casefold()))

        def shared(each: ReadPassage) -> int:
            return len(words & set(re.findall(r"\w+", f"{each.title} {each.text}".casefold())))

        return sorted(self._passages, key=lambda each: -shared(each))[:6]

    async def found(self, query: str) -> Found:
        return Found(tuple(await self.passages(query)), dict.fromkeys(content_terms(query), 1.0))

    async def about(self, query: str, name: str, most: int) -> Found:
        return (await self.found(query)).about(name, most)


async def result(
    question: str, documents: Mapping[str, str] = DOCUMENTS
) -> Derived | Probable | Incomplete | None:
    return await Answerer(PARSER, Shelf(documents)).answer(question)


async def short(question: str, documents: Mapping[str, str] = DOCUMENTS) -> str:
    """The short answer, empty where there is none."""
    found = await result(question, documents)
    return found.text if isinstance(found, Derived) else ""
