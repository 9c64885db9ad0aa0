"""ClearNLP's trees as Universal Dependencies: the content word is the head, and a tree stays a tree."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.reading.clearnlp import to_universal
from provgraph.reading.trees import flat_heads, is_tree

_LABELS = (
    "acl acomp advcl advmod agent amod appos attr aux auxpass case cc ccomp compound conj csubj csubjpass dative dep "
    "det dobj expl intj mark meta neg nmod npadvmod nsubj nsubjpass nummod oprd parataxis pcomp pobj poss preconj "
    "predet prep prt punct quantmod relcl xcomp"
).split()
_WORDS = ["is", "of", "not", "Paris", ",", "won", "to", "who", "there", "1999"]
_TAGS = ["VBZ", "IN", "RB", "NNP", ",", "VBD", "TO", "WP", "EX", "CD"]
_POS = ["AUX", "ADP", "PART", "PROPN", "PUNCT", "VERB", "PART", "PRON", "PRON", "NUM"]


def _converted(rows: str) -> list[tuple[str, str, str]]:
    """(word, head's word, relation) of rows "word TAG POS head label", heads counted from 1."""
    table = [row.split() for row in rows.strip().splitlines()]
    words, tags, pos, heads, labels = (list(column) for column in zip(*table, strict=True))
    universal_heads, relations = to_universal(words, tags, pos, [int(head) - 1 for head in heads], labels)
    assert is_tree(universal_heads)
    return [
        (word, "" if head < 0 else words[head], relation)
        for word, head, relation in zip(words, universal_heads, relations, strict=True)
    ]


def test_the_predicate_of_a_copula_is_the_root_and_a_preposition_hangs_on_its_object() -> None:
    rows = "She PRP PRON 2 nsubj\nwas VBD AUX 0 ROOT\nhead NN NOUN 2 attr\nof IN ADP 3 prep\nState NNP PROPN 4 pobj"
    assert _converted(rows) == [
        ("She", "head", "nsubj"),
        ("was", "head", "cop"),
        ("head", "", "root"),
        ("of", "State", "case"),
        ("State", "head", "nmod"),
    ]


def test_a_passive_names_its_agent() -> None:
    subject = "It PRP PRON 3 nsubjpass\nwas VBD AUX 3 auxpass\n"
    rows = subject + "founded VBN VERB 0 ROOT\nby IN ADP 3 agent\nher PRP PRON 4 pobj"
    assert _converted(rows) == [
        ("It", "founded", "nsubj:pass"),
        ("was", "founded", "aux:pass"),
        ("founded", "", "root"),
        ("by", "her", "case"),
        ("her", "founded", "obl:agent"),
    ]


def test_conjuncts_hang_on_the_first_and_and_on_the_one_that_follows() -> None:
    first = "wrote VBD VERB 0 ROOT\na NN NOUN 1 dobj\n, , PUNCT 2 punct\n"
    rows = first + "b NN NOUN 2 conj\nand CC CCONJ 4 cc\nc NN NOUN 4 conj"
    assert _converted(rows) == [
        ("wrote", "", "root"),
        ("a", "wrote", "obj"),
        (",", "b", "punct"),
        ("b", "a", "conj"),
        ("and", "c", "cc"),
        ("c", "a", "conj"),
    ]


def test_there_is_has_a_subject_and_no_copula() -> None:
    rows = "There EX PRON 2 expl\nis VBZ VERB 0 ROOT\nhope NN NOUN 2 attr"
    assert _converted(rows) == [("There", "is", "expl"), ("is", "", "root"), ("hope", "is", "nsubj")]


def test_a_clause_after_a_preposition_is_an_adverbial_clause() -> None:
    rows = "left VBD VERB 0 ROOT\nafter IN ADP 1 prep\nwinning VBG VERB 2 pcomp"
    assert _converted(rows) == [
        ("left", "", "root"),
        ("after", "winning", "mark"),
        ("winning", "left", "advcl"),
    ]


@pytest.mark.parametrize(("verb", "relation"), [("awarded", "obj"), ("named", "xcomp")])
def test_what_somebody_was_given_is_an_object_and_what_they_were_named_is_not(
    verb: str, relation: str
) -> None:
    rows = f"She PRP PRON 3 nsubjpass\nwas VBD AUX 3 auxpass\n{verb} VBN VERB 0 ROOT\nprize NN NOUN 3 oprd"
    assert _converted(rows)[-1] == ("prize", verb, relation)


@given(st.data())
def test_whatever_the_labels_the_result_is_a_tree(data: st.DataObject) -> None:
    length = data.draw(st.integers(1, 12))
    order = data.draw(st.permutations(range(length)))
    heads = [0] * length
    heads[order[0]] = -1
    for rank in range(1, length):
        heads[order[rank]] = order[data.draw(st.integers(0, rank - 1))]
    labels = ["ROOT" if head < 0 else data.draw(st.sampled_from(_LABELS)) for head in heads]
    kinds = [data.draw(st.integers(0, len(_WORDS) - 1)) for _ in heads]
    universal, relations = to_universal(
        [_WORDS[kind] for kind in kinds],
        [_TAGS[kind] for kind in kinds],
        [_POS[kind] for kind in kinds],
        heads,
        labels,
    )
    assert is_tree(universal)
    assert [relation == "root" for relation in relations] == [head < 0 for head in universal]


def test_what_is_no_tree_is_told_apart() -> None:
    assert all(map(is_tree, (flat_heads(4), [], [1, 2, -1])))
    assert not any(map(is_tree, ([1, 0, -1], [-1, -1], [0])))
