"""Parts of speech of a sentence, so that phrases are regular expressions over a string of letters.

First each word gets the letter that `tags` gives it, then words that can be two things are decided by
their neighbours, after the fashion of Brill's contextual rules (1992).
"""

from __future__ import annotations

from provgraph.extraction.model_free.lexicon import lexicon, verb_base
from provgraph.extraction.model_free.tags import usual_tag
from provgraph.extraction.model_free.tokens import Token
from provgraph.extraction.model_free.word_classes import (
    INTRANSITIVE,
    IRREGULAR_PLURALS,
    LINKING,
    ONLY_PARTICIPLE,
    PARTICLES,
    QUANTIFIERS,
    REPORTING,
    UNCHANGED_PAST,
)

_NOUNISH = "NPCOYA)"
_FINITE = "BHFMV"
_CLAUSE_END = frozenset(",:.WZQU")


def tag(tokens: list[Token]) -> str:
    """Set the tag of every token, and give them all as one string."""
    for index, token in enumerate(tokens):
        if not token.tag:
            token.tag = usual_tag(tokens, index)
        if token.lower == "longer" and index and tokens[index - 1].lower == "no":
            token.tag = tokens[index - 1].tag = "X"
    for index in range(len(tokens)):
        decide = _DECISIONS.get(tokens[index].tag)
        if decide is not None:
            tokens[index].tag = decide(tokens, index)
    return "".join([token.tag for token in tokens])


def _before(tokens: list[Token], index: int) -> str:
    """The letter before, adverbs and "not" skipped; "^" at the start."""
    index -= 1
    while index >= 0 and tokens[index].tag in "RX":
        index -= 1
    return tokens[index].tag if index >= 0 else "^"


def _after(tokens: list[Token], index: int) -> str:
    return tokens[index + 1].tag if index + 1 < len(tokens) else "."


def _decide_base_verb(tokens: list[Token], index: int) -> str:
    """A word that is mostly a verb: noun after a determiner, infinitive after to or a modal, else finite."""
    before, after = _before(tokens, index), _after(tokens, index)
    if before in "TMF":
        return "v"
    if before == "H":
        return "L"
    if before in "DJ" and tokens[index - 1].lower in QUANTIFIERS:
        return "V"
    if before in "DSJAoI":
        return "N"
    if before in "PC" and after not in "DSOP" and _has_finite(tokens, index):
        return "N"
    if before == "N" and tokens[index - 1].tag == "N" and _is_singular(tokens, index - 1):
        return "N"
    if before == "U" and _is_bare_chain(tokens, index):
        return "v"
    if before in "JPC":
        return "V"
    if before in "OWNPU)z,":
        return "V"
    return "v"


def _is_singular(tokens: list[Token], index: int) -> bool:
    """Whether the noun is alone in the singular, so that no base form can be its verb: a mountain pass."""
    return (
        not tokens[index].lower.endswith("s")
        and tokens[index].lower not in IRREGULAR_PLURALS
        and not any(token.tag == "U" for token in tokens[max(0, index - 6) : index])
    )


def _is_bare_chain(tokens: list[Token], index: int) -> bool:
    """To change X and modify Y: the form after "and" goes on with the infinitive."""
    for other in reversed(tokens[:index]):
        if other.tag in "TM":
            return True
        if other.tag in "VBHF":
            return False
    return False


