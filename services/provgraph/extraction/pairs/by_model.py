"""The extractor of pairs by model: it asks for the pairs of a passage's pieces, then for facts, twenty pairs at a time.

The model proposes, the program verifies: a pair counts only where its quote stands in the text and its answer is made
of the text's words; a fact only where its names are words of its pair. The clause, and what is part of what, are not
asked of a model.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.documents.pieces import Piece, cut
from provgraph.errors import ModelUnavailable
from provgraph.extraction.by_model.extractor import FEWEST_LETTERS, ModelExtraction
from provgraph.extraction.by_model.proposals import class_of, item_text, share
from provgraph.extraction.by_model.quote_check import Claimed, QuotedText
from provgraph.extraction.facts import Entity, ExtractorProfile, Fact, Passage, Value
from provgraph.extraction.labels import clean_label
from provgraph.extraction.names import PAIRS_BY_MODEL
from provgraph.extraction.pairs.by_rules import IS_ABOUT, IS_PART_OF, PairDraft, above_of, clause_named, thing
from provgraph.extraction.pairs.statements import numbers_in
from provgraph.language.json_items import Item, items_of
from provgraph.language.quotes import QuotableText
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms, terms
from provgraph.ports.language_model import LanguageModel, Prompted, TokenUsage
from provgraph.prompts import Prompt
from provgraph.provenance.source import Pair
from provgraph.reading.parser import BuiltInParser

VERSION: Final = "2"
TOGETHER: Final = 20
"""Pairs from which facts are drawn in one call."""

PAIRS_PROMPT, FACTS_PROMPT = "pairs", "pair-facts"
PAIR_PLACES: Final = frozenset({"title", "pieces"})
FACT_PLACES: Final = frozenset({"title", "pairs"})
CONFIDENCE: Final = 0.85
_LEAST_SHARE: Final = 0.5
_LONGEST: Final = 1_000
_LONGEST_RELATION: Final = 80


@dataclass(frozen=True)
class _Numbered:
    """The pieces of a passage that are its own, in their order: piece 1 is the first."""

    passage: Passage
    pieces: tuple[Piece, ...]

    @classmethod
    def of(cls, passage: Passage) -> _Numbered:
        pieces = cut(passage.text[passage.own_start :], passage.outline).pieces
        return cls(
            passage, tuple(piece for piece in pieces if passage.own_start + piece.start < passage.own_end)
        )

    def told(self) -> str:
        own = self.passage.text[self.passage.own_start :]
        return "\n\n".join(
            f"[{number}]{f' clause {each.clause}' if each.clause else ''}"
            f"{f' ({each.lead})' if each.lead else ''}\n{own[each.start : each.end]}"
            for number, each in enumerate(self.pieces, 1)
        )

    def clause_at(self, place: int) -> str:
        inside = (piece for piece in self.pieces if piece.start <= place - self.passage.own_start < piece.end)
        return next((piece.clause for piece in inside), "")


class ModelPairExtractor:
    """Reads passages with `model`, in two calls and more. Keeps no state; may be called in parallel."""

    def __init__(self, model: LanguageModel, prompts: tuple[Prompt, Prompt], max_output_tokens: int) -> None:
        """`prompts` are the one for pairs and the one for facts."""
        self._model = model
        self._pairs, self._facts = prompts
        self._max_output_tokens = max_output_tokens
        both = f"{self._pairs.hash} {self._facts.hash}"
        self.profile = ExtractorProfile(
            PAIRS_BY_MODEL,
            VERSION,
            model.name,
            both,
            settings=f"prompts={both} temperature=0 output={max_output_tokens}",
            reads_outline=True,
        )

    @property
    def parallel(self) -> int:
        return self._model.parallel

    def request(self, passage: Passage) -> Prompted | None:
        """What is asked first about a passage; None where it has too few letters to say anything."""
        if passage.letters < FEWEST_LETTERS:
            return None
        return self._prompted(self._pairs, title=passage.title, pieces=_Numbered.of(passage).told())

    async def extract(self, passage: Passage) -> ModelExtraction:
        """Raises `ModelUnavailable` or `ModelRefused` where the model gave no answer that can be read."""
        request = self.request(passage)
        if request is None:
            return ModelExtraction((), {}, None)
        dropped: Counter[str] = Counter()
        items, usage = await self._asked(request)
        drafts = list(_drafts(_Numbered.of(passage), items, dropped))
        quoted = QuotedText(passage.text, passage.title, BuiltInParser())
        facts: dict[Fact, None] = {}
        for start in range(0, len(drafts), TOGETHER):
            together = drafts[start : start + TOGETHER]
            prompted = self._prompted(self._facts, title=passage.title, pairs=_told(together))
            proposed, cost = await self._asked(prompted)
            usage = _sum(usage, cost)
            facts |= dict.fromkeys(_facts_of(together, proposed, quoted, dropped))
        return ModelExtraction(tuple(facts), dropped, usage)

    def _prompted(self, prompt: Prompt, **values: str) -> Prompted:
        system, user = prompt.filled(values)
        return Prompted(system, user, self._max_output_tokens, json=True)

    async def _asked(self, prompted: Prompted) -> tuple[Sequence[Item], TokenUsage | None]:
        reply = await self._model.complete(prompted)
        items = items_of(reply.text)
        if items is None:
            raise ModelUnavailable(
                f"The language model {self._model.name!r} answered without JSON. Try again, or use another model."
            )
        return items, reply.usage


def _drafts(numbered: _Numbered, items: Iterable[Item], dropped: Counter[str]) -> Iterator[PairDraft]:
    """The pairs that the text proves, each with the sentences of its quote."""
    passage = numbered.passage
    quotable, sentences = QuotableText.of(passage.text), sentence_spans(passage.text)
    said = frozenset(terms(f"{passage.title}\n{passage.text}"))
    seen: set[Pair] = set()
    for item in items:
        question, answer = item_text(item, "question")[:_LONGEST], item_text(item, "answer")[:_LONGEST]
        found = quotable.find(item_text(item, "quote")) if question and answer else None
        if found is None:
            dropped["quote not found" if question and answer else "incomplete"] += 1
            continue
        start = max((first for first, last in sentences if first <= found[0] < last), default=found[0])
        end = max((last for first, last in sentences if first < found[1] <= last), default=found[1])
        pair = Pair(question, answer, numbered.clause_at(found[0]))
        if not passage.owns(start):
            dropped["of another chunk"] += 1
        elif _share(answer, said) < _LEAST_SHARE:
            dropped["names not in the text"] += 1
        elif pair not in seen:
            seen.add(pair)
            yield PairDraft(pair, start, end)


def _told(drafts: Sequence[PairDraft]) -> str:
    """A numbered pair in JSON: no words of it can begin a line, or end their own."""
    return "\n".join(
        json.dumps(
            {"pair": number, "question": each.pair.question, "answer": each.pair.answer}, ensure_ascii=False
        )
        for number, each in enumerate(drafts, 1)
    )


def _facts_of(
    drafts: Sequence[PairDraft], items: Iterable[Item], quoted: QuotedText, dropped: Counter[str]
) -> Iterator[Fact]:
    """What the model draws from each pair, as far as the pair bears it; a pair from which it draws nothing is kept by
    the fact that its clause, or its document, has this answer."""
    proposed: dict[int, list[tuple[Entity, str, Entity | Value]]] = {}
    for item in items:
        number = item.get("pair")
        draft = drafts[number - 1] if isinstance(number, int) and 0 < number <= len(drafts) else None
        stated = _stated(item, draft.pair) if draft else None
        fault = _fault(stated, draft, quoted) if stated and draft else "names not in the text"
        if stated and not fault and isinstance(number, int):
            proposed.setdefault(number, []).append(stated)
        else:
            dropped[fault if draft else "incomplete"] += 1
    for number, draft in enumerate(drafts, 1):
        for subject, relation, object_ in (
            *proposed.get(number, ()),
            *_where(draft.pair, quoted.title, number in proposed),
        ):
            yield Fact(subject, relation, object_, CONFIDENCE, draft.start, draft.end, pair=draft.pair)


def _stated(item: Item, pair: Pair) -> tuple[Entity, str, Entity | Value] | None:
    """An edge whose names are words of its pair."""
    subject, relation = clean_label(item_text(item, "subject")), item_text(item, "relation")
    words = item_text(item, "object")
    if (
        not (subject and relation and words)
        or len(relation) > _LONGEST_RELATION
        or subject == clean_label(words)
    ):
        return None
    known = frozenset(terms(f"{pair.question} {pair.answer} clause {pair.clause}"))
    if _share(subject, known) < _LEAST_SHARE or _share(words, known) < _LEAST_SHARE:
        return None
    named = thing(words)
    if isinstance(named, Entity):
        is_number = next(numbers_in(words), "") == " ".join(words.split())
        named = Entity(named.label, "Number" if is_number else class_of(item, "object_type"))
    return Entity(subject, class_of(item, "subject_type")), relation, named


def _fault(stated: tuple[Entity, str, Entity | Value], draft: PairDraft, quoted: QuotedText) -> str:
    """What of an edge the quote of its pair does not bear; empty where it bears all."""
    subject, relation, object_ = stated
    claimed = Claimed(subject.label, relation, object_.label)
    return quoted.check(claimed, draft.start, draft.end, worded=False).fault or ""


def _share(words: str, known: frozenset[str]) -> float:
    """Of the words that carry content, or of all where none does, those that are known."""
    return share(list(content_terms(words)) or terms(words), known)


def _where(pair: Pair, title: str, is_drawn: bool) -> Iterator[tuple[Entity, str, Entity | Value]]:
    """Where the pair stands; and its answer, where nothing else was drawn from it."""
    clause = clause_named(pair.clause) if pair.clause else None
    document = Entity(title or "document", "Work", local=True)
    if not is_drawn:
        yield clause or document, "answers", thing(pair.answer)
    if clause:
        above = above_of(pair.clause)
        yield clause, IS_PART_OF, clause_named(above) if above else document
        if is_drawn:
            yield clause, IS_ABOUT, thing(pair.answer)


def _sum(one: TokenUsage | None, other: TokenUsage | None) -> TokenUsage | None:
    if one is None or other is None:
        return one or other

    def both(count: int | None, more: int | None) -> int | None:
        return more if count is None else count + (more or 0)

    return TokenUsage(
        both(one.in_tokens, other.in_tokens),
        both(one.out_tokens, other.out_tokens),
        one.duration_ms + other.duration_ms,
    )
