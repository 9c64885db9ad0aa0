"""SPARQL text becomes tokens without a character lost."""

from __future__ import annotations

from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.errors import InvalidQuery
from provgraph.sparql.tokens import line_and_column, tokens

SNIPPETS = st.sampled_from(
    [
        "SELECT", " ", "\n", "\r\n", "?s", "$o", "<http://e/#x>", "<<", ">>", "<<(", ")>>", "{|", "|}", "'a\\'b'",
        '"""a"b\nc"""', "'''", '"', "'", "#", "ex:a\\#b", "ex:a.b", "ex:", ":", "_:b1.", "1.5e3", "-2", "<", ">",
        "&&", "@en--ltr", "^^", "\\", "%41", "ex:%41", "{", "}", "(", ")", ",", ";", ".", "?a<?b", "é", "\ud7ff",
    ]
)  # fmt: skip


def kinds(text: str) -> list[tuple[str, str]]:
    return [(token.kind, token.text) for token in tokens(text) if token.is_read]


@given(st.text() | st.lists(SNIPPETS).map("".join))
def test_the_tokens_of_any_text_join_back_to_it_or_the_text_is_no_sparql(text: str) -> None:
    try:
        found = tokens(text)
    except InvalidQuery:
        return
    assert "".join(token.text for token in found) == text
    assert [token.start for token in found] == [
        len("".join(t.text for t in found[:n])) for n in range(len(found))
    ]


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("<http://e/a#b>", [("iri", "<http://e/a#b>")]),
        ("?a<?b", [("variable", "?a"), ("mark", "<"), ("variable", "?b")]),
        ("'it\\'s # no comment'", [("string", "'it\\'s # no comment'")]),
        ('"""a "quoted" word"""', [("string", '"""a "quoted" word"""')]),
        ("''''a'''", [("string", "''''a'''")]),
        ("'' # <<", [("string", "''")]),
        (r"ex:it\'s ex:a\#b", [("name", r"ex:it\'s"), ("name", r"ex:a\#b")]),
        ("ex:a.b.", [("name", "ex:a.b"), ("mark", ".")]),
        ("<<<http://e/s>", [("mark", "<<"), ("iri", "<http://e/s>")]),
        ("<<(?s)>>", [("mark", "<<("), ("variable", "?s"), ("mark", ")>>")]),
        ('"a"@en-GB', [("string", '"a"'), ("language", "@en-GB")]),
        ("@en-", [("language", "@en"), ("mark", "-")]),
        ("ex:a%41.", [("name", "ex:a%41"), ("mark", ".")]),
        ("-1.5e-3", [("number", "-1.5e-3")]),
        ("관계:값", [("name", "관계:값")]),
    ],
)
def test_tokens_are_those_of_the_grammar(text: str, expected: list[tuple[str, str]]) -> None:
    assert kinds(text) == expected


@pytest.mark.parametrize(
    ("text", "place"), [("ASK {\n ?s ?p 'open }", (2, 8)), ("ASK \\", (1, 5)), ('\r\n"a\nb"', (2, 1))]
)
def test_what_begins_no_token_is_told_with_its_place(text: str, place: tuple[int, int]) -> None:
    with pytest.raises(InvalidQuery) as raised:
        tokens(text)
    assert (raised.value.line, raised.value.column) == place


@pytest.mark.slow
@pytest.mark.parametrize(
    "piece", ["<", "'", "''", "'''", '"', "<a", "a.", "a:", "\\", "@a-", "_:a.", "?", "1.", "#"]
)
def test_hostile_repetition_takes_linear_time(piece: str) -> None:
    text = piece * (200_000 // len(piece))
    with suppress(InvalidQuery):
        assert sum(len(token.text) for token in tokens(text)) == len(text)


def test_lines_and_columns_count_from_one() -> None:
    assert line_and_column("ab\r\ncd", 0) == (1, 1)
    assert line_and_column("ab\r\ncd", 5) == (2, 2)
