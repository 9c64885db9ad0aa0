"""The model-free extractor: a passage in, its facts out, with no model, no network and no state kept."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from provgraph.documents.sentences import sentence_spans
from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.model_free.clauses import ClauseReader
from provgraph.extraction.model_free.definitions import Draft, definitions, name_within
from provgraph.extraction.model_free.labels import clean_label
from provgraph.extraction.model_free.lexicon import lexicon
from provgraph.extraction.model_free.referents import Referents
from provgraph.extraction.model_free.relations import clause_drafts
from provgraph.extraction.model_free.sentence import Phrase, Sentence, read_sentence
from provgraph.extraction.model_free.types import type_of_name, type_of_noun, type_of_object, type_of_subject
from provgraph.extraction.model_free.values import read_value

MAX_SENTENCE = 1200
MAX_TOKENS = 160
MAX_LABEL_WORDS = 10
MAX_RELATION_WORDS = 7
_LEAST = 0.3
_KNOWN_SHARE = 0.6
_EMPTY_NAMES = frozenset(
    ["one", "ones", "other", "others", "many", "some", "most", "all", "both", "each", "first", "second", "last", "latter", "former", "number", "lot", "part", "result", "fact", "case", "time", "way", "thing", "things", "example", "addition", "order", "same", "such", "none", "any", "several", "few", "two", "three", "more", "much", "who", "which", "that", "what", "there", "here", "this", "these", "those", "everyone", "someone", "something", "anything", "nothing", "respect"]
)


@dataclass(frozen=True)
class _Named:
    """What a phrase names: a label or a value, and whether it is a proper name."""

    label: str
    value: Value | None = None
    proper: bool = False
    type: str = ""


class ModelFreeExtractor:
    """Extracts facts by part-of-speech patterns. Same passage and settings, same facts.

    `verbatim` leaves the arguments as the sentence has them, with articles, adverbs and unresolved pronouns, as
    open information extraction does; the default is made for a graph.
    """

    def __init__(self, verbatim: bool = False) -> None:
        self._verbatim = verbatim

    @property
    def name(self) -> str:
        return "model-free"

    @property
    def version(self) -> str:
        return "1"

    def extract(self, passage: Passage) -> list[Fact]:
        """The facts of the passage's own sentences, in order, each once."""
        own_end = passage.own_end if passage.own_end >= 0 else len(passage.text)
        reading = _Reading(Referents(passage.title), self._verbatim)
        facts: dict[tuple[object, ...], Fact] = {}
        for start, end in sentence_spans(passage.text):
            if start >= own_end:
                break
            for fact in reading.facts(passage.text, start, end):
                key = (fact.subject.label, fact.relation, fact.object.label, start)
                if start >= passage.own_start and (
                    key not in facts or facts[key].confidence < fact.confidence
                ):
                    facts[key] = fact
        return [reading.typed(fact) for fact in facts.values()]


