"""The writer by model: it reads the selected chunks as numbered passages; what it cites is verified, sentence by
sentence, and where it fails the chunks are quoted instead."""

from __future__ import annotations

from collections.abc import AsyncGenerator, Sequence
from contextlib import aclosing
from dataclasses import dataclass, replace

from provgraph.answering.accounts import Account
from provgraph.answering.call import Call
from provgraph.answering.marks import MarkedText
from provgraph.answering.overlap import overlap
from provgraph.catalogue.sources import Words
from provgraph.document_rag.answers import REFUSAL, Statement, Told
from provgraph.document_rag.quoting import QuotingWriter
from provgraph.document_rag.selection import Selection, Weighed
from provgraph.errors import ModelUnavailable
from provgraph.language.sentences import sentence_spans
from provgraph.language.terms import content_terms, terms
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.prompts import Prompt

NOTHING_SAID = "The model's answer said nothing. The chunks are quoted instead."
CUT_SHORT = "The model's answer was cut at its limit of length. Raise PROVGRAPH_LLM_MAX_OUTPUT_TOKENS."
WITHHELD = "The model's provider withheld a part of its answer."
PLACES = frozenset({"question", "passages"})
MOST_CITED = 3
"""Sentences of one passage that are cited for one sentence of the answer."""


@dataclass(frozen=True)
class ModelWriter:
    """`exchanges` gets the words of the call when it begins."""

    model: LanguageModel
    prompt: Prompt
    max_output_tokens: int
    exchanges: list[Exchange]

    async def answer(self, question: str, selection: Selection) -> AsyncGenerator[str | Told]:
        otherwise = QuotingWriter()
        if not selection.chosen:
            async for part in otherwise.answer(question, selection):
                yield part
            return
        values = {"question": question, "passages": _described(selection.chosen)}
        call = Call(self.model, self.prompt, values, self.max_output_tokens)
        self.exchanges.append(call.exchange)
        answer, failure = MarkedText(), None
        try:
            async with aclosing(call.pieces()) as pieces:
                async for piece in pieces:
                    if text := answer.feed(piece):
                        yield text
            if text := answer.finish():
                yield text
        except ModelUnavailable as unavailable:
            failure = unavailable
        if answer.text:
            said = () if failure else statements(answer, selection.chosen)
            yield Told(answer.text, said, Account(call.made(), _endings(call)), failure)
        elif answer.refuses and not failure:
            yield REFUSAL
            yield Told(REFUSAL, (), Account(call.made()))
        else:
            warning = f"{failure} The chunks are quoted instead." if failure else NOTHING_SAID
            async for part in otherwise.answer(question, selection):
                account = Account(call.made(), (warning,))
                yield replace(part, account=account) if isinstance(part, Told) else part


def statements(answer: MarkedText, chosen: Sequence[Weighed]) -> tuple[Statement, ...]:
    """The sentences of an answer, each with the passages that its marks name, where these say it."""
    spans = sentence_spans(answer.text)
    cited: list[set[int]] = [set() for _ in spans]
    for mark in answer.marks:
        before = [index for index, (start, _) in enumerate(spans) if start < mark.at]
        if spans:
            cited[before[-1] if before else 0].update(mark.numbers)
    return tuple(
        _statement(
            answer.text, span, [number - 1 for number in sorted(own) if 0 < number <= len(chosen)], chosen
        )
        for span, own in zip(spans, cited, strict=True)
    )


def _statement(
    text: str, span: tuple[int, int], cited: Sequence[int], chosen: Sequence[Weighed]
) -> Statement:
    start, end = span
    said = set(content_terms(text[start:end]))
    behind = {index: words for index in cited if (words := _said_by(said, chosen[index]))}
    titles = (chosen[index].passage.hit.title for index in behind)
    quoted = (words.text for each in behind.values() for words in each)
    share, enough = overlap(text[start:end], {term for known in (*titles, *quoted) for term in terms(known)})
    if not enough:
        return Statement(start, end, (), (), share)
    return Statement(
        start, end, tuple(behind), tuple(words for each in behind.values() for words in each), share
    )


def _said_by(said: set[str], weighed: Weighed) -> list[Words]:
    """The sentences of a passage that share most words with what is said, in their order."""
    shared = [(len(said & set(content_terms(words.text))), words) for words in weighed.passage.sentences]
    best = sorted((each for each in shared if each[0]), key=lambda each: -each[0])[:MOST_CITED]
    return sorted((words for _, words in best), key=lambda words: words.start)


def _described(chosen: Sequence[Weighed]) -> str:
    """A numbered passage for each chunk, under the title of its document."""
    return "\n\n".join(
        f"[{number}] {each.passage.hit.title}, page {each.passage.at.place.page_number}\n{each.passage.hit.text}"
        for number, each in enumerate(chosen, 1)
    )


def _endings(call: Call) -> tuple[str, ...]:
    return {"length": (CUT_SHORT,), "refused": (WITHHELD,)}.get(call.finish, ())