def _decide_noun(tokens: list[Token], index: int) -> str:
    """A word that is mostly a noun, where its place says that it is a verb."""
    token = tokens[index]
    before, after = _before(tokens, index), _after(tokens, index)
    if "-" in token.text and after in "NJP":
        return "J"
    known = lexicon()
    verbal = token.lower in known.verbs or verb_base(token.lower) is not None
    if (
        before in "TMF"
        and after not in "oVBHM"
        and (token.lower in known.verbs or _looks_verbal(token.lower))
    ):
        return "v"
    if index and tokens[index - 1].tag == "R" and before in "NPCOU" and verbal:
        return "N" if _has_finite(tokens, index) else "V"
    if (
        token.lower in UNCHANGED_PAST
        and before in "NPCO)"
        and after in "DSCOP"
        and not _has_finite(tokens, index)
    ):
        return "V"
    if before in "OW" and verbal and tokens[index - 1].lower not in ("him", "them", "her"):
        return "V"
    if before in "NP)" and token.lower.endswith("s") and token.text[0].islower():
        if not verb_base(token.lower) or _has_finite(tokens, index):
            return "N"
        alone = not _has_finite(tokens[::-1], len(tokens) - 1 - index)
        return "V" if after in "DSOTZ" or (alone and after in "IzRKNJPC") else "N"
    return "N"


def _looks_verbal(word: str) -> bool:
    return word.endswith(("ate", "ize", "ise", "ify"))


def _has_finite(tokens: list[Token], index: int) -> bool:
    """Whether the stretch before `index`, back to a comma or conjunction, has a finite verb."""
    for other in reversed(tokens[:index]):
        if other.tag in _CLAUSE_END:
            return False
        if other.tag in _FINITE:
            return True
    return False


def _decide_past(tokens: list[Token], index: int) -> str:
    """A form in -ed, or of that kind: finite verb, participle, or adjective before its noun."""
    token = tokens[index]
    before, after = _before(tokens, index), _after(tokens, index)
    if token.lower.endswith("s") and not token.lower.endswith("ss"):
        return "N" if before in "DSJAo" else "V"
    if before in "BbH":
        return "L"
    if before in "DSJAoIC" and after in "NPJG":
        return "J"
    if before == "T":
        return "v"
    if after in "NJ" and index and tokens[index - 1].tag in "Vv" and tokens[index - 1].lower not in REPORTING:
        return "J"
    if before == "U" and after in "NP" and _ends_list(tokens, index - 1):
        return "J"
    if token.lower in ONLY_PARTICIPLE:
        return "L"
    if before in "OW":
        return "V"
    return _finite_or_reduced(tokens, index, before, after)


def _ends_list(tokens: list[Token], conjunction: int) -> bool:
    """Amber, salt and (dried cod): nouns with a comma between them stand before."""
    place = conjunction - 1
    while place >= 0 and tokens[place].tag in "NJP":
        place -= 1
    return conjunction - 1 > place > 0 and tokens[place].tag == "," and tokens[place - 1].tag in "NP"


def _finite_or_reduced(tokens: list[Token], index: int, before: str, after: str) -> str:
    """A participle where it begins the sentence, before "by", or where another verb needs the subject."""
    if tokens[index].lower in INTRANSITIVE:
        return "V"
    if before == "^":
        return "L"
    if before == "," and tokens[index - 2].tag == "J" and after in "NPJC":
        return "J"
    if before in _NOUNISH and index + 1 < len(tokens) and tokens[index + 1].lower == "by":
        return "L"
    if before in "NPC" and after in "NPJ" and _is_of_object(tokens, index):
        return "J"
    if after not in "IzTo":
        return "V"
    if before in "NPC" and (_verb_follows(tokens, index) or _is_of_object(tokens, index)):
        return "L"
    if before == "," and any(t.tag in _FINITE for t in tokens[: index - 1]):
        inserted = sum(1 for t in tokens[:index] if t.tag == ",") >= 2
        return "V" if inserted or any(t.tag == "U" for t in tokens[index:]) else "L"
    return "L" if before == "," and _verb_follows(tokens, index) else "V"


def _verb_follows(tokens: list[Token], index: int) -> bool:
    """The company founded in 1919 is …"""
    for other in tokens[index + 1 :]:
        if other.tag in ",:.WZQO" or (other.tag == "U" and tokens[index - 1].tag != ","):
            return other.tag == "," and tokens[index - 1].tag == ","
        if other.tag in "BHM":
            return True
    return False


