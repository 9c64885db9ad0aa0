"""Answers from chunks: which of the retrieved chunks answer, and what is said of them, by quoting or by a model.

Selection is by measured evidence: how much of the question the best sentence of a chunk meets, and, where sentences
have vectors, how likely the best of all sentences answers.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final, Protocol

from anyio import to_thread

from provgraph.catalogue.sources import Words
from provgraph.errors import ModelUnavailable
from provgraph.flows.runner.answering_sentences import AnsweringSentence
from provgraph.flows.runner.answers import REFUSAL, AnswerSentence, DraftAnswer, joined, refusal
from provgraph.flows.runner.citation_markers import MarkedText, cited_spans
from provgraph.flows.runner.contradictions import contradicted
from provgraph.flows.runner.coverage import Coverage, greedily, needed_coverage
from provgraph.flows.runner.model_answers import stream_model_answer
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.flows.runner.run import Run
from provgraph.language.overlap import overlap
from provgraph.language.terms import content_terms, terms
from provgraph.ports.language_model import LanguageModel
from provgraph.ports.retriever import ChunkHit
from provgraph.prompts import Prompt
from provgraph.provenance.document_trace import RejectedChunk, SelectedChunk
from provgraph.provenance.trace import Origin, SessionOutcome

SELECTOR: Final = "passage-selector"

NEAR: Final = 0.6
"""A further chunk is chosen whose best sentence meets at least this share of what the best of all meets."""

MOST_SENTENCES: Final = 4
MOST_CITED: Final = 3
"""Sentences of an answer without a model, and sentences of one passage that are cited for one sentence of a model's."""

MOST_TRIED: Final = 5
"""Of so many likeliest sentences, the first is taken that can be told in answer."""

CLOSEST: Final = f"{REFUSAL} Closest passages: "

EMPTY_ANSWER: Final = "The model's answer said nothing. The chunks are quoted instead."


@dataclass(frozen=True)
class WeighedPassage:
    """A passage, the sentence of it that meets most, and what that is (0…1)."""

    passage: RetrievedPassage
    sentence: Words
    coverage: float


class ToldSentence(Protocol):
    """A sentence that is told, of which passage, and why."""

    @property
    def passage(self) -> RetrievedPassage: ...

    @property
    def words(self) -> Words: ...

    @property
    def explanation(self) -> str: ...


@dataclass(frozen=True)
class ChunkSelection:
    """`suffices` tells whether the evidence is an answer without a model to read it.

    `best` is the sentence that most likely answers, where sentences have vectors. Where it may answer and does not
    suffice, it is `shown` as what is closest to the question. `told` are the sentences to quote, where that is known.
    """

    chosen: tuple[WeighedPassage, ...]
    rejected: tuple[RejectedChunk, ...]
    weights: QuestionWeights
    suffices: bool
    best: AnsweringSentence | None = None
    shown: bool = False
    told: tuple[ToldSentence, ...] = ()

    def selected_chunks(self) -> list[SelectedChunk]:
        """What the trace says of those chosen."""
        reasons = [*([self.best] if self.best else []), *self.told]
        return [_selected_chunk(self.weights, passage, reasons) for passage in self.chosen]


def select_chunks(
    weights: QuestionWeights,
    candidates: Sequence[RetrievedPassage],
    limit: int,
    sentences: Sequence[AnsweringSentence] = (),
    may_tell: Callable[[AnsweringSentence], bool] = lambda _: True,
) -> ChunkSelection:
    """At most `limit` chunks, best first; none where no sentence meets any word of the question, or may answer it.

    `sentences` are those of the best candidates by how likely each answers; without them chunks are told by the
    question's words alone. `best` is the first of the likeliest few that `may_tell` lets be told, else the likeliest.
    """
    first = next(filter(may_tell, sentences[:MOST_TRIED]), next(iter(sentences), None))
    weighed = [_weighed(weights, passage) for passage in candidates if passage.sentences]
    ranked = sorted(weighed, key=lambda weighed_passage: -weighed_passage.coverage)
    best = ranked[0].coverage if ranked else 0.0
    needed = needed_coverage(len(weights.terms), weights.known(candidates))
    covers = best >= needed
    near = [weighed_passage for weighed_passage in ranked if best and weighed_passage.coverage >= NEAR * best]
    if first and first.may_answer:
        near = sorted(
            ranked,
            key=lambda weighed_passage: (
                weighed_passage.passage is not first.passage,
                weighed_passage not in near,
            ),
        )
        near = near[
            : max(1, sum(weighed_passage.coverage >= NEAR * best for weighed_passage in ranked if best))
        ]
    passages = near[:limit]
    others = [weighed_passage for weighed_passage in ranked if weighed_passage not in passages]
    return ChunkSelection(
        tuple(passages),
        tuple(
            _rejected(weighed_passage, best, len(near) > limit and weighed_passage in near)
            for weighed_passage in others
        ),
        weights,
        covers if first is None else first.answers or (covers and first.may_answer),
        first,
        first is not None and (covers or first.may_answer),
    )


