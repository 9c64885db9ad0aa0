"""The extractor for papers: what the model-free one reads, and what papers say of methods, data, measures and tasks."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Final

from provgraph.extraction.facts import Entity, Fact, FactExtractor, Passage, Value
from provgraph.extraction.model_free import ModelFreeExtractor
from provgraph.extraction.model_free.prose import is_english, is_prose
from provgraph.extraction.model_free.sentence import Sentence, read_sentence
from provgraph.extraction.papers.reading.mentions import Mention, mentions
from provgraph.extraction.papers.reading.relations import Related, related
from provgraph.language.sentences import after_list_mark, sentence_spans
from provgraph.rdf.research_terms import RESEARCH

SURE: Final = 0.75
GUESSED: Final = 0.6
OWN: Final = 0.55
"""How sure a reader is of a relation between things of known kind, with a guessed kind, and of what "we" are."""

_OWN_NAME: Final = re.compile(r"\s*([A-Z][a-z]*[A-Z\d][\w-]*|[A-Z]{2,}[\w-]*)\s*:\s")
_DATA: Final = re.compile(r"\b(?:data ?set|corpus|benchmark)\b", re.IGNORECASE)
_OURSELVES: Final = re.compile(
    r"\b(?:we|our (?:model|method|approach|system|framework|toolkit|architecture)|"
    r"the proposed (?:model|method|approach|system|framework))\b",
    re.IGNORECASE,
)


class PaperExtractor:
    """Same passage, same facts. What both readings say of a sentence is said once, in the ontology's terms."""

    def __init__(self) -> None:
        self._prose: FactExtractor = ModelFreeExtractor()

    @property
    def name(self) -> str:
        return "papers"

    @property
    def version(self) -> str:
        return f"1 {self._prose.name} {self._prose.version}"

    def extract(self, passage: Passage) -> Sequence[Fact]:
        """The facts of the passage's own sentences, in order."""
        typed = list({_key(fact): fact for fact in _typed(passage)}.values())
        said = {_ends(fact) for fact in typed}
        kinds = {entity.label: entity.type for fact in typed for entity in _entities(fact)}
        others = [
            _with_kinds(fact, kinds) for fact in self._prose.extract(passage) if _ends(fact) not in said
        ]
        return sorted([*others, *typed], key=lambda fact: fact.start)


def _typed(passage: Passage) -> Iterator[Fact]:
    own_end = passage.own_end if passage.own_end >= 0 else len(passage.text)
    for start, end in sentence_spans(passage.text):
        if not passage.own_start <= start < own_end:
            continue
        begin = after_list_mark(passage.text, start, end)
        if not is_prose(passage.text, begin, end):
            continue
        sentence = read_sentence(passage.text, begin, end)
        if is_english(sentence):
            yield from _facts(sentence, _own(passage.title))


def _facts(sentence: Sentence, own: Mention | None) -> Iterator[Fact]:
    found = [_as_own(mention, own) for mention in mentions(sentence)]
    for each in related(sentence, found):
        yield _fact(sentence, each, SURE if each.sure else GUESSED)
    if own is None:
        return
    for ourselves in _OURSELVES.finditer(sentence.text, sentence.start, sentence.end):
        subject = replace(own, start=ourselves.start(), end=ourselves.end(), reach=ourselves.end())
        after = [mention for mention in found if mention.start >= subject.reach]
        for each in related(sentence, [subject, *after]):
            if each.subject.start == subject.start:
                yield _fact(sentence, each, OWN)


def _as_own(mention: Mention, own: Mention | None) -> Mention:
    """A bare name that is the paper's own has its kind."""
    named = own is not None and not mention.kind and mention.label == own.label
    return replace(mention, kind="METHOD") if named else mention


def _fact(sentence: Sentence, each: Related, confidence: float) -> Fact:
    return Fact(
        _entity(each.subject),
        each.relation.label,
        _entity(each.object),
        confidence,
        sentence.start,
        sentence.end,
        RESEARCH.relations[each.relation.name],
    )


def _entity(mention: Mention) -> Entity:
    return Entity(mention.label, RESEARCH.classes[mention.kind].value)


def _own(title: str) -> Mention | None:
    """What a paper calls its own work: the name before the colon of its title, unless it is a collection of data."""
    found = _OWN_NAME.match(title)
    return Mention(0, 0, found[1], "METHOD", 0) if found and not _DATA.search(title) else None


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
