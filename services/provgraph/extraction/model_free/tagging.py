"""Parts of speech, one letter a token, so that phrases are regular expressions over a string of letters.

    D determiner       S possessive pronoun  J adjective      N noun            P proper noun
    C number           Y date                O pronoun        E "there"         A possessive 's
    B finite be        b be, been, being     H have           F do              M modal
    V finite verb      v base form           L past participle G -ing form      K particle
    I preposition      o "of"                z before, after … (preposition or conjunction)
    T to               R adverb              X not            U and, or         u but
    W who, which, that Q when, where, what   Z because, if …  , ( ) : " . #     signs

First each word gets what the lexicon or its ending says, then words that can be two things are decided by
their neighbours, after the fashion of Brill's contextual rules (1992).
"""

from __future__ import annotations

import re

from provgraph.extraction.model_free.lexicon import lexicon, verb_base
from provgraph.extraction.model_free.tokens import Token

_PENN = {
    "DT": "D", "PDT": "D", "PRP$": "S", "JJ": "J", "JJR": "J", "JJS": "J", "NN": "N", "NNS": "N",
    "NNP": "P", "NNPS": "P", "CD": "C", "PRP": "O", "EX": "E", "POS": "A", "MD": "M",
    "VBD": "V", "VBZ": "V", "VBP": "v", "VB": "v", "VBN": "L", "VBG": "G", "IN": "I", "TO": "T",
    "RB": "R", "RBR": "R", "RBS": "R", "RP": "K", "CC": "U", "WDT": "W", "WP": "W", "WP$": "W", "WRB": "Q",
    "UH": "R", "FW": "N", "SYM": "#", "LS": "#",
}  # fmt: skip


def _table(**letters: str) -> dict[str, str]:
    return {word: letter for letter, words in letters.items() for word in words.split()}


_FIXED = _table(
    B="is are was were am",
    b="be been being",
    H="has have had",
    F="do does did",
    M="will would can could may might must shall should cannot ca wo",
    X="not n't n’t never",
    U="and or &",
    u="but nor yet",
    W="who which whom whose",
    Q="when where what how why whatever whoever",
    Z="because although though while if whether unless whereas lest",
    z="before after since until as than till",
    T="to",
    o="of",
    S="his her its their our my your",
    O="he she it they we i you him them us me himself herself itself themselves",
    E="there",
    I="in on at by for from with into during among between under against through within without across "
    "behind near via per toward towards upon onto throughout about above below beneath beside beyond "
    "despite like off including",
    D="a an the this these those every each some any no both all another",
    R="also only then now later however therefore thus not still already often even just too very more most",
    J="many several few such other own same first second third last next",
) | {",": ",", ";": ":", ":": ":", "–": ":", "—": ":", "-": ":", "--": ":", "(": "(", ")": ")", "[": "(",
     "]": ")", "-lrb-": "(", "-rrb-": ")", "'": "A", "’": "A", "'s": "A", "’s": "A", ".": ".", "?": ".",
     "!": ".", "``": '"', "''": '"', '"': '"', "“": '"', "”": '"', "%": "N", "$": "#"}  # fmt: skip

_SUFFIXES = (
    ("ly", "R"), ("ing", "G"), ("ed", "V"), ("ous", "J"), ("ful", "J"), ("less", "J"), ("able", "J"),
    ("ible", "J"), ("ive", "J"), ("ic", "J"), ("ical", "J"), ("ish", "J"),
)  # fmt: skip
_ONLY_PARTICIPLE = frozenset(
    ["born", "known", "seen", "taken", "given", "written", "shown", "drawn", "grown", "done", "gone", "begun", "sung", "chosen", "broken", "spoken", "driven", "fallen", "eaten", "risen", "worn", "torn", "thrown", "flown", "blown", "hidden", "ridden", "forgotten", "stolen", "frozen", "sworn", "proven"]
)
_QUANTIFIERS = frozenset("many few several others".split())
_PARTICLES = frozenset(["up", "out", "off", "down", "away", "back", "over"])
_NOUNISH = "NPCOYA)"
_FINITE = "BHFMV"
_CLAUSE_END = frozenset(",:.WZQU")
_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:st|nd|rd|th|s)?\Z")


def tag(tokens: list[Token]) -> str:
    """Set the tag of every token, and give them all as one string."""
    for index, token in enumerate(tokens):
        if not token.tag:
            token.tag = _usual_tag(tokens, index)
    for index in range(len(tokens)):
        decide = _DECISIONS.get(tokens[index].tag)
        if decide is not None:
            tokens[index].tag = decide(tokens, index)
    return "".join([token.tag for token in tokens])


def _usual_tag(tokens: list[Token], index: int) -> str:
    """What the word is on its own."""
    token = tokens[index]
    word = token.text
    first = index == 0 or tokens[index - 1].tag in ('"', ":", ".")
    capital = word[0].isupper()
    fixed = _FIXED.get(token.lower)
    if fixed is not None and (not capital or first or token.lower in ("the", "i")):
        return fixed
    known = lexicon().tags
    if capital:
        return _capitalised(tokens, index, first)
    if _NUMBER.match(word):
        return "C"
    penn = known.get(word)
    if penn is not None:
        return _PENN.get(penn, "#")
    return _unknown(word)


