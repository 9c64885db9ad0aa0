"""Work over texts that somebody sends grows hardly faster than they do: twice the text, about twice the steps.

Steps are counted, not seconds. What grows with the square doubles its ratio; what grows as n log n stays below.
"""

from __future__ import annotations

import asyncio
import re
import time
from collections.abc import Callable, Mapping
from typing import Final

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from attack.grown import FILES, WORDS
from plans import planned_documents
from provgraph.catalogue.decisions import Decisions
from provgraph.catalogue.papers import StoredPaper, each_once
from provgraph.catalogue.sources import ChunkLocation, ChunkOnPage
from provgraph.comprehension.windows import around
from provgraph.derivation import by_form, defined_parties
from provgraph.derivation.tables import asked_tables, item_names
from provgraph.derivation.tables.answering import answer_from_tables
from provgraph.derivation.tables.grid import grid_of
from provgraph.documents.chunking import ChunkingSettings
from provgraph.documents.page_context import contexts_of
from provgraph.documents.page_layout import PageLayout
from provgraph.errors import ProvGraphError
from provgraph.extraction.by_reading.extractor import PropositionExtractor
from provgraph.extraction.facts import Passage
from provgraph.flows.attribution.routes import given_check
from provgraph.flows.runner.chunk_answers import select_chunks
from provgraph.flows.runner.follow_ups import ConversationTurn, in_context
from provgraph.flows.runner.passages import QuestionWeights, RetrievedPassage
from provgraph.ingestion.planning import SourceFile
from provgraph.language.terms import terms
from provgraph.ports.retriever import ChunkHit, QuestionTerm
from provgraph.rdf.terms import NamedNode
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.value_reading import find_values
from provgraph.retrieval.identity.entity_resolution import Profile, settled, tie
from provgraph.verdicts.answers import split_answer
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.judging import judge
from steps import steps
from unit.derivation.shelf import passage, result

pytestmark = pytest.mark.slow

PARSER: Final = BuiltInParser()
MOST: Final = 2.6
"""Times the steps of half the text: n log n is 2.2 here, n² would be 4."""

SENTENCES: Final[Mapping[str, Callable[[int], str]]] = {
    "facts": lambda n: " ".join(f"Curie {i} found radium in {1800 + i}." for i in range(n)),
    "equal facts": lambda n: "Curie found radium in 1898. " * n,
    "initials": lambda n: "A. B. " * n,
    "lines": lambda n: "Curie\n" * n,
    "rows": lambda n: "| name | year |\n|---|---|\n" + "| Curie | 1898 |\n" * n,
    "quotes": lambda n: 'He said "Curie found it". ' * n,
    "descriptions": lambda n: " ".join(f"Film{i} is a film. The film won." for i in range(n)),
    "aliases": lambda n: " ".join(f"Anna{i} Berg, known as Otto{i}, is a doctor." for i in range(n)),
}


def grows_as_it_should(work: Callable[[int], object], size: int) -> None:
    work(2)  # what is made once is made, and nothing of these texts is known
    half, whole = (steps(lambda n=n: work(n)) for n in (size, 2 * size))  # type: ignore[misc]
    assert whole <= MOST * half + 2000, f"{half} steps for {size}, {whole} for {2 * size}"


shapes = pytest.mark.parametrize("shape", SENTENCES)
sizes = given(st.integers(20, 30))
few = settings(max_examples=2)


@shapes
@few
@sizes
def test_verify(shape: str, size: int) -> None:
    def work(n: int) -> object:
        return judge("Curie found radium in 1898.", [EvidenceText("d", SENTENCES[shape](n))], PARSER)

    grows_as_it_should(work, size)


@shapes
@few
@given(st.integers(8, 13))  # a claim has 1,000 characters at most
def test_a_claim(shape: str, size: int) -> None:
    def work(n: int) -> object:
        return judge(SENTENCES[shape](n), [EvidenceText("d", "Curie found radium in 1898.")], PARSER)

    grows_as_it_should(work, size)


@shapes
@few
@sizes
def test_extraction(shape: str, size: int) -> None:
    extractor = PropositionExtractor(PARSER)
    grows_as_it_should(lambda n: extractor.extract(Passage(SENTENCES[shape](n))), size)


@pytest.mark.parametrize("name", [name for name in FILES if name.endswith((".txt", ".md", ".csv", ".html"))])
@settings(max_examples=1)
@given(st.integers(2000, 2200))
def test_reading_a_file(name: str, size: int) -> None:
    def work(n: int) -> object:
        try:
            return list(planned_documents(SourceFile(name, FILES[name](n)), ChunkingSettings()))
        except ProvGraphError:
            return None

    grows_as_it_should(work, size)


