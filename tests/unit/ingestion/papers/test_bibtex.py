"""Bibliographies: what they say of papers, and what of them cannot be read."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.errors import ProvGraphError, UnreadableDocument
from provgraph.ingestion.papers.bibtex import given_papers, read_bibtex
from provgraph.ingestion.planning import LostFile, SourceFile

ENTRY = r"""
@article{lindgren21,
  title = {{LayFormer}: Transformers for \"Uberlagerte {L}ayouts},
  author = {Lindgren, Ada and Boris Okafor},
  year = {2021}, month = feb,
  doi = {https://doi.org/10.1000/lay.182},
  eprint = {2101.00001v1}, archiveprefix = {arXiv},
  abstract = {We find
    regions.},
  file = {Full text:C\:\\papers\\lay former.pdf:application/pdf;notes.txt},
}
"""


def test_an_entry_tells_who_wrote_what_when_and_where() -> None:
    (entry,) = read_bibtex(ENTRY.encode(), "refs.bib").entries
    assert entry.title == "LayFormer: Transformers for Überlagerte Layouts"
    assert entry.described.creators == ("Ada Lindgren", "Boris Okafor")
    assert entry.described.date == "2021-02"
    assert entry.described.identifiers == ("doi:10.1000/lay.182", "arXiv:2101.00001v1")
    assert entry.described.abstract == "We find regions."
    assert entry.id == "https://doi.org/10.1000/lay.182"
    assert entry.files == ("lay former.pdf",)


def test_a_broken_entry_is_told_and_the_others_are_read() -> None:
    found = read_bibtex(f"@article{{torn, title = {{x\n{ENTRY}".encode(), "refs.bib")
    assert [entry.key for entry in found.entries] == ["lindgren21"]
    assert len(found.faults) == 1
    assert found.faults[0].startswith("refs.bib, line 1:")


def test_a_file_without_entries_is_no_bibliography() -> None:
    with pytest.raises(UnreadableDocument):
        read_bibtex(b"just words", "refs.bib")


@given(st.text(max_size=200))
def test_no_bibliography_breaks_the_reader(text: str) -> None:
    try:
        found = read_bibtex(text.encode("utf-8", "replace"), "refs.bib")
    except ProvGraphError:
        return
    assert found.entries or found.faults


def papers_of(*files: SourceFile) -> list[SourceFile | LostFile]:
    return list(given_papers(files))


def test_a_pdf_is_described_by_the_entry_that_names_it() -> None:
    bibliography = SourceFile("refs.bib", ENTRY.encode())
    (paper,) = papers_of(SourceFile("lay former.pdf", b"%PDF-"), bibliography)
    assert isinstance(paper, SourceFile)
    assert paper.id == "https://doi.org/10.1000/lay.182"
    assert paper.described.source == "lay former.pdf"


def test_a_paper_that_nobody_gave_is_read_by_its_abstract() -> None:
    (paper,) = papers_of(SourceFile("refs.bib", ENTRY.encode()))
    assert isinstance(paper, SourceFile)
    assert paper.media_type == "text/plain"
    assert b"We find regions." in paper.content


def test_a_paper_with_neither_file_nor_abstract_is_missed_by_name() -> None:
    (lost,) = papers_of(SourceFile("refs.bib", b"@book{curie03, title = {Radioactive substances}}"))
    assert isinstance(lost, LostFile)
    assert "Radioactive substances" in str(lost.error)
    assert "curie03.pdf" in str(lost.error)


def test_papers_in_no_bibliography_come_as_they_are() -> None:
    paper = SourceFile("other.pdf", b"%PDF-")
    assert paper in papers_of(paper, SourceFile("refs.bib", ENTRY.encode()))
