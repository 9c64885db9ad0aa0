"""Whatever a model wraps its JSON in, and wherever it breaks off, the whole objects are read."""

from __future__ import annotations

import json

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.language.json_items import MOST_ITEMS, items_of

A, B = {"subject": "a", "quote": "{not JSON}"}, {"subject": "b"}


@pytest.mark.parametrize(
    "answer",
    [
        json.dumps({"facts": [A, B]}),
        json.dumps({"facts": [A, B]}, indent=2),
        json.dumps([A, B]),
        f"{json.dumps(A)}\n{json.dumps(B)}\n",
        f"```json\n{json.dumps({'facts': [A, B]})}\n```",
        f"Here are the facts {{as you asked}}:\n{json.dumps({'facts': [A, B]})}\nI hope this helps!",
        f"<think>Let me see [1]…</think>{json.dumps({'facts': [A, B]})}",
        json.dumps({"facts": [A, B, {"subject": "c", "object": "cut"}]})[:-8],
        f'{{"facts": [{json.dumps(A)}, {{"subject": }}, {json.dumps(B)}]}}',
    ],
)
def test_the_objects_of_an_answer_are_found(answer: str) -> None:
    assert items_of(answer) == [A, B]


@pytest.mark.parametrize("answer", ['{"facts": []}', "[]", "```json\n[ ]\n```"])
def test_an_empty_list_is_an_answer(answer: str) -> None:
    assert not [item for item in items_of(answer) or [] if item]
    assert items_of(answer) is not None


@pytest.mark.parametrize("answer", ["", "I cannot help with that.", "{", "폴로늄은 원소이다."])
def test_an_answer_without_json_is_none(answer: str) -> None:
    assert items_of(answer) is None


def test_an_answer_ten_times_too_long_is_cut() -> None:
    assert len(items_of("\n".join([json.dumps(B)] * 5 * MOST_ITEMS)) or []) == MOST_ITEMS


def test_an_answer_nested_to_break_a_parser_is_read_all_the_same() -> None:
    assert items_of('{"a":' * 10_000 + json.dumps(B)) == [B]


@given(st.text())
def test_no_answer_breaks_the_reader(answer: str) -> None:
    for item in items_of(answer) or []:
        assert isinstance(item, dict)