@shapes
@few
@sizes
def test_ranking(shape: str, size: int) -> None:
    page, document = NamedNode("urn:page"), NamedNode("urn:document")
    place = ChunkLocation(NamedNode("urn:chunk"), 0, page, 1, document, "A title")
    question = [QuestionTerm("curie", 1.0, True), QuestionTerm("radium", 1.0, True)]

    def work(n: int) -> object:
        hit = ChunkHit(place.chunk, document, "A title", 0.5, (), SENTENCES[shape](n))
        return select_chunks(QuestionWeights(question), [RetrievedPassage(hit, ChunkOnPage(place, 0))], 5)

    grows_as_it_should(work, size)


@few
@given(st.integers(100, 120))
def test_ranking_for_a_question_of_many_words(size: int) -> None:
    """Twice the words are in twice the chunks, in sentences of one word each."""
    page, document = NamedNode("urn:page"), NamedNode("urn:document")

    def work(n: int) -> object:
        question = [QuestionTerm(str(1000 + i), 1.0, True) for i in range(n)]
        passages = []
        for at in range(0, n, 20):
            place = ChunkLocation(NamedNode(f"urn:chunk{at}"), at, page, 1, document, "A title")
            text = "\n".join(f"{1000 + i}." for i in range(at, at + 20))
            hit = ChunkHit(place.chunk, document, "A title", 0.5, (), text)
            passages.append(RetrievedPassage(hit, ChunkOnPage(place, 0)))
        return select_chunks(QuestionWeights(question), passages, 5)

    grows_as_it_should(work, size)


@shapes
@few
@sizes
def test_the_claims_of_a_text(shape: str, size: int) -> None:
    grows_as_it_should(lambda n: split_answer(SENTENCES[shape](n)), size)


@few
@given(st.integers(50, 60))
def test_line_items_of_a_table(size: int) -> None:
    def work(n: int) -> object:
        rows = [["Item", "2020", "2021"], *([f"Revenue {i}", str(i), str(2 * i)] for i in range(n))]
        return answer_from_tables("What was the revenue in 2020?", [grid_of(rows)])

    grows_as_it_should(work, size)


@few
@sizes
def test_values_of_a_text(size: int) -> None:
    grows_as_it_should(lambda n: find_values(WORDS["years"](100 * n)), size)


@few
@given(st.integers(400, 500))
def test_papers_of_a_collection(size: int) -> None:
    def work(n: int) -> object:
        return each_once([StoredPaper(NamedNode(f"urn:{i}"), f"The measuring of ice {i}") for i in range(n)])

    grows_as_it_should(work, size)


@few
@sizes
def test_identity(size: int) -> None:
    def work(n: int) -> object:
        profiles = {f"urn:{i}": Profile(f"urn:{i}") for i in range(2 * n)}
        ties = [tie(((f"urn:{2 * i}", "a"), (f"urn:{2 * i + 1}", "a")), "same name") for i in range(n)]
        return settled(profiles, ties, Decisions())

    grows_as_it_should(work, size)


@few
@sizes
def test_the_places_of_chunks_in_a_table(size: int) -> None:
    def work(n: int) -> object:
        (planned,) = planned_documents(SourceFile("t.csv", FILES["rows.csv"](40 * n)), ChunkingSettings())
        assert not isinstance(planned, ProvGraphError)
        (page,) = planned.pages
        spans = [(at, at + 500) for at in range(0, len(page.page.text), 500)]
        return contexts_of(page.page.text, page.page.layout or PageLayout(), spans)

    grows_as_it_should(work, size)


@pytest.mark.parametrize("name", ["headings.md", "sections.md", "closed-headings.html", "sections.html"])
@few
@given(st.integers(4000, 5000))
def test_the_places_of_chunks_below_headings(name: str, size: int) -> None:
    """Chunks are short, so that there are as many of them as of headings and tables."""

    def work(n: int) -> object:
        content = FILES[name](max(n, 200))
        (planned,) = planned_documents(SourceFile(name, content), ChunkingSettings(100, 0))
        assert not isinstance(planned, ProvGraphError)
        return [
            contexts_of(
                page.page.text,
                page.page.layout or PageLayout(),
                [(each.chunk.start, each.chunk.end) for each in planned.chunks],
            )
            for page in planned.pages
        ]

    grows_as_it_should(work, size)


