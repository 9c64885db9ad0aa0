"""A paper that is stored twice is one; two papers that only share a short title are two."""

from __future__ import annotations

from provgraph.catalogue.papers import StoredPaper, each_once
from provgraph.rdf.terms import NamedNode


def paper(
    name: str, title: str, creators: tuple[str, ...] = (), identifiers: tuple[str, ...] = ()
) -> StoredPaper:
    return StoredPaper(
        NamedNode(f"https://example.org/{name}"), title, creators=creators, identifiers=identifiers
    )


def test_the_same_title_or_identifier_is_one_paper_and_the_better_known_stays() -> None:
    bare = paper("a", "Reading Tables with Gates")
    known = paper("b", "Reading tables with gates", creators=("Ada Quist",))
    assert each_once([bare, known]) == [known]
    first = paper("c", "Kestrel", identifiers=("arXiv:2101.00001v1",))
    second = paper("d", "Kestrel, a parser", identifiers=("arXiv:2101.00001v2",))
    assert each_once([first, second]) == [first]


def test_other_papers_stay_two() -> None:
    short = [paper("a", "Annual Report"), paper("b", "Annual Report")]
    assert each_once(short) == short
    others = [
        paper("a", "Reading Tables with Gates", creators=("Ada Quist",)),
        paper("b", "Reading Tables with Gates", creators=("Erik Solberg",)),
    ]
    assert each_once(others) == others
    numbered = [
        paper("a", "Reading Tables with Gates", identifiers=("doi:10.1/1",)),
        paper("b", "Reading Tables with Gates", identifiers=("doi:10.1/2",)),
    ]
    assert each_once(numbered) == numbered
