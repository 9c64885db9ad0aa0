"""What Open WebUI 0.12 sends to an address of OpenAI's form, and what it reads of the replies."""

from __future__ import annotations

import json
from typing import Any

import pytest

from api.running import Running

HEADERS = {"Authorization": "Bearer none", "Content-Type": "application/json", "X-OpenWebUI-User-Name": "Ada"}
HISTORY = """<chat_history>
USER: Who discovered the proton?
ASSISTANT: Ernest Rutherford

Ernest Rutherford discovered the proton in 1917.
</chat_history>"""
TASK = """### Task:
Generate a concise title summarizing the chat history.
### Guidelines:
- Your entire response must consist solely of the JSON object, without any introductory or concluding text.
### Output:
JSON format: {form}
### Examples:
- {{ "title": "Stock Trends" }},
### Chat History:
"""


async def test_a_chat_streams_words_and_sources(informed: Running) -> None:
    listed = (await informed.client.get("/v1/models", headers=HEADERS)).json()
    body = {
        "stream": True,
        "model": listed["data"][0]["id"],
        "messages": [
            {"role": "system", "content": "User Context: Ada. You are helpful."},
            {"role": "user", "content": "Who discovered polonium with Marie Curie?"},
            {
                "role": "assistant",
                "content": "Pierre Curie\n\nPierre Curie discovered polonium with Marie Curie.",
            },
            {"role": "user", "content": "Who discovered the proton?"},
        ],
        "stream_options": {"include_usage": True},
        "temperature": 0.7,
        "max_tokens": 500,
    }
    content, sources = "", []
    async with informed.client.stream("POST", "/v1/chat/completions", json=body, headers=HEADERS) as reply:
        assert reply.headers["content-type"].startswith("text/event-stream")
        lines = [line async for line in reply.aiter_lines() if line.startswith("data: ")]
    assert lines.pop() == "data: [DONE]"
    for line in lines:
        for choice in json.loads(line.removeprefix("data: "))["choices"]:
            content += choice["delta"].get("content") or ""
            sources += [each["url_citation"] for each in choice["delta"].get("annotations", [])]
    assert content.startswith("Ernest Rutherford")
    assert [(source["title"], "/#/documents/" in source["url"]) for source in sources] == [
        ("The Curies", True)
    ]


@pytest.mark.parametrize(
    ("form", "answer"),
    [
        ('{ "title": "your concise title here" }', {"title": "Who discovered the proton?"}),
        ('{ "follow_ups": ["Question 1?", "Question 2?"] }', {"follow_ups": []}),
        ('{ "tags": ["tag1", "tag2"] }', {"tags": []}),
    ],
)
async def test_what_it_asks_of_the_chat_itself_is_no_question_to_the_documents(
    informed: Running, form: str, answer: dict[str, Any]
) -> None:
    prompt = TASK.format(form=form) + HISTORY
    messages = [{"role": "user", "content": prompt}]
    body = {"model": "provgraph/default", "messages": messages, "stream": False, "max_tokens": 1000}
    reply = await informed.client.post("/v1/chat/completions", json=body, headers=HEADERS)
    assert json.loads(reply.json()["choices"][0]["message"]["content"]) == answer
    assert await informed.get("/api/v1/traces") == []