@pytest.mark.parametrize("name", [name for name in WORDS if name != "surrogate"])
@few
@given(st.integers(300, 500))
def test_a_question_of_any_words(name: str, size: int) -> None:
    grows_as_it_should(lambda n: list(terms(WORDS[name](n))), size)


@shapes
@settings(max_examples=1)
@given(st.integers(8, 12))
def test_a_short_answer(shape: str, size: int) -> None:
    """Of a long passage: candidates, what forbids them, what says the statement of the question with them."""

    def work(n: int) -> object:
        passage.cache_clear()
        documents = {"Doc": SENTENCES[shape](n), "Radium": "Radium is a metal."}
        return asyncio.run(result("Who found radium in 1805?", documents))

    grows_as_it_should(work, size)


@pytest.mark.parametrize("name", ["names", "ands", "endless", "clauses"])
@settings(max_examples=1)
@given(st.integers(300, 400))
def test_a_short_answer_to_a_long_question(name: str, size: int) -> None:
    grows_as_it_should(lambda n: asyncio.run(result(WORDS[name](n))), size)


@pytest.mark.parametrize("name", ["of", "names", "clauses"])
@settings(max_examples=1)
@given(st.integers(200, 300))
def test_a_follow_up(name: str, size: int) -> None:
    def work(n: int) -> object:
        words = WORDS[name](n)
        turns = [ConversationTurn(f"Who found {words}", words)] * 3
        return in_context(f"And when did she find {words}", turns, PARSER)

    grows_as_it_should(work, size)


@pytest.mark.parametrize("many", ["claims", "sources", "names"])
@settings(max_examples=1)
@given(st.integers(4, 5))
def test_the_check_of_a_text(many: str, size: int) -> None:
    """With more claims, more sources, and a source in which each sentence has a name of its own."""

    def work(n: int) -> object:
        claims, sources = (n, 3) if many == "claims" else (3, n)
        text = " ".join(f"Item{i} was found by Anna{i} in {1000 + i}." for i in range(claims))
        given = [{"id": str(i), "text": f"Marie Curie {i} discovered polonium. " * 9} for i in range(sources)]
        if many == "names":
            said = " ".join(f"Item{i} was found by Otto{i} in {1000 + i}." for i in range(9 * n))
            given = [{"id": "1", "text": said}]
        return list(given_check({"text": text, "sources": given}))

    grows_as_it_should(work, size)


@pytest.mark.parametrize(
    "question",
    [
        "How many items have more than 5 units?",
        "What was the total revenue of Revenue 3 and Revenue 4 in 2021?",
        "What was the average revenue in 2020?",
        "Which item is not in Paris?",
    ],
)
@settings(max_examples=1)
@given(st.integers(20, 30))
def test_a_question_to_a_table(question: str, size: int) -> None:
    grows_as_it_should(lambda n: answer_from_tables(question, [grid_of(revenues(n))]), size)


def test_pairs_of_the_columns_of_a_table_have_a_limit() -> None:
    """They grow with the square, to as many as people read in a table; of more columns, few pairs are looked at."""

    def work(n: int) -> object:
        return answer_from_tables("Which item had the highest revenue in 2020?", [grid_of(revenues(n))])

    work(2)
    assert steps(lambda: work(250)) < 3 * steps(lambda: work(60))


def revenues(rows: int) -> list[list[str]]:
    heads = ["Item", "2020", "2021", "City"]
    return [heads, *([f"Revenue {i}", str(i), str(2 * i), ("Paris", "Rome")[i % 2]] for i in range(rows))]


@settings(max_examples=1)
@given(st.integers(200, 300))
def test_the_words_around_a_sentence(size: int) -> None:
    """What the network reads with one: as much of a long text as of a short one."""

    def work(n: int) -> object:
        text = SENTENCES["facts"](n)
        return around(text, [(at, at + 10) for at in range(0, len(text) - 10, 10)], n // 2)

    grows_as_it_should(work, size)


@pytest.mark.parametrize(
    ("pattern", "repeated"),
    [
        (item_names.OTHERWISE, " \n"),
        (item_names._PART, "1-"),
        (asked_tables._CODE, "A-"),
        (defined_parties._DEFINED, "A"),
        (by_form._ENDS, ":"),
    ],
)
def test_a_pattern_does_not_look_again_from_every_letter_of_a_run(
    pattern: re.Pattern[str], repeated: str
) -> None:
    """With the square of their number it would be minutes."""
    begun = time.process_time()
    assert not list(pattern.finditer(repeated * 50_000 + "#"))
    assert time.process_time() - begun < 2