def _is_of_object(tokens: list[Token], index: int) -> bool:
    """Meets the criteria specified in: a finite verb stands before, with nothing between to begin a clause."""
    for place in range(index - 1, -1, -1):
        other = tokens[place]
        if other.tag in _CLAUSE_END:
            return False
        if other.tag in _FINITE:
            relative = place > 1 and tokens[place - 1].tag == "O" and tokens[place - 2].tag in "NPW"
            return other.lower not in REPORTING and not relative
    return False


def _decide_gerund(tokens: list[Token], index: int) -> str:
    before, after = _before(tokens, index), _after(tokens, index)
    if before in "DSJA":
        return "J" if after in "NP" else "N"
    return "G"


def _decide_have(tokens: list[Token], index: int) -> str:
    return "v" if _before(tokens, index) in "T" else "H"


def _decide_preposition(tokens: list[Token], index: int) -> str:
    """That, and the particles of phrasal verbs."""
    token = tokens[index]
    before, after = _before(tokens, index), _after(tokens, index)
    if token.lower == "that":
        return _decide_that(before, after)
    if token.lower in PARTICLES and before in "VvLG" and after not in "DSNPO":
        return "K"
    return "I"


def _decide_that(before: str, after: str) -> str:
    if before in "NP)," and after not in "N":
        return "W"
    if before in "VvLGJB":
        return "Z"
    return "D" if after in "NJPBHVM" else "Z"


def _decide_adjective(tokens: list[Token], index: int) -> str:
    """The rich: an adjective that no noun follows stands for one."""
    before, after = _before(tokens, index), _after(tokens, index)
    if before == "D" and after in "BHMFV,.oIW" and tokens[index - 1].lower == "the":
        return "N"
    if before in "TM" and tokens[index].lower in lexicon().verbs and after in "DSOP":
        return "v"
    if before == "M" and tokens[index].lower == "likely":
        return "R"
    if index and tokens[index - 1].tag == "V" and after in ",U" and _begins_list(tokens, index):
        return "N"
    return "J"


def _begins_list(tokens: list[Token], index: int) -> bool:
    """Exported amber, salt and cod: the verb is no linking one, and nouns follow."""
    following = [token.tag for token in tokens[index + 2 : index + 4]]
    return tokens[index - 1].lower not in LINKING and following[:1] == ["N"] and following[1:] != ["N"]


def _decide_adverb(tokens: list[Token], index: int) -> str:
    """Fast food, the then king: an adverb within a noun phrase is an adjective."""
    return "J" if _after(tokens, index) in "N" and index and tokens[index - 1].tag in "DSJNP" else "R"


def _decide_possessive(tokens: list[Token], index: int) -> str:
    """It's is a verb, Curie's is not; a lone apostrophe counts after a word on -s only."""
    before = tokens[index - 1] if index else None
    if before is None:
        return '"'
    if tokens[index].lower in ("'s", "’s"):
        return "B" if before.tag in "OEWQ" else "A"
    return (
        "A"
        if before.tag in "NP" and before.lower.endswith("s") and before.end == tokens[index].start
        else '"'
    )


def _decide_pronoun(tokens: list[Token], index: int) -> str:
    return "P" if tokens[index].text == "I" and _before(tokens, index) == "P" else "O"


def _decide_possessive_pronoun(tokens: list[Token], index: int) -> str:
    """Her before a noun is possessive, elsewhere an object."""
    return "O" if tokens[index].lower == "her" and _after(tokens, index) not in "NPJRCGLVv" else "S"


_DECISIONS = {
    "v": _decide_base_verb,
    "N": _decide_noun,
    "V": _decide_past,
    "L": _decide_past,
    "G": _decide_gerund,
    "H": _decide_have,
    "I": _decide_preposition,
    "J": _decide_adjective,
    "A": _decide_possessive,
    "O": _decide_pronoun,
    "S": _decide_possessive_pronoun,
    "R": _decide_adverb,
}
