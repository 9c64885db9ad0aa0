"""Parts of speech of a sentence, so that phrases are regular expressions over a string of letters.

First each word gets the letter that `tags` gives it, then words that can be two things are decided by
their neighbours, after the fashion of Brill's contextual rules (1992).
"""

from __future__ import annotations

from provgraph.extraction.model_free.lexicon import lexicon, verb_base
from provgraph.extraction.model_free.surroundings import (
    FINITE,
    begins_list,
    ends_list,
    has_finite,
    is_bare_chain,
    is_of_object,
    is_singular,
    verb_follows,
)
from provgraph.extraction.model_free.tags import usual_tag
from provgraph.extraction.model_free.tokens import TextToken
from provgraph.extraction.model_free.word_classes import (
    INTRANSITIVE,
    ONLY_PARTICIPLE,
    PARTICLES,
    QUANTIFIERS,
    REPORTING,
    UNCHANGED_PAST,
)

_NOUNISH = "NPCOYA)"


def tag(tokens: list[TextToken]) -> str:
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


def _before(tokens: list[TextToken], index: int) -> str:
    """The letter before, adverbs and "not" skipped; "^" at the start."""
    index -= 1
    while index >= 0 and tokens[index].tag in "RX":
        index -= 1
    return tokens[index].tag if index >= 0 else "^"


def _after(tokens: list[TextToken], index: int) -> str:
    return tokens[index + 1].tag if index + 1 < len(tokens) else "."


def _decide_base_verb(tokens: list[TextToken], index: int) -> str:
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
    if before in "PC" and after not in "DSOP" and has_finite(tokens, index):
        return "N"
    if before == "N" and tokens[index - 1].tag == "N" and is_singular(tokens, index - 1):
        return "N"
    if before == "U" and is_bare_chain(tokens, index):
        return "v"
    if before in "JPC":
        return "V"
    if before in "OWNPU)z,":
        return "V"
    return "v"


def _decide_noun(tokens: list[TextToken], index: int) -> str:
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
        return "N" if has_finite(tokens, index) else "V"
    if (
        token.lower in UNCHANGED_PAST
        and before in "NPCO)"
        and after in "DSCOP"
        and not has_finite(tokens, index)
    ):
        return "V"
    if before in "OW" and verbal and tokens[index - 1].lower not in ("him", "them", "her"):
        return "V"
    if before in "NP)" and token.lower.endswith("s") and token.text[0].islower():
        if not verb_base(token.lower) or has_finite(tokens, index):
            return "N"
        alone = not has_finite(tokens[::-1], len(tokens) - 1 - index)
        return "V" if after in "DSOTZ" or (alone and after in "IzRKNJPC") else "N"
    return "N"


def _looks_verbal(word: str) -> bool:
    return word.endswith(("ate", "ize", "ise", "ify"))


def _decide_past(tokens: list[TextToken], index: int) -> str:
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
    if before == "U" and after in "NP" and ends_list(tokens, index - 1):
        return "J"
    if token.lower in ONLY_PARTICIPLE:
        return "L"
    if before in "OW":
        return "V"
    return _finite_or_reduced(tokens, index, before, after)


def _finite_or_reduced(tokens: list[TextToken], index: int, before: str, after: str) -> str:
    """A participle where it begins the sentence, before "by", or where another verb needs the subject."""
    if tokens[index].lower in INTRANSITIVE:
        return "V"
    if before == "^":
        return "L"
    comma_after_adjective = before == "," and tokens[index - 2].tag == "J"
    if comma_after_adjective and after in "NPJC" and tokens[index].lower not in REPORTING:
        return "J"
    if before in _NOUNISH and index + 1 < len(tokens) and tokens[index + 1].lower == "by":
        return "L"
    if before in "NPC" and after in "NPJ" and is_of_object(tokens, index):
        return "J"
    if after not in "IzTo":
        return "V"
    if before in "NPC" and (verb_follows(tokens, index) or is_of_object(tokens, index)):
        return "L"
    if before == "," and any(t.tag in FINITE for t in tokens[: index - 1]):
        inserted = sum(1 for t in tokens[:index] if t.tag == ",") >= 2
        return "V" if inserted or any(t.tag == "U" for t in tokens[index:]) else "L"
    return "L" if before == "," and verb_follows(tokens, index) else "V"


def _decide_gerund(tokens: list[TextToken], index: int) -> str:
    before, after = _before(tokens, index), _after(tokens, index)
    if before in "DSJA":
        return "J" if after in "NP" else "N"
    return "G"


def _decide_have(tokens: list[TextToken], index: int) -> str:
    return "v" if _before(tokens, index) in "T" else "H"


def _decide_preposition(tokens: list[TextToken], index: int) -> str:
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


def _decide_adjective(tokens: list[TextToken], index: int) -> str:
    """The rich: an adjective that no noun follows stands for one."""
    before, after = _before(tokens, index), _after(tokens, index)
    if before == "D" and after in "BHMFV,.oIW" and tokens[index - 1].lower == "the":
        return "N"
    if before in "TM" and tokens[index].lower in lexicon().verbs and after in "DSOP":
        return "v"
    if before == "M" and tokens[index].lower == "likely":
        return "R"
    if index and tokens[index - 1].tag == "V" and after in ",U" and begins_list(tokens, index):
        return "N"
    return "J"


def _decide_adverb(tokens: list[TextToken], index: int) -> str:
    """Fast food, the then king: an adverb within a noun phrase is an adjective."""
    return "J" if _after(tokens, index) in "N" and index and tokens[index - 1].tag in "DSJNP" else "R"


def _decide_possessive(tokens: list[TextToken], index: int) -> str:
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


def _decide_pronoun(tokens: list[TextToken], index: int) -> str:
    return "P" if tokens[index].text == "I" and _before(tokens, index) == "P" else "O"


def _decide_possessive_pronoun(tokens: list[TextToken], index: int) -> str:
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