def _weighed(weights: QuestionWeights, passage: RetrievedPassage) -> WeighedPassage:
    covered = [
        weights.coverage(weights.shares(passage.meaning(words), passage)) for words in passage.sentences
    ]
    best = max(range(len(covered)), key=covered.__getitem__)
    return WeighedPassage(passage, passage.sentences[best], covered[best])


def _selected_chunk(
    weights: QuestionWeights, passage: WeighedPassage, sentences: Sequence[ToldSentence]
) -> SelectedChunk:
    hit = passage.passage.hit
    met_words = weights.met(hit.text)
    met = [term.text for term in weights.terms if term.text in met_words]
    named = f" ({', '.join(met)})" if met else ""
    reasoning = (
        f"Meets {len(met)} of {len(weights.terms)} terms{named}; its best sentence covers {passage.coverage:.0%} of "
        f"the question's weight; retrieved as number {passage.passage.rank}."
    )
    own = [
        sentence.explanation
        for sentence in sentences
        if sentence.passage.hit.chunk == passage.passage.hit.chunk
    ]
    reasoning = " ".join((reasoning, *own[:1]))
    return SelectedChunk(hit.chunk, hit.score, tuple(met), reasoning, SELECTOR)


def _rejected(weighed: WeighedPassage, best: float, beyond_limit: bool) -> RejectedChunk:
    hit = weighed.passage.hit
    why = "ranked after the chunks selected" if beyond_limit else f"the best chunk's covers {best:.0%}"
    reasoning = f"Its best sentence covers {weighed.coverage:.0%} of the question's weight; {why}."
    return RejectedChunk(hit.chunk, hit.score, reasoning)


class ChunkWriter(Protocol):
    """Answers from the selected chunks, and says the answer. Does not fail because a model does."""

    async def answer(self, run: Run, question: str, selection: ChunkSelection) -> DraftAnswer: ...


# without a model


@dataclass(frozen=True)
class _Quotable:
    chunk: int
    words: Words
    shares: dict[str, float]

    @property
    def text(self) -> str:
        return " ".join(self.words.text.split())


def quoted_answer(selection: ChunkSelection) -> DraftAnswer:
    """The sentence that most likely answers, and those that together meet most of the question, word for word.

    A refusal where that is too little, with the sentences that are closest, if any is.
    """
    if selection.told:
        return _told_answer(selection)
    sentences, quotables = _quotable(selection)

    def sentence(index: int, start: int, end: int) -> AnswerSentence:
        return _quotation(quotables[index].text, sentences, start, end)

    draft = joined([quotable.text for quotable in quotables], sentence)
    return draft if selection.suffices or not quotables else _closest(draft)


def _quotable(selection: ChunkSelection) -> tuple[list[_Quotable], list[_Quotable]]:
    """The sentences of the selected chunks, and those of them to quote."""
    sentences = [
        _Quotable(index, words, selection.weights.shares(weighed.passage.meaning(words), weighed.passage))
        for index, weighed in enumerate(selection.chosen)
        for words in _told(weighed.passage)
    ]
    if not (selection.suffices or selection.shown):
        return sentences, []
    coverage = Coverage(selection.weights.shares_of_terms)
    first = [quotable for quotable in sentences if selection.best and quotable.words == selection.best.words][
        :1
    ]
    covering = greedily(sentences, coverage, lambda sentence: sentence.shares)
    quotables = [*first, *(quotable for quotable in covering if not first or quotable.text != first[0].text)]
    return sentences, quotables[
        : 1 if first and selection.best and selection.best.answers else MOST_SENTENCES
    ]


def closest_sentences(selection: ChunkSelection) -> list[tuple[RetrievedPassage, Words]]:
    """The sentences that are quoted of a selection, each with its passage; none where nothing is shown."""
    return [
        (selection.chosen[quotable.chunk].passage, quotable.words) for quotable in _quotable(selection)[1]
    ]


def _told_answer(selection: ChunkSelection) -> DraftAnswer:
    """The sentences that are told, word for word; a refusal where they do not suffice, with them where they are to be
    shown as the closest."""
    if not (selection.suffices or selection.shown):
        return refusal()
    sentences = [
        _Quotable(index, words, {})
        for index, weighed in enumerate(selection.chosen)
        for words in dict.fromkeys((*weighed.passage.sentences, *_told_of(weighed, selection.told)))
    ]
    texts = list(
        dict.fromkeys(" ".join(told_sentence.words.text.split()) for told_sentence in selection.told)
    )

    def sentence(index: int, start: int, end: int) -> AnswerSentence:
        return _quotation(texts[index], sentences, start, end)

    draft = joined(texts, sentence)
    return draft if selection.suffices else _closest(draft)


def _told_of(weighed: WeighedPassage, sentences: Sequence[ToldSentence]) -> list[Words]:
    return [
        sentence.words for sentence in sentences if sentence.passage.hit.chunk == weighed.passage.hit.chunk
    ]


