"""Which extractors read a document: what there is, what is the default, and what an ingest asks for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final

from provgraph.errors import InvalidInput
from provgraph.extraction.by_model.extractor import VERSION as MODEL_VERSION
from provgraph.extraction.by_model.extractor import ModelExtractor, PassageExtractor
from provgraph.extraction.by_model.ontology import Ontology
from provgraph.extraction.by_model.ontology_reading import read_ontology
from provgraph.extraction.by_reading import ClauseExtractor, PropositionExtractor, go_on
from provgraph.extraction.by_reading.spacy_extractor import SpacyExtractor, require_pipeline
from provgraph.extraction.facts import Entity, Fact, FactExtractor, Passage, Value
from provgraph.extraction.names import (
    ALIASES,
    EXTRACTORS,
    ONTOLOGY_GUIDED,
    PAIRS,
    PAIRS_BY_MODEL,
    PAPERS,
    PROPOSITIONS,
    SPACY,
    current_name,
)
from provgraph.extraction.pairs.by_model import (
    FACT_PLACES,
    FACTS_PROMPT,
    PAIR_PLACES,
    PAIRS_PROMPT,
    ModelPairExtractor,
)
from provgraph.extraction.pairs.by_model import VERSION as PAIRS_BY_MODEL_VERSION
from provgraph.extraction.pairs.extractor import VERSION as PAIRS_VERSION
from provgraph.extraction.pairs.extractor import PairExtractor
from provgraph.extraction.papers.reading.extractor import PaperExtractor
from provgraph.ports.language_model import LanguageModel
from provgraph.prompts import read_prompt
from provgraph.rdf.terms import NamedNode
from provgraph.wire.extract import ExtractedFact, ExtractedFacts, ExtractedRelation, ExtractedThing

RULES: Final[Mapping[str, Callable[[], FactExtractor]]] = {
    PROPOSITIONS: PropositionExtractor,
    PAPERS: PaperExtractor,
    SPACY: SpacyExtractor,
}
"""The extractors that work by rules, by name. They read in batches, in threads or processes, before any model."""


@dataclass(frozen=True)
class OntologyFile:
    name: str
    content: bytes


@dataclass(frozen=True)
class ExtractionOptions:
    """What an ingest asks for; empty, None and 0 leave it to the settings."""

    extractors: tuple[str, ...] = ()
    ontology: OntologyFile | None = None
    max_tokens: int = 0
    sparing: bool = False
    replace: bool = False


@dataclass(frozen=True)
class ChosenExtractors:
    """What reads the chunks of an ingest: by rules, by model, or both; `max_tokens` 0 is no limit. Pairs are read as
    models read, chunk by chunk, also where rules make them.

    With `sparing`, models read only the chunks in which the rules found nothing. `only`, where it is given, names the
    chunks that models read, each with the extractors that are to read it. With `replace` what the same extractors read
    in another version, or with another model or prompt, is retired. `ontology` is what extractors were guided by.
    """

    by_rules: tuple[FactExtractor, ...] = ()
    by_model: tuple[PassageExtractor, ...] = ()
    max_tokens: int = 0
    sparing: bool = False
    only: Mapping[NamedNode, frozenset[str]] | None = None
    replace: bool = False
    ontology: OntologyFile | None = None

    @property
    def names(self) -> list[str]:
        return [
            *(by_rule.name for by_rule in self.by_rules),
            *(extractor.profile.name for extractor in self.by_model),
        ]

    def wants(self, chunk: NamedNode, extractor: PassageExtractor) -> bool:
        return self.only is None or extractor.profile.name in self.only.get(chunk, ())


@dataclass(frozen=True)
class ExtractorSettings:
    """`names` empty: rules alone without a model; rules and the one-call agent with one."""

    names: tuple[str, ...] = ()
    prompts: Path | None = None
    max_tokens: int = 0
    max_output_tokens: int = 2048


@dataclass(frozen=True)
class Extractors:
    """Makes the extractors of an ingest; prompts are read anew for each, so that a changed one is used at once."""

    model: LanguageModel | None = None
    settings: ExtractorSettings = field(default_factory=ExtractorSettings)
    rules: Mapping[str, Callable[[], FactExtractor]] = field(default_factory=lambda: RULES)

    def chosen(self, options: ExtractionOptions) -> ChosenExtractors:
        """Raises `InvalidInput` for a name that is not known, an extractor that needs a model, an ontology or a
        pipeline of spaCy where there is none, a prompt that cannot be used, and what `read_ontology` raises."""
        ontology = (
            read_ontology(options.ontology.content, options.ontology.name) if options.ontology else None
        )
        asked = options.extractors or self._default(guided=ontology is not None)
        names = dict.fromkeys(map(current_name, asked))
        if ontology and ONTOLOGY_GUIDED not in names:
            raise InvalidInput(
                "An ontology was given, and no extractor that follows it. Add the extractor ontology-guided."
            )
        if SPACY in names:
            require_pipeline()
        by_rules = tuple(self.rules[name]() for name in names if name in self.rules)
        return ChosenExtractors(
            by_rules=by_rules,
            by_model=tuple(self._by_model(names, ontology)),
            max_tokens=options.max_tokens or self.settings.max_tokens,
            sparing=options.sparing and bool(by_rules),
            replace=options.replace,
            ontology=options.ontology,
        )

    def knows(self, name: str) -> bool:
        """Whether it is the name of an extractor, or was one."""
        return current_name(name) in EXTRACTORS

    def is_current(self, name: str, version: str) -> bool:
        """Whether a reading by the extractor `name`, in the `version` that its activity tells, is one of today's. Of
        extractors by model the prompt and the settings that follow the version may differ."""
        if name in ALIASES:
            return False
        if name in self.rules:
            return version == self.rules[name]().version
        versions = {PAIRS: PAIRS_VERSION, PAIRS_BY_MODEL: PAIRS_BY_MODEL_VERSION}
        return version.partition(" ")[0] == versions.get(name, MODEL_VERSION)

    def pairs_by(self, engine: str) -> str:
        """The extractor that makes question-answer pairs; without an engine by the model where there is one.

        Raises `InvalidInput` for the model where there is none.
        """
        if engine == "model" and self.model is None:
            raise InvalidInput(
                "The engine 'model' needs a language model. Set PROVGRAPH_LLM_MODEL and OPENAI_BASE_URL, or use "
                "model-free."
            )
        return PAIRS_BY_MODEL if self.model and engine != "model-free" else PAIRS

    def _pairs_by_model(self, model: LanguageModel) -> ModelPairExtractor:
        folder = self.settings.prompts
        prompts = (
            read_prompt(PAIRS_PROMPT, PAIR_PLACES, folder),
            read_prompt(FACTS_PROMPT, FACT_PLACES, folder),
        )
        return ModelPairExtractor(model, prompts, self.settings.max_output_tokens)

    def _default(self, guided: bool) -> tuple[str, ...]:
        if guided:
            return (ONTOLOGY_GUIDED,)
        return self.settings.names or ((PROPOSITIONS, "agent") if self.model else (PROPOSITIONS,))

    def _by_model(self, names: dict[str, None], ontology: Ontology | None) -> Iterator[PassageExtractor]:
        for name in names:
            if name not in EXTRACTORS:
                raise InvalidInput(f"There is no extractor {name!r}. Choose from {', '.join(EXTRACTORS)}.")
            if name in self.rules:
                continue
            if name == PAIRS:
                yield PairExtractor()
                continue
            if self.model is None:
                raise InvalidInput(
                    f"The extractor {name} needs a language model. Set PROVGRAPH_LLM_MODEL and OPENAI_BASE_URL, "
                    "or use propositions."
                )
            if name == PAIRS_BY_MODEL:
                yield self._pairs_by_model(self.model)
                continue
            guided = name == ONTOLOGY_GUIDED
            if guided and ontology is None:
                raise InvalidInput(
                    "The extractor ontology-guided needs an ontology. Give one with --ontology."
                )
            places = frozenset({"title", "text", "ontology"} if guided else {"title", "text"})
            prompt = read_prompt(name, places, self.settings.prompts)
            yield ModelExtractor(
                self.model, prompt, ontology if guided else None, self.settings.max_output_tokens
            )


def text_extractor(stored: bool, each_sentence: Callable[[], None] = go_on) -> FactExtractor:
    """What reads a text: with `stored` as an ingest does, else each clause as one fact in the text's own words.

    `each_sentence` is called before each, and may raise what ends the reading.
    """
    if stored:
        return PropositionExtractor(each_sentence=each_sentence)
    return ClauseExtractor(each_sentence=each_sentence)


def extract_text(extractor: FactExtractor, text: str, title: str = "") -> ExtractedFacts:
    """All facts of `text`, by place; spans are of the sentence, in characters of `text`."""
    return ExtractedFacts(facts=list(_facts_of(extractor, text, title)))


def extract_text_as_json(extractor: FactExtractor, text: str, title: str = "") -> bytes:
    """The same as JSON: hundreds of thousands of messages at once would take four times the memory."""
    written = (fact.model_dump_json().encode() for fact in _facts_of(extractor, text, title))
    return b'{"facts":[' + b",".join(written) + b"]}"


def _facts_of(extractor: FactExtractor, text: str, title: str) -> Iterator[ExtractedFact]:
    facts = extractor.extract(Passage(text, title, own_end=len(text)))
    return map(_told, sorted(facts, key=lambda fact: fact.start))


def _told(fact: Fact) -> ExtractedFact:
    return ExtractedFact(
        subject=_thing(fact.subject),
        relation=ExtractedRelation(label=fact.relation),
        object=_thing(fact.object),
        confidence=fact.confidence,
        start=fact.start,
        end=fact.end,
    )


def _thing(thing: Entity | Value) -> ExtractedThing:
    return ExtractedThing(label=thing.label, type=thing.type if isinstance(thing, Entity) else thing.kind)
