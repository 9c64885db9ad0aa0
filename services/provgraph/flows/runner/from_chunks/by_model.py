"""The writer by model: it reads the selected chunks as numbered passages; what it cites is verified, sentence by
sentence, and where it fails the chunks are quoted instead."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from provgraph.catalogue.sources import Words
from provgraph.errors import ModelUnavailable
from provgraph.flows.runner.answer_stream import Parts, told_by_model
from provgraph.flows.runner.call import Call
from provgraph.flows.runner.citation_markers import MarkedText, cited_spans
from provgraph.flows.runner.from_chunks.answers import Statement, Writer
from provgraph.flows.runner.from_chunks.quoting import QuotingWriter
from provgraph.flows.runner.from_chunks.selection import Selection, Weighed
from provgraph.language.overlap import overlap
from provgraph.language.terms import content_terms, terms
from provgraph.ports.language_model import Exchange, LanguageModel
from provgraph.ports.retriever import ChunkHit
from provgraph.prompts import Prompt

NOTHING_SAID = "The model's answer said nothing. The chunks are quoted instead."
PLACES = frozenset({"question", "passages"})
MOST_CITED = 3
"""Sentences of one passage that are cited for one sentence of the answer."""


@dataclass(frozen=True)
class ModelWriter:
    """`exchanges` gets the words of the call when it begins; `otherwise` answers where the model does not."""

    model: LanguageModel
    prompt: Prompt
    max_output_tokens: int
    exchanges: list[Exchange]
    otherwise: Writer = QuotingWriter()

    def answer(self, question: str, selection: Selection) -> Parts[Statement]:
        otherwise = self.otherwise.answer(question, selection)
        if not selection.chosen:
            return otherwise
        values = {"question": question, "passages": _described(selection.chosen)}
        call = Call(self.model, self.prompt, values, self.max_output_tokens)
        self.exchanges.append(call.exchange)
        return told_by_model(call, lambda answer: statements(answer, selection.chosen), otherwise, _instead)


def statements(answer: MarkedText, chosen: Sequence[Weighed]) -> tuple[Statement, ...]:
    """The sentences of an answer, each with the passages that its marks name, where these say it."""
    return tuple(
        _statement(answer.text, span, cited, chosen) for span, cited in cited_spans(answer, len(chosen))
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
    """The sentences of a passage that hold most of what is said, in their order: each adds words to those before it.

    What only says the same words again, as much of a paper does with its title, takes no other sentence's place.
    """
    held = [(set(content_terms(words.text)), words) for words in weighed.passage.sentences]
    left, chosen = set(said), list[Words]()
    while len(chosen) < MOST_CITED:
        terms, words = max(held, key=lambda each: len(left & each[0]), default=(set[str](), None))
        if words is None or not left & terms:
            break
        chosen.append(words)
        left -= terms
    return sorted(chosen, key=lambda words: words.start)


def _described(chosen: Sequence[Weighed]) -> str:
    """A numbered passage for each chunk, under the title of its document."""
    return "\n\n".join(
        f"[{number}] {each.passage.hit.title}, page {each.passage.at.place.page_number}\n"
        f"{_with_context(each.passage.hit)}"
        for number, each in enumerate(chosen, 1)
    )


def _with_context(hit: ChunkHit) -> str:
    """The text, below the words of its section and of what heads its table, which are printed elsewhere."""
    return f"({hit.context})\n{hit.text}" if hit.context else hit.text


def _instead(failure: ModelUnavailable | None) -> str:
    return f"{failure} The chunks are quoted instead." if failure else NOTHING_SAID
