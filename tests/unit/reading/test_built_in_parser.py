"""The parser of the package: exact words, one tree a sentence, whatever the text; and that it reads English."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from provgraph.language.sentences import sentence_spans
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.parser.decoding import spanning_tree, trees
from provgraph.reading.parser.lemmas import lemma
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.trees import is_tree

PARSER = BuiltInParser()


def _parsed(text: str) -> ParsedSentence:
    [sentence] = PARSER.parse(text, [(0, len(text))])
    return sentence


def _relations(text: str) -> dict[str, tuple[str, str]]:
    tokens = _parsed(text).tokens
    return {
        token.text: (tokens[token.head].text if token.head >= 0 else "", token.relation) for token in tokens
    }


@given(
    st.text(max_size=120)
    | st.lists(st.sampled_from("Ada won , ( - and the 5 of is . ?".split())).map(" ".join)
)
@settings(deadline=None)
def test_any_text_gives_exact_words_and_trees_with_one_root(text: str) -> None:
    spans = sentence_spans(text)
    sentences = PARSER.parse(text, spans)
    assert [(sentence.start, sentence.end) for sentence in sentences] == spans
    for sentence in sentences:
        assert all(text[token.start : token.end] == token.text for token in sentence.tokens)
        assert "".join(token.text for token in sentence.tokens) == "".join(
            text[sentence.start : sentence.end].split()
        )
        assert is_tree([token.head for token in sentence.tokens])
        assert all((token.relation == "root") == (token.head < 0) for token in sentence.tokens)
        assert [token.index for token in sentence.tokens] == list(range(len(sentence.tokens)))


def test_ten_thousand_words_are_one_tree() -> None:
    sentence = _parsed("word and " * 5_000)
    assert len(sentence.tokens) == 10_000
    assert is_tree([token.head for token in sentence.tokens])


def test_nothing_is_no_sentence_and_white_space_no_word() -> None:
    assert PARSER.parse("", []) == []
    assert _parsed("  \n ").tokens == ()


def test_what_stands_beside_a_sentence_changes_nothing() -> None:
    text = (
        "Ada Novak founded the lab in Rome.\nIt was sold.\nWho bought the lab that she had founded, and when?"
    )
    spans = [(0, 34), (35, 47), (48, len(text))]
    together = PARSER.parse(text, spans)
    assert together == [PARSER.parse(text, [span])[0] for span in spans]


def test_threads_share_one_parser() -> None:
    text = "The lab was founded by Ada Novak in 1999."
    with ThreadPoolExecutor(4) as pool:
        assert len(set(pool.map(lambda _: repr(_parsed(text)), range(20)))) == 1


def test_a_passive_sentence_names_who_did_it() -> None:
    relations = _relations("The laboratory was founded by Ada Novak in 1999.")
    assert relations["laboratory"] == ("founded", "nsubj:pass")
    assert relations["was"] == ("founded", "aux:pass")
    assert relations["Novak"] == ("founded", "obl:agent")
    assert relations["1999"] == ("founded", "obl")


def test_the_predicate_of_a_copula_is_the_root() -> None:
    relations = _relations("Marie Curie was a French physicist.")
    assert relations["physicist"] == ("", "root")
    assert relations["was"] == ("physicist", "cop")
    assert relations["Curie"] == ("physicist", "nsubj")


def test_a_question_is_read_too() -> None:
    relations = _relations("When did the company buy the factory?")
    assert relations["company"] == ("buy", "nsubj")
    assert relations["factory"] == ("buy", "obj")
    assert relations["did"] == ("buy", "aux")
    assert relations["When"] == ("buy", "advmod")


def test_names_and_dates_are_entities() -> None:
    labels = {
        token.text: token.entity for token in _parsed("Barack Obama was born in Honolulu in 1961.").tokens
    }
    assert [labels[word] for word in ("Barack", "Obama", "1961", "born")] == [
        "B-PERSON",
        "I-PERSON",
        "B-DATE",
        "",
    ]
    assert labels["Honolulu"] == "B-PLACE"


@pytest.mark.parametrize(
    ("word", "tag", "pos", "expected"),
    [
        ("Founded", "VBD", "VERB", "found"),
        ("making", "VBG", "VERB", "make"),
        ("stopped", "VBN", "VERB", "stop"),
        ("opened", "VBN", "VERB", "open"),
        ("wrote", "VBD", "VERB", "write"),
        ("carries", "VBZ", "VERB", "carry"),
        ("was", "VBD", "AUX", "be"),
        ("n't", "RB", "PART", "not"),
        ("'s", "POS", "PART", "'s"),
        ("women", "NNS", "NOUN", "woman"),
        ("companies", "NNS", "NOUN", "company"),
        ("analyses", "NNS", "NOUN", "analysis"),
        ("happier", "JJR", "ADJ", "happy"),
        ("largest", "JJS", "ADJ", "large"),
        ("Its", "PRP$", "PRON", "its"),
        ("them", "PRP", "PRON", "they"),
        ("States", "NNPS", "PROPN", "States"),
    ],
)
def test_lemmas(word: str, tag: str, pos: str, expected: str) -> None:
    assert lemma(word, tag, pos) == expected


@given(st.integers(1, 9), st.integers(0, 10_000))
def test_the_best_tree_is_found_where_the_greedy_one_is_none(length: int, seed: int) -> None:
    arcs = np.random.default_rng(seed).normal(size=(1, length, length + 1)).astype(np.float32)
    [heads] = trees(arcs.copy(), np.array([length]))
    assert is_tree(heads.tolist())
    root = int(np.flatnonzero(heads < 0)[0])
    assert _total(arcs[0], heads.tolist()) >= _best_total(arcs[0], root) - 1e-4
    assert is_tree(spanning_tree(arcs[0]).tolist())


def _total(arcs: np.ndarray, heads: list[int]) -> float:
    return float(sum(arcs[word, head + 1] for word, head in enumerate(heads)))


def _best_total(arcs: np.ndarray, root: int) -> float:
    """By hill climbing over single changes from a star, which no best tree is below."""
    heads = [root if word != root else -1 for word in range(len(arcs))]
    improved = True
    while improved:
        improved = False
        for word in range(len(arcs)):
            for head in range(len(arcs)):
                changed = [*heads[:word], head, *heads[word + 1 :]]
                if (
                    word not in (root, head)
                    and is_tree(changed)
                    and _total(arcs, changed) > _total(arcs, heads) + 1e-6
                ):
                    heads, improved = changed, True
    return _total(arcs, heads)


def test_a_word_says_how_sure_its_head_is() -> None:
    text = "Ada Quist founded the mill. They met Quist of Halden, a firm, and Berg, in Moss, a town."
    plain, tangled = BuiltInParser().parse(text, sentence_spans(text))
    assert all(0 <= token.certainty <= 1.001 for token in (*plain.tokens, *tangled.tokens))
    assert min(token.certainty for token in plain.tokens) > min(token.certainty for token in tangled.tokens)
