"""Facts of table cells: one for each below a header, with the span of the row; none where a cell says nothing."""

from __future__ import annotations

from provgraph.extraction.by_reading import PropositionExtractor
from provgraph.extraction.facts import Passage

TABLE = (
    "Annual report\n\n| Item | 2019 | Auditor | Note |\n| --- | --- | --- | --- |\n"
    "| Revenue | 1,200 | Jane Doe | – |\n| Margin | 4.5 % |  | less than before |"
)


def read(passage: Passage) -> set[tuple[str, str, str, str]]:
    return {
        (f.subject.label, f.relation, f.object.label, passage.text[f.start : f.end])
        for f in PropositionExtractor().extract(passage)
    }


def test_each_cell_is_a_fact_that_quotes_its_row() -> None:
    revenue = "Revenue | 1,200 | Jane Doe | –"
    margin = "Margin | 4.5 % |  | less than before"
    assert read(Passage(TABLE)) == {
        ("Revenue", "2019", "1,200", revenue),
        ("Revenue", "Auditor", "Jane Doe", revenue),
        ("Margin", "2019", "4.5 %", margin),
        ("Margin", "Note", "less than before", margin),
    }


def test_numbers_and_quantities_are_values_and_names_are_entities() -> None:
    facts = PropositionExtractor().extract(Passage(TABLE))
    kinds = {fact.object.label: getattr(fact.object, "kind", "entity") for fact in facts}
    assert kinds == {
        "1,200": "number",
        "Jane Doe": "entity",
        "4.5 %": "quantity",
        "less than before": "text",
    }


def test_a_row_that_is_only_repeated_from_the_chunk_before_is_not_read_again() -> None:
    cut = TABLE.index("| Margin")
    assert {subject for subject, *_ in read(Passage(TABLE, own_start=cut))} == {"Margin"}
    assert {subject for subject, *_ in read(Passage(TABLE, own_end=cut))} == {"Revenue"}


def test_rows_without_a_head_give_no_facts() -> None:
    assert read(Passage("| Revenue | 1,200 |\n| Margin | 4.5 % |")) == set()


def test_a_unit_below_the_year_is_of_the_value_and_no_part_of_the_relation() -> None:
    head = "| Item | 2023 | 2022 |\n| --- | --- | --- |\n|  | £'000 | £'000 |\n"
    passage = Passage(f"{head}| Revenue | 1,234 | 1,100 |\n| Costs | 600 | 550 |")
    facts = PropositionExtractor().extract(passage)
    told = {(fact.subject.label, fact.relation, getattr(fact.object, "lexical", "")) for fact in facts}
    assert told >= {("Revenue", "2023", "1234000 GBP"), ("Revenue", "2022", "1100000 GBP")}
