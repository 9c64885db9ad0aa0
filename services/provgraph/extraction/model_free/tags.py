"""What part of speech a word is on its own, as one letter, by the lexicon, by its ending, by its capital.

D determiner       S possessive pronoun  J adjective      N noun            P proper noun
C number           Y date                O pronoun        E "there"         A possessive 's
B finite be        b be, been, being     H have           F do              M modal
V finite verb      v base form           L past participle G -ing form      K particle
I preposition      o "of"                z before, after … (preposition or conjunction)
T to               R adverb              X not            U and, or         u but
W who, which, that Q when, where, what   Z because, if …  , ( ) : " . #     signs
"""

from __future__ import annotations

import re

from provgraph.extraction.model_free.lexicon import lexicon
from provgraph.extraction.model_free.tokens import TextToken

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
    X="not n't n’t never hardly scarcely barely rarely seldom almost nearly neither",
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
    "despite like off including née nee",
    D="a an the this these those every each some any no both all another many several few such",
    R="also only then now later however therefore thus still already often even just too very more most",
    J="other own same first second third last next",
) | {",": ",", ";": ":", ":": ":", "–": ":", "—": ":", "-": ":", "--": ":", "(": "(", ")": ")", "[": "(",
     "]": ")", "-lrb-": "(", "-rrb-": ")", "'": "A", "’": "A", "'s": "A", "’s": "A", ".": ".", "?": ".",
     "!": ".", "``": '"', "''": '"', '"': '"', "“": '"', "”": '"', "%": "N", "$": "#"}  # fmt: skip


_SUFFIXES = (
    ("ly", "R"), ("ing", "G"), ("ed", "V"), ("ous", "J"), ("ful", "J"), ("less", "J"), ("able", "J"),
    ("ible", "J"), ("ive", "J"), ("ic", "J"), ("ical", "J"), ("ish", "J"),
)  # fmt: skip


_NUMBER = re.compile(r"[-+]?\d[\d.,]*(?:st|nd|rd|th|s)?\Z")


def usual_tag(tokens: list[TextToken], index: int) -> str:
    """What the word is on its own."""
    token = tokens[index]
    word = token.text
    first = index == 0 or tokens[index - 1].tag in ('"', ":", ".")
    capital = word[0].isupper()
    fixed = _FIXED.get(token.lower)
    shouted = len(word) > 1 and word.isupper()
    if (
        fixed is not None
        and not shouted
        and (not capital or first or token.lower in ("the", "i", "it", "he", "she"))
    ):
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
        tail = word.rpartition("-")[2].strip()
        return (
            "J" if tail.endswith(("ed", "ing")) or _PENN.get(lexicon().tags.get(tail, "NN")) == "J" else "N"
        )
    return next((letter for ending, letter in _SUFFIXES if word.endswith(ending) and len(word) > 4), "N")


def _capitalised(tokens: list[TextToken], index: int, first: bool) -> str:
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