class _Reading:
    """Reads one passage from sentence to sentence."""

    def __init__(self, referents: Referents, verbatim: bool) -> None:
        self._referents = referents
        self._verbatim = verbatim
        self._types: dict[str, str] = {}

    def facts(self, text: str, start: int, end: int) -> Iterator[Fact]:
        """Facts of the sentence `text[start:end]`."""
        self._referents.next_sentence()
        if not _is_readable(text, start, end):
            return
        sentence = read_sentence(text, start, end)
        if len(sentence.tokens) > MAX_TOKENS or not _is_english(sentence):
            return
        drafts = list(definitions(sentence))
        for clause in ClauseReader(sentence).clauses():
            drafts.extend(clause_drafts(sentence, clause, self._verbatim))
        drafts.sort(key=lambda draft: draft.subject.start)
        for draft in drafts:
            fact = self._fact(sentence, draft)
            if fact is not None:
                yield fact

    def _fact(self, sentence: Sentence, draft: Draft) -> Fact | None:
        subject = self._named(sentence, draft.subject, is_subject=True)
        if subject is None or subject.value is not None:
            return None
        if isinstance(draft.object, str):
            found: _Named | None = _Named(draft.object, read_value(draft.object))
        else:
            found = self._named(sentence, draft.object, is_subject=False)
        if found is None or found.label == subject.label or len(draft.relation.split()) > MAX_RELATION_WORDS:
            return None
        self._learn(sentence, draft, subject, found)
        confidence = round(round(min(max(draft.confidence, 0.05), 0.95) * 20) / 20, 2)
        if confidence < _LEAST:
            return None
        target = found.value or Entity(found.label)
        return Fact(Entity(subject.label), draft.relation, target, confidence, sentence.start, sentence.end)

    def _learn(self, sentence: Sentence, draft: Draft, subject: _Named, found: _Named) -> None:
        """Types, and who was mentioned, for the sentences that follow."""
        is_a = draft.relation.endswith(" a") or draft.relation in ("is", "was")
        if (
            isinstance(draft.object, Phrase)
            and is_a
            and subject.proper
            and not found.proper
            and not found.value
        ):
            noun = sentence.tokens[draft.object.head - 1].lower
            self._remember(subject.label, type_of_noun(noun))
            self._referents.classify(subject.label, noun)
            if draft.relation.endswith(" a"):
                self._remember(found.label, "Concept")
        if subject.proper:
            self._remember(subject.label, subject.type or type_of_subject(draft.relation))
            self._referents.mention(subject.label, self._types.get(subject.label, ""), is_subject=True)
        if found.proper and found.value is None:
            self._remember(found.label, found.type or type_of_object(draft.relation))
            self._referents.mention(found.label, self._types.get(found.label, ""), is_subject=False)

    def _remember(self, label: str, kind: str) -> None:
        if kind and label not in self._types:
            self._types[label] = kind

    def typed(self, fact: Fact) -> Fact:
        """The fact with the types that the whole passage gives its entities."""
        subject = Entity(fact.subject.label, self._types.get(fact.subject.label, ""))
        if isinstance(fact.object, Value):
            return replace(fact, subject=subject)
        return replace(
            fact, subject=subject, object=Entity(fact.object.label, self._types.get(fact.object.label, ""))
        )

    def _named(self, sentence: Sentence, phrase: Phrase, is_subject: bool) -> _Named | None:
        """What the phrase names; None where that is nothing to make a node of."""
        first = sentence.tags[phrase.start]
        if phrase.end - phrase.start == 1 and first in "OED":
            return self._pronoun(sentence.tokens[phrase.start].text)
        if self._verbatim:
            return self._verbatim_name(sentence, phrase)
        if is_subject and first == "S":
            return self._possession(sentence, phrase)
        phrase = _name_only(sentence, phrase)
        label = clean_label(sentence.words(phrase.start, phrase.end))
        if len(label.split()) > MAX_LABEL_WORDS:
            label = clean_label(sentence.words(phrase.start, phrase.head))
        if not label or len(label.split()) > MAX_LABEL_WORDS or _is_empty(label):
            return None
        value = read_value(label)
        if value is not None:
            return _Named(label, value)
        if sentence.tokens[phrase.start].lower == "the" and phrase.end - phrase.start == 2:
            label = self._referents.resolve_class(label) or label
        proper = (sentence.tags[phrase.head - 1] == "P" and phrase.head == phrase.end) or label[0].isupper()
        return _Named(label, None, proper, type_of_name(label) if proper else "")

    def _verbatim_name(self, sentence: Sentence, phrase: Phrase) -> _Named | None:
        label = " ".join(sentence.words(phrase.start, phrase.end).split())
        return _Named(label, read_value(label), sentence.tags[phrase.head - 1] == "P")

    def _pronoun(self, word: str) -> _Named | None:
        if self._verbatim:
            return _Named(word)
        name = self._referents.resolve(word)
        return _Named(name, None, True, self._referents.type_of(name)) if name else None

    def _possession(self, sentence: Sentence, phrase: Phrase) -> _Named | None:
        """Her husband: "Marie Curie's husband", if it is clear who she is; the name alone in "her husband Pierre"."""
        name = _name_only(sentence, phrase)
        if name.start != phrase.start:
            return self._named(sentence, name, is_subject=True)
        owner = self._referents.resolve(sentence.tokens[phrase.start].lower)
        rest = (
            clean_label(sentence.words(phrase.start + 1, phrase.end)) if phrase.end > phrase.start + 1 else ""
        )
        return (
            _Named(f"{owner}'s {rest}")
            if owner and rest and len(rest.split()) <= MAX_LABEL_WORDS - 4
            else None
        )


def _name_only(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The physicist Marie Curie → Marie Curie."""
    if phrase.head != phrase.end:
        return phrase
    for index, chunk in enumerate(sentence.chunks):
        if chunk.start == phrase.start and chunk.end == phrase.end:
            return name_within(sentence, index) or phrase
    return phrase


def _is_readable(text: str, start: int, end: int) -> bool:
    """Whether this is a sentence of English prose and not a table, a heading, code or another language."""
    if end - start > MAX_SENTENCE or end - start < 8 or text[end - 1] == "?":
        return False
    words = text[start:end]
    letters = sum(1 for c in words if c.isalpha())
    latin = sum(1 for c in words if "a" <= c <= "z" or "A" <= c <= "Z")
    if latin < 0.5 * (end - start) or latin < 0.8 * letters:
        return False
    lower = sum(1 for c in words if c.islower())
    return lower >= 0.5 * letters


def _is_english(sentence: Sentence) -> bool:
    """Whether most of the words without a capital are in the English lexicon."""
    tags = lexicon().tags
    words = [token.lower for token in sentence.tokens if token.text.isalpha() and token.text.islower()]
    return sum(tags.get(word, "FW") != "FW" for word in words) >= _KNOWN_SHARE * len(words)


def _is_empty(label: str) -> bool:
    return label.lower() in _EMPTY_NAMES and not label.isupper()
