"""What is read of methods, data and measures: in the terms of the ontology, at exact places, and rather too little."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.extraction.facts import Entity, Passage
from provgraph.extraction.papers.reading import PaperExtractor
from provgraph.rdf.vocabulary import RESEARCH

Read = tuple[str, str, str, str, str]


def read(text: str, title: str = "") -> list[Read]:
    """Subject and its kind, relation, object and its kind, of what is said in the ontology's terms."""
    return [
        (
            fact.subject.label,
            fact.subject.type.rpartition("#")[2],
            fact.relation_iri.value.rpartition("#")[2],
            fact.object.label,
            fact.object.type.rpartition("#")[2],
        )
        for fact in PaperExtractor().extract(Passage(text, title))
        if fact.relation_iri in set(RESEARCH.relations.values()) and isinstance(fact.object, Entity)
    ]


@pytest.mark.parametrize(
    ("sentence", "expected"),
    [
        (
            "RoBERTa outperforms BERT on many tasks.",
            ("RoBERTa", "METHOD", "IMPROVES", "BERT", "METHOD"),
        ),
        (
            "LayoutParser, built upon Detectron2 [35], provides a minimal API.",
            ("LayoutParser", "METHOD", "BASED_ON", "Detectron2", "METHOD"),
        ),
        (
            "The TableFormer [9] architecture, trained only on PubTabNet [22], reads tables well.",
            ("TableFormer", "METHOD", "USES", "PubTabNet", "DATASET"),
        ),
        (
            "The ScanNet network was evaluated on the FUNSD data set in this study.",
            ("ScanNet", "METHOD", "USES", "FUNSD", "DATASET"),
        ),
        (
            "In practice BM25 is compared with ColBERT by many authors.",
            ("BM25", "ALGORITHM", "COMPARES_TO", "ColBERT", "METHOD"),
        ),
        (
            "The Transformer can be applied to machine translation with success.",
            ("Transformer", "METHOD", "APPLIES_TO", "machine translation", "CONCEPT"),
        ),
    ],
)
def test_a_relation_is_read_with_the_kinds_of_both_ends(sentence: str, expected: Read) -> None:
    assert expected in read(sentence)


def test_each_member_of_a_list_is_read() -> None:
    found = read("BERT was evaluated on SQuAD, TriviaQA and HotpotQA by the authors.")
    assert [each[3] for each in found] == ["SQuAD", "TriviaQA", "HotpotQA"]


def test_what_we_do_is_what_the_paper_calls_its_own_work() -> None:
    title = "LayFormer: Transformers for Layout Analysis"
    assert ("LayFormer", "METHOD", "USES", "PubLayNet", "DATASET") in read(
        "In this work we use PubLayNet for all experiments.", title
    )
    assert read("In this work we use PubLayNet for all experiments.", "On layouts") == []


@pytest.mark.parametrize(
    ("text", "title", "expected"),
    [
        (
            "Reed finds tables in pages. It uses Mask R-CNN throughout.",
            "Reed: finding tables",
            [("Reed", "METHOD", "USES", "Mask R-CNN", "METHOD")],
        ),
        (
            "We present Heron, a retrieval method. The authors say that Heron outperforms BM25.",
            "On retrieval",
            [("Heron", "METHOD", "IMPROVES", "BM25", "ALGORITHM")],
        ),
        (
            "Heron is a small retrieval model. Heron uses BERT and is based on BM25.",
            "",
            [
                ("Heron", "METHOD", "USES", "BERT", "METHOD"),
                ("Heron", "METHOD", "BASED_ON", "BM25", "ALGORITHM"),
            ],
        ),
        (
            "Heron is a small retrieval model. Heron outperforms Kestrel in recall.",
            "",
            [("Heron", "METHOD", "IMPROVES", "Kestrel", "METHOD")],
        ),
        ("Heron outperforms Kestrel in recall.", "", []),
        ("Reed was born in Paris. It uses Mask R-CNN throughout.", "On tables", []),
        ("Heron is a small retrieval model. Heron uses Paris as an example.", "", []),
    ],
    ids=["it", "presented", "and", "plain-object", "never-introduced", "not-the-paper's", "place"],
)
def test_what_a_paper_introduces_is_known_in_what_follows(
    text: str, title: str, expected: list[Read]
) -> None:
    assert read(text, title) == expected


@pytest.mark.parametrize(
    "sentence",
    [
        "EGCG was given using ROS in all of the samples.",
        "The model was trained for three days by the second author.",
        "BERT and PubTabNet are described in Section 4 of this paper.",
        "The accuracy of the PubTabNet data set improves in Table 4.",
        "See Table 4 using Figure 3 for the details of this.",
    ],
)
def test_what_is_not_clear_is_left_out(sentence: str) -> None:
    assert read(sentence) == []


def test_a_fact_is_quoted_from_its_own_sentence() -> None:
    text = "Something else comes first. RoBERTa outperforms BERT on many tasks. More follows."
    (fact,) = (each for each in PaperExtractor().extract(Passage(text)) if each.relation_iri)
    assert text[fact.start : fact.end] == "RoBERTa outperforms BERT on many tasks."


@given(st.text(max_size=300), st.text(max_size=40))
def test_whatever_stands_in_a_passage_relations_hold_only_between_kinds_that_they_may(
    text: str, title: str
) -> None:
    for fact in PaperExtractor().extract(Passage(text, title)):
        assert 0 <= fact.start < fact.end <= len(text)
        if fact.relation_iri:
            assert fact.subject.type in {kind.value for kind in RESEARCH.classes.values()}
