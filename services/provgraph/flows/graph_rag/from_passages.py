"""The way left where neither facts nor a derivation answer: the sentence of a passage that says it in other words, or
the closest passages, marked as no direct answer. In a language that no parser reads, a quoted answer begins with what
its first sentence has of what is asked for.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import islice
from typing import Final

import anyio.to_thread

from provgraph.comprehension.answer_spans import answer_chance
from provgraph.derivation.by_form import answer_by_form
from provgraph.derivation.relevance import may_tell, says_all
from provgraph.documents.tables import is_row
from provgraph.flows.graph_rag.asked_text import without_year
from provgraph.flows.graph_rag.candidates import FactSearch
from provgraph.flows.graph_rag.selection import EdgeSelection
from provgraph.flows.runner.answering_sentences import AnsweringSentence, closest_by_reading
from provgraph.flows.runner.answers import AnswerSentence, DraftAnswer
from provgraph.flows.runner.chunk_answers import (
    ChunkSelection,
    ToldSentence,
    WeighedPassage,
    closest_sentences,
    quoted_answer,
    select_chunks,
)
from provgraph.flows.runner.closest_places import ClosestPlace, ClosestPlaces
from provgraph.flows.runner.derivation import AnswerKind, Derivation, SentenceInput
from provgraph.flows.runner.passages import QuestionWeights
from provgraph.flows.runner.question import Question
from provgraph.flows.runner.reading_passages import PassageFinder, QueryPassages, is_english, is_latin
from provgraph.flows.runner.run import Run
from provgraph.language.languages import language_of
from provgraph.provenance import document_trace, trace
from provgraph.provenance.candidates import rejected_edge_quads
from provgraph.provenance.trace import Origin, SessionOutcome
from provgraph.rdf.terms import NamedNode
from provgraph.rdf.vocabulary import RDFS


def with_short_answer(draft: DraftAnswer, question: str) -> DraftAnswer:
    """The same where it is a refusal, in English, or its first sentence has nothing of the kind that is asked for."""
    if not draft.sentences or draft.ending() is not SessionOutcome.ANSWERED or is_english(question):
        return draft
    first = draft.sentences[0]
    sentence = draft.text[first.start : first.end]
    short = answer_by_form(question, sentence, is_sure=language_of(sentence) == language_of(question))
    if short is None:
        return draft
    derivation = Derivation()
    why = f"What the sentence has of what is asked for, by its form: “{short.text}”."
    derivation.step("choose", [SentenceInput(1)], short.text, why)
    lead = f"{short.text}. "
    moved = tuple(
        replace(answer_sentence, start=answer_sentence.start + len(lead), end=answer_sentence.end + len(lead))
        for answer_sentence in draft.sentences
    )
    own = AnswerSentence(0, len(lead) - 1, first.words, first.edges, first.chunks, origin=Origin.DERIVED)
    return replace(
        draft,
        text=lead + draft.text,
        sentences=(own, *moved),
        short_answer=derivation.short_answer(AnswerKind(short.kind), short.text),
    )


MOST_NAMED: Final = 2
"""How many of the named documents are looked through."""
CLOSEST_WORDS: Final = "It has words of the question."
QUOTED = 4
"""How many are selected at most."""
ANSWERS = 0.4
NEAR = 0.3
"""How likely its best sentence answers where it is an answer, and where it is shown as near. Of questions to another
collection, none of 50 reached as much."""
BY_SENSE_ALONE = 0.5
"""The same where the collection has no word of the question, as where that is in another language."""
READ: Final = 0.2
"""How likely sentences have to be read as an answer to be quoted as one. Of twelve that were quoted and looked at,
those that answered had 0.8 and more, those that said something else mostly less than 0.2."""
VERY_LIKE: Final = 0.4
"""How like the question the sentence has to be that answers where it is only near, in another language than English and
in the document that is named."""
NEAR_IN_ONE: Final = 0.2
"""How likely the best sentence answers to be shown as near, where the question names the document that it is put to:
it cannot be a question to another collection."""


async def answer_from_passages(
    run: Run, question: Question, search: FactSearch, selection: EdgeSelection, finder: PassageFinder
) -> None:
    """Finish a run whose facts answer nothing; `selection` are the facts that were passed over."""
    text = without_year(question.text) if search.is_put_to_one else question.text

    def tells(sentence: AnsweringSentence) -> bool:
        if not is_english(text):
            return True
        if finder.rules_out(question.text, sentence.words.text):
            return False
        if is_row(sentence.words.text):  # a row by itself answers nothing that it does not say whole
            return says_all(text, sentence.words.text)
        return may_tell(question.text, sentence.words.text, sentence.passage.hit.title, finder.parser)

    result = await finder.retrieved(text)
    chunks = await anyio.to_thread.run_sync(
        select_chunks, QuestionWeights(result.terms), result.passages, QUOTED, result.sentences, tells
    )
    best = chunks.best
    probability = 0.0 if best is None or _knows_nothing(question, result, best) else best.probability
    if best is not None:
        probability *= await anyio.to_thread.run_sync(tells, best)
    has_words = any(term.known for term in result.terms)
    answers = probability >= (ANSWERS if has_words else BY_SENSE_ALONE)
    if not answers and best is not None and not is_english(text) and _is_narrowed_to_one(question, result):
        answers = probability >= NEAR_IN_ONE and (best.ranked.sentence.likeness or 0.0) >= VERY_LIKE
    near = probability >= (NEAR_IN_ONE if search.is_put_to_one else NEAR)
    if answers and best is not None and is_english(text):
        answers = not await reads_no_answer(text, [best.words.text])
    chunks = replace(chunks, suffices=answers, shown=near)  # words alone are no answer here
    if not answers and search.named and is_english(text):
        chunks = await _with_closest(run, search.named, text, chunks)
    elif not answers and _is_narrowed_to_one(question, result) and is_english(text):
        prose = [
            sentence for sentence in result.sentences if not sentence.words.text.lstrip().startswith("#")
        ]
        sentences = await anyio.to_thread.run_sync(closest_by_reading, text, prose)
        chunks = _with_told(chunks, sentences) if sentences else chunks
    node = run.names.step("selection")
    selected = await anyio.to_thread.run_sync(chunks.selected_chunks)
    of_chunks = document_trace.chunk_selection_quads(run.scope, selected, search.origins)
    labels = {quad for quad in of_chunks if quad.subject == node and quad.predicate == RDFS.label}
    quads = trace.selection_quads(run.scope, [], search.origins)
    await run.explain("selection", [*quads, *(quad for quad in of_chunks if quad not in labels)])

    await run.announce_answer()
    quoted = await anyio.to_thread.run_sync(quoted_answer, chunks)
    draft = await run.say_all(with_short_answer(quoted, question.text))
    edges = list(rejected_edge_quads(run.scope, selection.rejected))
    rejected = edges or document_trace.rejected_chunk_quads(run.scope, chunks.rejected)
    await run.finish(replace(draft, rejected=rejected))


async def _with_closest(
    run: Run, documents: Mapping[NamedNode, str], text: str, chunks: ChunkSelection
) -> ChunkSelection:
    """With the places of the named documents that are closest to the question, one of each page."""
    rows, sections = list[ToldSentence](), list[ToldSentence]()
    for document, title in islice(documents.items(), MOST_NAMED):
        places = ClosestPlaces(run, document, title)
        rows += await places.rows(text)
        sections += await places.of_sections(text)
    near = [ClosestPlace(*closest_sentence, CLOSEST_WORDS) for closest_sentence in closest_sentences(chunks)]
    sentences = [*rows, *near[:1], *sections[:1], *near[1:], *sections[1:]]
    of_page: dict[NamedNode, ToldSentence] = {}
    for sentence in sentences:
        of_page.setdefault(sentence.words.page, sentence)
    return _with_told(chunks, list(of_page.values())[:QUOTED])


def _with_told(chunks: ChunkSelection, sentences: Sequence[ToldSentence]) -> ChunkSelection:
    """With just these sentences as what is closest, and the chunks that they are of."""
    chosen = {
        sentence.passage.hit.chunk: WeighedPassage(sentence.passage, sentence.words, 0.0)
        for sentence in sentences
    }
    return replace(
        chunks, chosen=tuple(chosen.values()), told=tuple(sentences), shown=bool(sentences), best=None
    )


def _is_narrowed_to_one(question: Question, result: QueryPassages) -> bool:
    """Whether a question is narrowed to one document."""
    return (
        bool(question.without.documents) and len({passage.hit.document for passage in result.passages}) == 1
    )


async def reads_no_answer(question: str, sentences: Sequence[str]) -> bool:
    """Whether nothing in sentences, read as a whole, answers a question in English: they have its words, or its sense,
    and say something else."""
    text = " ".join(sentences)
    return await anyio.to_thread.run_sync(answer_chance, question, text) < READ


def _knows_nothing(question: Question, result: QueryPassages, best: AnsweringSentence) -> bool:
    """Whether the collection uses no word of the question, though its best sentence is in English as that is."""
    if any(term.known for term in result.terms):
        return False
    text = best.words.text
    return is_english(question.text) and language_of(text) == "en" and is_latin(text)
