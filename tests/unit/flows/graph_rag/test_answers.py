"""Questions to small documents, from ingest to answer: which are answered, by what, and which are refused."""

from __future__ import annotations

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
import pytest_asyncio

from provgraph.assembly import Assembly
from provgraph.provenance.trace import Origin, SessionOutcome
from unit.retrieval.ingested import answer, ingested

DOCUMENTS = {
    "Marie_Curie": "Maria Skłodowska was born in Warsaw. Marie Curie discovered polonium in 1898. "
    "Marie Curie discovered radium with Pierre Curie. Marie Curie worked in Paris.",
    "James_Chadwick": "James Chadwick discovered the neutron in 1932. James Chadwick worked in Cambridge.",
    "Languages": "C was designed by Dennis Ritchie. C++ was designed by Bjarne Stroustrup. "
    "C# was designed by Anders Hejlsberg.",
    "Radium_Institute": "The Radium Institute was founded by Marie Curie. The Radium Institute opened in 1914.",
}


@pytest_asyncio.fixture(loop_scope="module", scope="module")
async def assembly(tmp_path_factory: pytest.TempPathFactory) -> AsyncIterator[Assembly]:
    folder: Path = tmp_path_factory.mktemp("answers")
    async with ingested(folder, **DOCUMENTS) as opened:
        yield opened


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("Who discovered polonium?", "Marie Curie discovered polonium in 1898."),
        ("When did James Chadwick discover the neutron?", "James Chadwick discovered the neutron in 1932."),
        ("Where was Sklodowska born?", "Maria Skłodowska was born in Warsaw."),
        ("Where was Dr. Skłodowska born?", "Maria Skłodowska was born in Warsaw."),
        ("Who designed C?", "C was designed by Dennis Ritchie."),
        ("Who designed C++?", "C++ was designed by Bjarne Stroustrup."),
        ("Who designed C#?", "C# was designed by Anders Hejlsberg."),
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_one_sentence_is_said_when_it_says_it_all(
    assembly: Assembly, question: str, expected: str
) -> None:
    finished = await answer(assembly, question)
    short = finished.short_answer
    assert finished.answer == (
        f"{short.text}. {expected}" if short and not expected.startswith(short.text) else expected
    )


@pytest.mark.parametrize(
    ("question", "short"),
    [("Where was Dr. Skłodowska born?", "Warsaw"), ("Who designed C#?", "Anders Hejlsberg")],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_the_first_words_are_the_short_answer_with_its_derivation(
    assembly: Assembly, question: str, short: str
) -> None:
    finished = await answer(assembly, question)
    assert finished.short_answer is not None
    assert finished.short_answer.text == short
    assert finished.short_answer.steps[-1].inputs
    assert finished.answer.startswith(f"{short}. ")


@pytest.mark.asyncio(loop_scope="module")
async def test_all_answers_to_one_question_are_said(assembly: Assembly) -> None:
    told = (await answer(assembly, "What did Marie Curie discover?")).answer
    assert "polonium" in told
    assert "radium" in told
    assert "neutron" not in told


@pytest.mark.asyncio(loop_scope="module")
async def test_evidence_for_two_names_is_taken_from_two_documents(assembly: Assembly) -> None:
    finished = await answer(assembly, "Did Marie Curie and James Chadwick both work in Cambridge?")
    documents = {source.place.title for said in finished.sentences for source in said.sources}
    assert documents == {"Marie Curie", "James Chadwick"}


@pytest.mark.parametrize(
    "question",
    [
        "xyzzy frobnicate the quux?",
        "When was Grombulous Quantznik born?",
        "What did Snarkabad discover?",
        "What is the capital of Australia?",
        "How many legs does a spider have?",
        "Who designed the Eiffel Tower?",
        "프랑스의 수도는 어디인가?",
        "what is the?",
        "Which penguins migrate?",
    ],
)
@pytest.mark.asyncio(loop_scope="module")
async def test_nonsense_and_what_the_documents_do_not_tell_is_refused(
    assembly: Assembly, question: str
) -> None:
    finished = await answer(assembly, question)
    assert finished.outcome is SessionOutcome.REFUSED
    assert finished.answer.startswith("No answer found.")
    assert finished.short_answer is None


@pytest.mark.asyncio(loop_scope="module")
async def test_each_sentence_is_cited_by_the_characters_it_was_read_from(assembly: Assembly) -> None:
    finished = await answer(assembly, "What did Marie Curie discover?")
    quoted = [each for each in finished.sentences if each.origin is Origin.QUOTED]
    assert quoted
    for cited in quoted:
        said = finished.answer[cited.start : cited.end]
        for source in cited.sources:
            page = await assembly.library.text("default", source.page)
            assert page[source.start : source.end] == said