def _unknown(word: str) -> str:
    if not word[0].isalnum():
        return "#"
    if "-" in word:
        tail = word.rpartition("-")[2]
        return (
            "J" if tail.endswith(("ed", "ing")) or _PENN.get(lexicon().tags.get(tail, "NN")) == "J" else "N"
        )
    return next((letter for ending, letter in _SUFFIXES if word.endswith(ending) and len(word) > 4), "N")


def _capitalised(tokens: list[Token], index: int, first: bool) -> str:
    """A name, but for nationalities and for the word that opens a sentence."""
    token = tokens[index]
    known = lexicon().tags
    exact = known.get(token.text, "")
    if exact in ("JJ", "NNPS", "NNP") and not (first and token.lower in known):
        return "J" if exact == "JJ" and token.lower not in known else "P"
    if not first or token.text[1:2].isupper():
        return "P"
    lower = known.get(token.lower)
    follows_name = index + 1 < len(tokens) and tokens[index + 1].text[:1].isupper()
    letter = _PENN.get(lower, "#") if lower else ("J" if exact == "JJ" else "P")
    if follows_name and letter in "NvVLG":
        return "P"
    return "P" if exact == "NNP" and letter in "NVv" else letter


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
    if before in "DSAoI" or (before == "J" and not tokens[index - 1].lower in _QUANTIFIERS):
        return "N"
    if before in "PC" and after not in "DSOP" and _has_finite(tokens, index):
        return "N"
    if before == "U" and _is_bare_chain(tokens, index):
        return "v"
    if before in "JPC":
        return "V"
    if before in "OWNPU)z,":
        return "V"
    return "v"


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
    known = lexicon()
    if before in "TMF" and after not in "oVBHM" and (token.lower in known.verbs or _looks_verbal(token.lower)):
        return "v"
    if index and tokens[index - 1].tag == "R" and before in "NPCO" and token.lower in known.verbs:
        return "N" if _has_finite(tokens, index) else "V"
    if (
        before in "OW"
        and token.lower in known.verbs
        and tokens[index - 1].lower not in ("him", "them", "her")
    ):
        return "V"
    if before in "NP)" and token.lower.endswith("s") and token.text[0].islower():
        goes_on = after in "DSO" or (after in "TZ" and index > 0)
        return "V" if goes_on and verb_base(token.lower) and not _has_finite(tokens, index) else "N"
    return "N"


def _looks_verbal(word: str) -> bool:
    return word.endswith(("ate", "ize", "ise", "ify"))


def _has_finite(tokens: list[Token], index: int) -> bool:
    """Whether this stretch between commas and conjunctions has a finite verb already."""
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
    if before in "DSJAoIC" and after in "NPJ":
        return "J"
    if before == "T":
        return "v"
    if token.lower in _ONLY_PARTICIPLE:
        return "L"
    if before in "OW":
        return "V"
    return _finite_or_reduced(tokens, index, before, after)


def _finite_or_reduced(tokens: list[Token], index: int, before: str, after: str) -> str:
    """A participle where it begins the sentence, where "by" follows, or where another verb needs the subject."""
    if before == "^":
        return "L"
    if before == "," and tokens[index - 2].tag == "J" and after in "NPJC":
        return "J"
    if before in _NOUNISH and index + 1 < len(tokens) and tokens[index + 1].lower == "by":
        return "L"
    if after not in "IzTo":
        return "V"
    if before in "NPC" and (_verb_follows(tokens, index) or _object_of_be(tokens, index)):
        return "L"
    if before == "," and any(t.tag in _FINITE for t in tokens[: index - 1]):
        inserted = sum(1 for t in tokens[:index] if t.tag == ",") >= 2
        return "V" if inserted or any(t.tag == "U" for t in tokens[index:]) else "L"
    return "L" if before == "," and _verb_follows(tokens, index) else "V"


def _verb_follows(tokens: list[Token], index: int) -> bool:
    """The company founded in 1919 is …"""
    for other in tokens[index + 1 :]:
        if other.tag in _CLAUSE_END or other.tag == "O":
            return other.tag == "," and tokens[index - 1].tag == ","
        if other.tag in "BHM":
            return True
    return False


def _object_of_be(tokens: list[Token], index: int) -> bool:
    """… is a tank founded in 2005: a verb with nothing between that could begin a clause."""
    for other in reversed(tokens[:index]):
        if other.tag in _CLAUSE_END:
            return False
        if other.tag in _FINITE:
            return other.tag == "B" or other.lower in ("has", "have", "had", "became", "remained")
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
    if token.lower in _PARTICLES and before in "VvLG" and after not in "DSNPO":
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
    if before == "D" and after in "BHMFV,.oIW" and tokens[index - 1].lower in ("the", "a", "an"):
        return "N"
    if before in "TM" and tokens[index].lower in lexicon().verbs and after in "DSOP":
        return "v"
    return "J"


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
}
