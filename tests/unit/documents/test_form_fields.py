"""Lines of a form are rows about their document, and answer what asks for their fields."""

from __future__ import annotations

import pytest

from provgraph.derivation.form_answers import form_answer
from provgraph.documents.form_fields import field_rows, label_rows
from provgraph.documents.page_layout import PageLayout
from provgraph.documents.table_reading import tables_of_page
from provgraph.documents.tables import WrittenTable, located
from provgraph.extraction.table_rows import row_facts
from provgraph.language.sentences import sentence_spans

FORM = (
    "Order form\n\nOrder number: 4711\nCustomer: Halden Tools Ltd\nDelivery address: 12 Mill Lane, Norwick\n"
    "Date of order: 3 May 2023\n\nPlease return this form by post."
)


def test_each_field_is_a_fact_of_the_document_with_its_line_as_the_span() -> None:
    rows = list(field_rows(FORM, "Order form"))
    assert [FORM[row.start : row.end] for row in rows] == FORM.splitlines()[2:6]
    facts = list(row_facts(rows))
    assert [(fact.subject.label, fact.relation) for fact in facts[:2]] == [
        ("Order form", "Order number"),
        ("Order form", "Customer"),
    ]


def test_two_fields_or_two_of_one_name_are_no_form() -> None:
    assert not list(field_rows("Note: bring boots\nWarning: ice\n", "Walk"))
    assert not list(field_rows("Q: Where?\nA: Here.\nQ: When?\nA: Now.\n", "Hearing"))


def test_a_field_is_a_sentence_of_its_own() -> None:
    assert "Customer: Halden Tools Ltd" in [FORM[start:end] for start, end in sentence_spans(FORM)]


@pytest.mark.parametrize(
    ("question", "value"),
    [
        ("What is the order number?", "4711"),
        ("What is the customer's delivery address?", "12 Mill Lane, Norwick"),
        ("What is the phone number of the customer?", None),
        ("Why was the order number changed?", None),
    ],
)
def test_the_field_that_is_asked_for_is_the_answer(question: str, value: str | None) -> None:
    answer = form_answer(question, [("chunk", "order.txt", "Order form", FORM)])
    assert (answer and answer.text) == value


def test_a_table_of_labels_and_values_without_a_head_is_read_as_fields_of_the_document() -> None:
    text = "| Domicile | Luxembourg |\n| Manager | Ines Okafor |\n| Charge | 1.15 % |"
    lines = tuple(text.splitlines())
    layout = PageLayout(tables=located(text, [WrittenTable(lines)]))
    (table,) = tables_of_page(1, text, layout)
    facts = list(row_facts(label_rows(table, "Fact sheet")))
    assert [(fact.subject.label, fact.relation) for fact in facts] == [
        ("Fact sheet", "Domicile"),
        ("Fact sheet", "Manager"),
        ("Fact sheet", "Charge"),
    ]
    headed = PageLayout(tables=located(text, [WrittenTable(lines, header_rows=1)]))
    assert not list(label_rows(tables_of_page(1, text, headed)[0], "Fact sheet"))
