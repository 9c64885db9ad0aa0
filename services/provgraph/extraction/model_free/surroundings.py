"""What stands around a word: which verbs, lists and clause ends before and after it."""

from __future__ import annotations

from provgraph.extraction.model_free.tokens import TextToken
from provgraph.extraction.model_free.word_classes import IRREGULAR_PLURALS, LINKING, REPORTING

FINITE = "BHFMV"
CLAUSE_END = frozenset(",:.WZQU")


def is_singular(tokens: list[TextToken], index: int) -> bool:
    """Whether the noun is alone in the singular, so that no base form can be its verb: a mountain pass."""
    return (
        not tokens[index].lower.endswith("s")
        and tokens[index].lower not in IRREGULAR_PLURALS
        and not any(token.tag == "U" for token in tokens[max(0, index - 6) : index])
    )


def is_bare_chain(tokens: list[TextToken], index: int) -> bool:
    """To change X and modify Y: the form after "and" goes on with the infinitive."""
    for other in reversed(tokens[:index]):
        if other.tag in "TM":
            return True
        if other.tag in "VBHF":
            return False
    return False


def has_finite(tokens: list[TextToken], index: int) -> bool:
    """Whether the stretch before `index`, back to a comma or conjunction, has a finite verb."""
    for other in reversed(tokens[:index]):
        if other.tag in CLAUSE_END:
            return False
        if other.tag in FINITE:
            return True
    return False


def ends_list(tokens: list[TextToken], conjunction: int) -> bool:
    """Amber, salt and (dried cod): nouns with a comma between them stand before."""
    place = conjunction - 1
    while place >= 0 and tokens[place].tag in "NJP":
        place -= 1
    return conjunction - 1 > place > 0 and tokens[place].tag == "," and tokens[place - 1].tag in "NP"


def verb_follows(tokens: list[TextToken], index: int) -> bool:
    """The company founded in 1919 is …"""
    for other in tokens[index + 1 :]:
        if other.tag in ",:.WZQO" or (other.tag == "U" and tokens[index - 1].tag != ","):
            return other.tag == "," and tokens[index - 1].tag == ","
        if other.tag in "BHM":
            return True
    return False


def is_of_object(tokens: list[TextToken], index: int) -> bool:
    """Meets the criteria specified in: a finite verb stands before, with nothing between to begin a clause."""
    for place in range(index - 1, -1, -1):
        other = tokens[place]
        if other.tag in CLAUSE_END:
            return False
        if other.tag in FINITE:
            relative = place > 1 and tokens[place - 1].tag == "O" and tokens[place - 2].tag in "NPW"
            return other.lower not in REPORTING and not relative
    return False


def begins_list(tokens: list[TextToken], index: int) -> bool:
    """Exported amber, salt and cod: the verb is no linking one, and nouns follow."""
    following = [token.tag for token in tokens[index + 2 : index + 4]]
    return tokens[index - 1].lower not in LINKING and following[:1] == ["N"] and following[1:] != ["N"]
