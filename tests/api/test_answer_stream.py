"""An answer as a stream: which messages, in which order, and that what they say is so."""

from __future__ import annotations

from typing import Any

from pyoxigraph import NamedNode, Quad

from api.running import QUESTION, STREAM, Running, Sent, messages
from provgraph.provenance.trace import SessionOutcome
from provgraph.rdf.json_terms import quad_to_json, triple_from_json


def steps(sent: list[Sent]) -> list[str]:
    """The kind of each message: the step that is explained, or `chunk`."""
    return [step(message.data) for message in sent]


def step(data: dict[str, Any]) -> str:
    if data["message_type"] == "chunk":
        return "chunk"
    parts: list[str] = data["explain_id"].split(":")
    return parts[3] if parts[2] == "prov" else parts[2]


def quads(data: dict[str, Any]) -> list[Quad]:
    told = [(triple_from_json(triple), NamedNode(triple["g"])) for triple in data.get("explain_triples", [])]
    return [Quad(triple.subject, triple.predicate, triple.object, graph) for triple, graph in told]


async def test_the_messages_come_in_the_order_of_the_work(informed: Running) -> None:
    told = steps(await informed.stream())
    assert told[:5] == ["session", "grounding", "retrieval", "selection", "answer"]
    assert told[5:-2] == ["chunk"] * len(told[5:-2])
    assert len(told[5:-2]) >= 1
    assert told[-2:] == ["answer", "chunk"]


async def test_a_refusal_is_streamed_and_recorded_like_an_answer(informed: Running) -> None:
    sent = await informed.stream("What do penguins eat in Patagonia?")
    assert steps(sent) == [*steps(sent)[:5], "chunk", "answer", "chunk"]
    assert "".join(message.data.get("response", "") for message in sent) == "No answer found."
    assert sent[-1].data["citations"] == []
    assert (await informed.trace_of_only_session())["outcome"] == SessionOutcome.REFUSED


async def test_each_message_has_the_event_of_its_type_and_an_id_that_rises(informed: Running) -> None:
    sent = await informed.stream()
    assert [message.event for message in sent] == [message.data["message_type"] for message in sent]
    assert [message.id for message in sent] == sorted({message.id for message in sent})


async def test_the_session_ends_once_and_last(informed: Running) -> None:
    for query in (QUESTION, "What do penguins eat in Patagonia?"):
        ends = [message.data["end_of_session"] for message in await informed.stream(query)]
        assert ends == [False] * (len(ends) - 1) + [True]


async def test_what_a_message_explains_is_in_the_store_when_it_is_sent(informed: Running) -> None:
    store = informed.assembly.store
    body = {"query": QUESTION}
    seen = 0
    async with informed.client.stream("POST", "/api/v1/graph-rag", json=body, headers=STREAM) as response:
        async for message in messages(response):
            told = quads(message.data)
            assert await store.contains(told) == [True] * len(told)
            assert [quad_to_json(quad) for quad in told] == message.data.get("explain_triples", [])
            seen += len(told)
    assert seen > 30


async def test_a_citation_names_a_sentence_of_the_answer_and_the_words_it_was_read_from(
    informed: Running,
) -> None:
    sent = await informed.stream()
    text = "".join(message.data.get("response", "") for message in sent)
    citations = sent[-1].data["citations"]
    cited = [text[citation["start"] : citation["end"]] for citation in citations]
    assert " ".join(cited) == text
    for sentence, citation in zip(cited, citations, strict=True):
        assert citation["supported"] is True
        for source in citation["sources"]:
            page = await informed.client.get("/api/v1/documents/content", params={"id": source["page"]})
            assert page.text[source["start"] : source["end"]] == source["text"] == sentence
    assert sent[-1].data["sources"] == [{"uri": "https://example.org/curie", "title": "The Curies"}]


async def test_a_citation_names_edges_that_the_selection_told(informed: Running) -> None:
    sent = await informed.stream()
    selection = next(message.data for message in sent if step(message.data) == "selection")
    selected = {quad.object.value for quad in quads(selection) if isinstance(quad.object, NamedNode)}
    cited = {edge for citation in sent[-1].data["citations"] for edge in citation["edges"]}
    assert cited
    assert cited <= selected


async def test_the_answer_is_told_before_its_text_and_again_with_its_sentences(informed: Running) -> None:
    sent = await informed.stream()
    first, again = (quads(message.data) for message in sent if step(message.data) == "answer")
    assert first
    assert set(first) < set(again)


async def test_the_answer_in_one_json_says_the_same(informed: Running) -> None:
    sent = await informed.stream()
    whole = await informed.ask()
    assert whole["response"] == "".join(message.data.get("response", "") for message in sent)
    assert [step(message) for message in whole["explain"]] == [
        name for name in steps(sent) if name != "chunk"
    ]
    assert whole["sources"] == sent[-1].data["sources"]
    spans = [(citation["start"], citation["end"]) for citation in whole["citations"]]
    assert spans == [(citation["start"], citation["end"]) for citation in sent[-1].data["citations"]]
    assert whole["outcome"] == SessionOutcome.ANSWERED


async def test_a_browser_asks_by_get(informed: Running) -> None:
    path = "/api/v1/graph-rag?query=Who+discovered+polonium%3F&entity_limit=5&max-path-length=1"
    sent = await informed.events("GET", path)
    assert steps(sent) == steps(await informed.stream())


async def test_an_answer_is_kept_word_for_word(informed: Running) -> None:
    answer = await informed.ask()
    trace = await informed.get(f"/api/v1/traces/{answer['session']}")
    kept = await informed.client.get("/api/v1/documents/content", params={"id": trace["answer"]["document"]})
    assert kept.text == answer["response"] == trace["answer"]["text"]
    assert kept.headers["content-type"] == "text/plain; charset=utf-8"


async def test_limits_are_taken_in_both_spellings(informed: Running) -> None:
    for name in ("edge_limit", "edge-limit"):
        limits: dict[str, Any] = {name: 1}
        answer = await informed.ask(**limits)
        trace = await informed.get(f"/api/v1/traces/{answer['session']}")
        assert len(trace["selected"]) == 1
