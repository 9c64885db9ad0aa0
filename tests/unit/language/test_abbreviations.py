"""Short forms are explained by what stands beside them, and by nothing that does not have their letters."""

from __future__ import annotations

import pytest

from provgraph.language.abbreviations import initials_of, long_forms


@pytest.mark.parametrize(
    ("text", "short", "long"),
    [
        ("We rely on maximum inner product search (MIPS).", "MIPS", "maximum inner product search"),
        ("The NSP (next sentence prediction) task is binary.", "NSP", "next sentence prediction"),
        (
            "a model called HERON, which stands for Heavy Engines Running On Nitrogen.",
            "HERON",
            "Heavy Engines",
        ),
        ("Generalized linear models (GLMs) are fitted.", "GLMs", "Generalized linear models"),
    ],
)
def test_a_short_form_is_explained(text: str, short: str, long: str) -> None:
    (form,) = long_forms(text)
    assert form.short == short
    assert form.long.startswith(long)
    assert text[form.start :].startswith(form.long)


def test_what_has_other_letters_explains_nothing() -> None:
    assert not list(long_forms("The parser (CPU) was slow (Smith, 2004) in Table (A)."))


def test_words_with_its_initials_may_be_meant() -> None:
    assert initials_of("SVM", "Most support vector machines are fast.") == "support vector machines"
    assert initials_of("SVM", "Some very, many.") == ""
    assert initials_of("AI", "any idea") == ""
