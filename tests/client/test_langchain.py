"""The retriever inside LangChain's own frame."""

from __future__ import annotations

from pathlib import Path

import pytest

from client.conftest import TOKEN
from client.retrieved_pages import KEYS, pdf, stands_where_it_says
from provgraph import Client

pytest.importorskip("langchain_core", reason="langchain-core is not installed")

from langchain_core.runnables import RunnableLambda

from provgraph.integrations.langchain import ProvGraphRetriever

QUESTION = "Who founded Larkfield?"
SENTENCE = "Ada Larkfield founded Larkfield in 1987."


def test_documents_say_where_they_stand_and_what_was_read_there(folder: Path) -> None:
    retriever = ProvGraphRetriever(target=str(folder), k=2)
    documents = retriever.invoke(QUESTION)
    assert len(documents) == 2
    for document in documents:
        assert stands_where_it_says(document.page_content, document.metadata)
        assert set(document.metadata) == KEYS
    facts = documents[0].metadata["facts"]
    assert ("Larkfield", "Ada Larkfield") in [(fact["subject"], fact["object"]) for fact in facts]
    lineage = retriever.client.lineage(facts[0]["iri"])
    assert lineage.statement == facts[0]["statement"]
    retriever.client.close()


def test_facts_are_the_sentences_that_say_them(folder: Path) -> None:
    retriever = ProvGraphRetriever(target=str(folder), content="facts")
    first = retriever.invoke(QUESTION)[0]
    assert (first.page_content, first.metadata["kind"]) == (SENTENCE, "fact")
    assert stands_where_it_says(first.page_content, first.metadata)
    assert first.id == first.metadata["fact"] == first.metadata["facts"][0]["iri"]
    retriever.client.close()


def test_both_are_given_in_turn(folder: Path) -> None:
    retriever = ProvGraphRetriever(target=str(folder), content="both", k=3)
    documents = retriever.invoke(QUESTION)
    assert [each.metadata["kind"] for each in documents] == ["fact", "chunk", "fact"]
    assert len({each.id for each in documents}) == 3
    retriever.client.close()


async def test_an_address_is_asked_while_other_work_goes_on(url: str) -> None:
    retriever = ProvGraphRetriever(target=url, token=TOKEN, options={"documents": ["larkfield.md"]})
    (document,) = await retriever.ainvoke(QUESTION)
    assert stands_where_it_says(document.page_content, document.metadata)
    await retriever.async_client.aclose()


def test_it_is_a_step_of_a_chain(folder: Path) -> None:
    retriever = ProvGraphRetriever(target=str(folder), content="facts", k=1)
    chain = retriever | RunnableLambda(lambda documents: documents[0].page_content)
    assert chain.invoke(QUESTION) == SENTENCE
    retriever.client.close()


def test_words_of_a_pdf_have_their_boxes(client: Client, folder: Path, tmp_path: Path) -> None:
    (tmp_path / "holt.pdf").write_bytes(pdf("Mina Holt wrote The Salt Road."))
    client.ingest(tmp_path / "holt.pdf")
    retriever = ProvGraphRetriever(target=str(folder), k=1, boxes=True, options={"documents": ["holt.pdf"]})
    (document,) = retriever.invoke("Who wrote The Salt Road?")
    (box,) = document.metadata["boxes"]
    assert 0.1 < box["x"] < 0.15
    assert 0.1 < box["y"] < 0.15
    without = retriever.model_copy(update={"boxes": False})
    assert "boxes" not in without.invoke("Who wrote The Salt Road?")[0].metadata
    retriever.client.close()