def _told(passage: RetrievedPassage) -> Sequence[Words]:
    """The sentences of a passage without its headings, where it has others."""
    return [
        sentence for sentence in passage.sentences if not sentence.text.lstrip().startswith("#")
    ] or passage.sentences


def _closest(draft: DraftAnswer) -> DraftAnswer:
    """The sentences of an answer as what is closest to a question that has none."""
    shift = len(CLOSEST)
    sentences = tuple(
        replace(sentence, start=sentence.start + shift, end=sentence.end + shift)
        for sentence in draft.sentences
    )
    return replace(draft, text=CLOSEST + draft.text, sentences=sentences, outcome=SessionOutcome.REFUSED)


def _quotation(text: str, sentences: Sequence[_Quotable], start: int, end: int) -> AnswerSentence:
    """With every selected chunk that says the same words; overlapping chunks have them at one place."""
    same = [sentence for sentence in sentences if sentence.text == text]
    places = {(quotable.words.page, quotable.words.start): quotable.words for quotable in same}
    chunks = tuple(dict.fromkeys(quotable.chunk for quotable in same))
    return AnswerSentence(start, end, tuple(places.values()), chunks=chunks)


class QuotingWriter:
    async def answer(
        self,
        run: Run,
        question: str,  # noqa: ARG002 (the question is the protocol's: what was selected answers it)
        selection: ChunkSelection,
    ) -> DraftAnswer:
        return await run.say_all(await to_thread.run_sync(quoted_answer, selection))


# by a model


@dataclass(frozen=True)
class ModelChunkWriter:
    """A model reads the selected chunks as numbered passages; what it cites is verified, sentence by sentence.

    `otherwise` answers where the model does not.
    """

    model: LanguageModel
    prompt: Prompt
    otherwise: ChunkWriter = QuotingWriter()

    async def answer(self, run: Run, question: str, selection: ChunkSelection) -> DraftAnswer:
        if not selection.chosen:
            return await self.otherwise.answer(run, question, selection)
        values = {"question": question, "passages": _described(selection.chosen)}
        return await stream_model_answer(
            run,
            run.call(self.model, self.prompt, values),
            lambda text: cited_sentences(text, selection.chosen),
            lambda: self.otherwise.answer(run, question, selection),
            _warning,
        )


def cited_sentences(answer: MarkedText, passages: Sequence[WeighedPassage]) -> tuple[AnswerSentence, ...]:
    """The sentences of a model's answer, each with the passages that its markers name, where these say it."""
    return tuple(
        _cited_sentence(answer.text, span, cited, passages)
        for span, cited in cited_spans(answer, len(passages))
    )


def _cited_sentence(
    text: str, span: tuple[int, int], cited: Sequence[int], passages: Sequence[WeighedPassage]
) -> AnswerSentence:
    start, end = span
    content = set(content_terms(text[start:end]))
    support = {index: words for index in cited if (words := _supporting_words(content, passages[index]))}
    titles = (passages[index].passage.hit.title for index in support)
    quoted = (words.text for own in support.values() for words in own)
    share, enough = overlap(text[start:end], {term for known in (*titles, *quoted) for term in terms(known)})
    cited_words = tuple(words for own in support.values() for words in own)
    named = ((words.place.title, words.text) for words in cited_words)
    if not enough or contradicted(text[start:end], named):
        return AnswerSentence(start, end, overlap=share, origin=Origin.GENERATED)
    return AnswerSentence(start, end, cited_words, (), tuple(support), share, Origin.GENERATED)


def _supporting_words(content: set[str], weighed: WeighedPassage) -> list[Words]:
    """The sentences of a passage that hold most of what is said, in their order: each adds words to those before it.

    What only says the same words again, as much of a paper does with its title, takes no other sentence's place.
    """
    known = [(set(content_terms(words.text)), words) for words in weighed.passage.sentences]
    left, chosen = set(content), list[Words]()
    while len(chosen) < MOST_CITED:
        held, words = max(known, key=lambda pair: len(left & pair[0]), default=(set[str](), None))
        if words is None or not left & held:
            break
        chosen.append(words)
        left -= held
    return sorted(chosen, key=lambda words: words.start)


def _described(passages: Sequence[WeighedPassage]) -> str:
    """A numbered passage for each chunk, under the title of its document."""
    return "\n\n".join(
        f"[{number}] {each.passage.hit.title}, page {each.passage.at.place.page_number}\n"
        f"{_with_context(each.passage.hit)}"
        for number, each in enumerate(passages, 1)
    )


def _with_context(hit: ChunkHit) -> str:
    """The text, below the words of its section and of what heads its table, which are printed elsewhere."""
    return f"({hit.context})\n{hit.text}" if hit.context else hit.text


def _warning(failure: ModelUnavailable | None) -> str:
    return f"{failure} The chunks are quoted instead." if failure else EMPTY_ANSWER
