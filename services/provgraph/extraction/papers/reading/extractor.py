"""The extractor for papers: what sentences mean, and what papers say of methods, data, measures and tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from provgraph.extraction.by_reading.extractor import PropositionExtractor, parsed_sentences
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.papers.reading.introductions import introduced, own_name
from provgraph.extraction.papers.reading.mentions import PaperMention, PaperSentence, mentions
from provgraph.extraction.papers.reading.relations import Related, related
from provgraph.rdf.vocabulary import RESEARCH
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import ParsedSentence

SURE: Final = 0.75
GUESSED: Final = 0.6
OWN: Final = 0.55
"""How sure a reader is of a relation between things of known kind, with a guessed kind, and of what "we" are."""

_IT: Final = re.compile(r"\bIt\b")
_OURSELVES: Final = re.compile(
    r"\b(?:we|our (?:model|method|approach|system|framework|toolkit|architecture)|"
    r"the proposed (?:model|method|approach|system|framework))\b",
    re.IGNORECASE,
)


class PaperExtractor:
    """Same passage, same facts. What both readings say of a sentence is said once, in the ontology's terms."""

    def __init__(self) -> None:
        self._parser = BuiltInParser()
        self._prose = PropositionExtractor(self._parser)

    @property
    def name(self) -> str:
        return "papers"

    @property
    def version(self) -> str:
        return f"3 {self._prose.name} {self._prose.version}"

    def extract(self, passage: Passage) -> Sequence[Fact]:
        """The facts of the passage's own sentences, in order."""
        (sentences,) = parsed_sentences([passage], self._parser)
        typed = list({_key(fact): fact for fact in _typed(passage, sentences)}.values())
        said = {_ends(fact) for fact in typed}
        kinds = {entity.label: entity.type for fact in typed for entity in _entities(fact)}
        others = [
            _with_kinds(fact, kinds)
            for fact in self._prose.facts(passage, sentences)
            if _ends(fact) not in said
        ]
        return sorted([*others, *typed], key=lambda fact: fact.start)


def _typed(passage: Passage, sentences: Sequence[ParsedSentence]) -> Iterator[Fact]:
    own, kinds = own_name(passage.title), introduced(passage.text)
    if own:
        kinds = {own: "METHOD", **kinds}
    is_about_own = False
    for parsed in sentences:
        if not passage.owns(parsed.start):
            continue
        sentence = PaperSentence(passage.text, parsed)
        paper_mentions = mentions(sentence, kinds)
        yield from _facts(sentence, paper_mentions, own)
        if is_about_own:
            yield from _said_of(own, _IT, sentence, paper_mentions)
        begins = (
            bool(paper_mentions)
            and paper_mentions[0].label == own
            and paper_mentions[0].start == parsed.start
        )
        is_about_own = begins or (is_about_own and bool(_IT.match(passage.text, parsed.start)))


def _facts(sentence: PaperSentence, paper_mentions: Sequence[PaperMention], own: str) -> Iterator[Fact]:
    for each in related(sentence, paper_mentions):
        yield _fact(sentence, each, SURE if each.sure else GUESSED)
    if own:
        yield from _said_of(own, _OURSELVES, sentence, paper_mentions)


def _said_of(
    own: str, word: re.Pattern[str], sentence: PaperSentence, paper_mentions: Sequence[PaperMention]
) -> Iterator[Fact]:
    """What the sentence says of the paper's own work, which it calls by another `word`."""
    for called in word.finditer(sentence.text, sentence.start, sentence.end):
        subject = PaperMention(called.start(), called.end(), own, "METHOD", called.end())
        after = [mention for mention in paper_mentions if mention.start >= subject.reach]
        for each in related(sentence, [subject, *after]):
            if each.subject.start == subject.start:
                yield _fact(sentence, each, OWN)


def _fact(sentence: PaperSentence, each: Related, confidence: float) -> Fact:
    return Fact(
        _entity(each.subject),
        each.relation.label,
        _entity(each.object),
        confidence,
        sentence.start,
        sentence.end,
        RESEARCH.relations[each.relation.name],
    )


def _entity(mention: PaperMention) -> Entity:
    return Entity(mention.label, RESEARCH.classes[mention.kind].value)


def _entities(fact: Fact) -> list[Entity]:
    return [fact.subject, *([fact.object] if isinstance(fact.object, Entity) else [])]


def _with_kinds(fact: Fact, kinds: dict[str, str]) -> Fact:
    """Of things that have a kind in the ontology, the fact says that."""

    def kinded(entity: Entity) -> Entity:
        return Entity(entity.label, kinds.get(entity.label, entity.type))

    thing = fact.object if isinstance(fact.object, Value) else kinded(fact.object)
    return replace(fact, subject=kinded(fact.subject), object=thing)


def _ends(fact: Fact) -> tuple[int, str, str]:
    return fact.start, fact.subject.label.casefold(), fact.object.label.casefold()


def _key(fact: Fact) -> tuple[object, ...]:
    return (*_ends(fact), fact.relation)
