"""The model-free extractor: a passage in, its facts out, with no model, no network and no state kept."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from provgraph.extraction.facts import Entity, Fact, Passage, Value
from provgraph.extraction.model_free.anaphora import is_past
from provgraph.extraction.model_free.asides import asides
from provgraph.extraction.model_free.attributions import attributions
from provgraph.extraction.model_free.clauses import ClauseReader
from provgraph.extraction.model_free.definitions import Draft, definitions, occupation
from provgraph.extraction.model_free.entity_types import (
    type_of_noun,
    type_of_object,
    type_of_subject,
)
from provgraph.extraction.model_free.naming import Named, Naming
from provgraph.extraction.model_free.other_names import other_names
from provgraph.extraction.model_free.prose import is_english, is_prose
from provgraph.extraction.model_free.referents import Referents
from provgraph.extraction.model_free.relations import MAX_RELATION_WORDS, clause_drafts
from provgraph.extraction.model_free.sentence import Phrase, Sentence, read_sentence
from provgraph.extraction.model_free.table_rows import row_facts
from provgraph.extraction.model_free.values import read_value
from provgraph.language.sentences import after_list_mark, sentence_spans

_LEAST = 0.3


def go_on() -> None:
    """Nothing ends the reading before the text does."""


class ModelFreeExtractor:
    """Extracts facts by part-of-speech patterns. Same passage and settings, same facts.

    `verbatim` gives a clause as one fact in the words of the sentence, with articles, adverbs and unresolved
    pronouns, as open information extraction does; the default is made for a graph.
    """

    def __init__(self, verbatim: bool = False, each_sentence: Callable[[], None] = go_on) -> None:
        """`each_sentence` is called before each, and may raise what ends the reading."""
        self._verbatim = verbatim
        self._each_sentence = each_sentence

    @property
    def name(self) -> str:
        return "model-free"

    @property
    def version(self) -> str:
        return "2"

    def extract(self, passage: Passage) -> list[Fact]:
        """The facts of the passage's own sentences and table rows, in order, each once."""
        reading = _Reading(Referents(passage.title), self._verbatim)
        facts: dict[tuple[object, ...], Fact] = {}
        passed_over = asides(passage.text)
        for start, end in sentence_spans(passage.text):
            self._each_sentence()
            if start >= passage.own_end:
                break
            if any(first <= start < last for first, last in passed_over):
                continue
            for fact in reading.facts(passage.text, after_list_mark(passage.text, start, end), end):
                key = (fact.subject.label, fact.relation, fact.object.label, start)
                if start >= passage.own_start and (
                    key not in facts or facts[key].confidence < fact.confidence
                ):
                    facts[key] = fact
        found = [reading.typed(fact) for fact in facts.values()]
        return sorted([*found, *row_facts(passage.table_rows)], key=lambda fact: fact.start)


class _Reading:
    """Reads one passage from sentence to sentence."""

    def __init__(self, referents: Referents, verbatim: bool) -> None:
        self._referents = referents
        self._verbatim = verbatim
        self._naming = Naming(referents, verbatim)
        self._types: dict[str, str] = {}

    def facts(self, text: str, start: int, end: int) -> Iterator[Fact]:
        """Facts of the sentence `text[start:end]`."""
        self._referents.next_sentence()
        if not is_prose(text, start, end):
            return
        sentence = read_sentence(text, start, end, self._referents.topic)
        if not is_english(sentence):
            return
        drafts = list(definitions(sentence))
        if self._verbatim:
            drafts.extend(attributions(sentence))
        for clause in ClauseReader(sentence).clauses():
            drafts.extend(clause_drafts(sentence, clause, self._verbatim))
        if not self._verbatim:
            drafts += [also for draft in drafts if (also := occupation(sentence, draft))]
            drafts += other_names(sentence)
        drafts.sort(key=lambda draft: draft.subject.start)
        for draft in drafts:
            fact = self._fact(sentence, draft)
            if fact is not None:
                yield fact

    def _fact(self, sentence: Sentence, draft: Draft) -> Fact | None:
        subject = self._naming.subject(sentence, draft.subject, draft.relation)
        if subject is None or subject.value is not None:
            return None
        if isinstance(draft.object, str):
            found: Named | None = Named(draft.object, read_value(draft.object))
        else:
            found = self._naming.object(sentence, draft.object, draft.relation)
        if found is None or found.label == subject.label:
            return None
        if not self._verbatim and not _is_tellable(sentence, draft, subject, found):
            return None
        self._learn(sentence, draft, subject, found)
        confidence = round(round(min(max(draft.confidence, 0.05), 0.95) * 20) / 20, 2)
        if confidence < _LEAST:
            return None
        target = found.value or Entity(found.label)
        relation = " ".join(draft.relation.split())
        return Fact(Entity(subject.label), relation, target, confidence, sentence.start, sentence.end)

    def _learn(self, sentence: Sentence, draft: Draft, subject: Named, found: Named) -> None:
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


def _is_tellable(sentence: Sentence, draft: Draft, subject: Named, found: Named) -> bool:
    """Whether the fact can stand without its sentence: what happened once needs a name or a value in it."""
    if len(draft.relation.split()) > MAX_RELATION_WORDS:
        return False
    if isinstance(draft.object, str):
        return True
    if draft.relation in ("are", "were") and sentence.tags[draft.object.start] == "C":
        return False
    if subject.proper or subject.resolved or found.proper or found.value:
        return True
    ends = (draft.subject, draft.object)
    telling = is_past(draft.relation) and not draft.relation.endswith(" a")
    return not telling or any("P" in sentence.tags[end.start : end.end] for end in ends)
