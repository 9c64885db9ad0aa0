"""Other wordings of a question: noise by lot, and negations by rule."""

from __future__ import annotations

from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st

from provgraph.evaluation.questions import SUPPORTS
from provgraph.evaluation.wordings import PERTURBATIONS, negation, perturbed, wordings
from unit.evaluation.cases import question

ASKED = "Who directed the film that was shot near Leland, North Carolina in 1986?"


@pytest.mark.parametrize("kind", PERTURBATIONS)
def test_the_same_seed_gives_the_same_noise_and_another_seed_other_noise(kind: str) -> None:
    found = {perturbed(ASKED, kind, str(seed)) for seed in range(20)}
    assert perturbed(ASKED, kind, "1") == perturbed(ASKED, kind, "1") != ASKED
    assert len(found) > 1 or kind == "synonyms"


def test_typos_hit_one_word_in_five_and_spare_numbers_and_short_words() -> None:
    before, after = ASKED.split(), perturbed(ASKED, "typos", "1").split()
    changed = [old for old, new in zip(before, after, strict=True) if old != new]
    assert 1 <= len(changed) <= 2
    assert all(len(word.strip("?,.")) >= 4 for word in changed)
    assert "1986?" in after


def test_synonyms_keep_capitals_and_leave_other_words_alone() -> None:
    assert perturbed("Film of an author", "synonyms", "1") == "Movie of an writer"


@given(st.lists(st.text("abcdef", min_size=1), min_size=1, max_size=30), st.integers())
def test_words_move_by_three_places_at_most(given_words: list[str], seed: int) -> None:
    numbered = [f"{word}{number}" for number, word in enumerate(given_words)]
    moved = perturbed(" ".join(numbered) + "?", "word-order", str(seed))
    assert moved.endswith("?")
    after = moved.removesuffix("?").split()
    assert Counter(after) == Counter(numbered)
    assert all(abs(after.index(word) - place) <= 3 for place, word in enumerate(numbered))


@given(st.text(), st.sampled_from(sorted(PERTURBATIONS)))
def test_any_text_can_be_perturbed(text: str, kind: str) -> None:
    assert isinstance(perturbed(text, kind, "1"), str)


@pytest.mark.parametrize(
    ("claim", "denied"),
    [
        ("Helmand Province is in Iraq.", "Helmand Province is not in Iraq."),
        ("Rupert Murdoch is not a broadcaster.", "Rupert Murdoch is a broadcaster."),
        ("He isn't a broadcaster.", "He is a broadcaster."),
        ("It won't rain.", "It will rain."),
        ("Craig David has avoided popular music.", "Craig David has not avoided popular music."),
        ("Osamu Tezuka has a French mother.", "It is not true that Osamu Tezuka has a French mother."),
        ("Shinji Mikami directed Halo.", "It is not true that Shinji Mikami directed Halo."),
        ("Will Smith sings.", "It is not true that Will Smith sings."),
    ],
)
def test_a_claim_is_denied_at_its_verb_or_as_a_whole(claim: str, denied: str) -> None:
    assert negation(claim) == denied


@given(st.text(max_size=80))
def test_a_negation_is_never_the_claim(claim: str) -> None:
    assert negation(claim) != claim


def test_claims_are_negated_and_questions_are_not() -> None:
    claim = question("Polonium is a metal.", label=SUPPORTS, paraphrases=("Polonium counts as a metal.",))
    assert [each.variant for each in wordings(claim, (), True, 1)] == ["original", "paraphrase 1", "negation"]
    assert [each.variant for each in wordings(claim, (), False, 1)] == ["original"]
    asked = wordings(question("Is it?"), ("typos", "synonyms"), True, 1)
    assert [each.variant for each in asked] == ["original"], "nothing could be changed"
