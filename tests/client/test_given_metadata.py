"""What the command line gives with each file: `--set`, a file beside it, a table."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from provgraph.client.metadata import given_metadata, without_sidecars
from provgraph.errors import InvalidInput


def test_what_is_set_goes_before_the_file_beside_and_that_before_the_table(tmp_path: Path) -> None:
    table = tmp_path / "about.csv"
    table.write_text("File,company,year,kind\nreports/a.pdf,Boeing,2020,filing\nb.pdf,AMD,,\n", "utf-8")
    file = tmp_path / "reports" / "A.pdf"
    file.parent.mkdir()
    file.with_name("A.metadata.json").write_text('{"year": 2021, "tag": ["x", "y"]}', "utf-8")
    given = given_metadata(["kind=annual report", "kind = 10-K"], table)
    assert json.loads(given.of(file)) == {
        "company": ["Boeing"],
        "year": ["2021"],
        "tag": ["x", "y"],
        "kind": ["annual report", "10-K"],
    }
    assert json.loads(given_metadata([], table).of(Path("b.pdf"))) == {"company": ["AMD"]}
    assert given_metadata([], table).of(Path("c.pdf")) == ""


def test_a_table_may_be_json_by_file_name(tmp_path: Path) -> None:
    table = tmp_path / "about.json"
    table.write_text('{"a.pdf": {"company": "Boeing"}}', "utf-8")
    assert json.loads(given_metadata([], table).of(Path("in/a.pdf"))) == {"company": ["Boeing"]}


def test_files_that_describe_others_are_no_documents() -> None:
    files = [Path("a.pdf"), Path("a.pdf.metadata.json"), Path("b.json")]
    assert without_sidecars(files) == [Path("a.pdf"), Path("b.json")]


@pytest.mark.parametrize("content", ["title,company\na,b\n", "", "[1, 2]"])
def test_a_table_that_names_no_files_is_refused(tmp_path: Path, content: str) -> None:
    table = tmp_path / ("about.json" if content.startswith("[") else "about.csv")
    table.write_text(content, "utf-8")
    with pytest.raises(InvalidInput):
        given_metadata([], table)


@pytest.mark.parametrize("pair", ["company", "=x", "company="])
def test_a_pair_without_a_name_or_a_value_is_refused(pair: str) -> None:
    with pytest.raises(InvalidInput, match="NAME=VALUE"):
        given_metadata([pair], None)
