"""The retriever and the query engine inside LlamaIndex's own frame."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from client.conftest import TOKEN
from client.retrieved_pages import KEYS, stands_where_it_says

pytest.importorskip("llama_index.core", reason="llama-index-core is not installed")

from llama_index.core.schema import NodeWithScore, TextNode

from provgraph.integrations.llama_index import ProvGraphQueryEngine, ProvGraphRetriever

QUESTION = "Who founded Larkfield?"
SENTENCE = "Ada Larkfield founded Larkfield in 1987."


def text_node(found: NodeWithScore) -> TextNode:
    assert isinstance(found.node, TextNode)
    return found.node


def test_nodes_say_where_they_stand_and_what_was_read_there(folder: Path) -> None:
    found = ProvGraphRetriever(folder, similarity_top_k=2).retrieve(QUESTION)
    assert len(found) == 2
    for each in found:
        node = text_node(each)
        assert stands_where_it_says(node.text, node.metadata)
        assert set(node.metadata) == KEYS
        assert (node.start_char_idx, node.end_char_idx) == (node.metadata["start"], node.metadata["end"])
        assert each.score == node.metadata["score"]
    assert text_node(found[0]).metadata["facts"]


async def test_an_address_is_asked_while_other_work_goes_on(url: str) -> None:
    retriever = ProvGraphRetriever(url, token=TOKEN, content="facts", documents=["larkfield.md"])
    first, *_ = await retriever.aretrieve(QUESTION)
    assert text_node(first).text == SENTENCE
    await retriever.async_client.aclose()


def test_a_response_has_the_cited_words_as_nodes_and_the_proof(folder: Path) -> None:
    response = ProvGraphQueryEngine(folder).query(QUESTION)
    assert str(response) == SENTENCE
    (source,) = response.source_nodes
    assert stands_where_it_says(text_node(source).text, source.node.metadata)
    assert response.metadata is not None
    assert (response.metadata["short_answer"], response.metadata["outcome"]) == ("Ada Larkfield", "answered")
    assert response.metadata["sentences"][0]["source_nodes"] == [0]
    assert response.metadata["facts"][0]["reasoning"]
    assert json.loads(json.dumps(response.metadata))["trace"]["query"] == QUESTION


async def test_a_refusal_has_no_sources(folder: Path) -> None:
    engine = ProvGraphQueryEngine(folder)
    response = await engine.aquery("Who invented the telegraph?")
    await engine.async_client.aclose()
    assert response.source_nodes == []
    assert response.metadata is not None
    assert response.metadata["outcome"] == "refused"
