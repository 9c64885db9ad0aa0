"""Universal parts of speech from Penn Treebank tags and the word's place in the tree."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

_OF_TAG: Final = {
    "NN": "NOUN", "NNS": "NOUN", "NNP": "PROPN", "NNPS": "PROPN", "VB": "VERB", "VBD": "VERB", "VBG": "VERB",
    "VBN": "VERB", "VBP": "VERB", "VBZ": "VERB", "MD": "AUX", "IN": "ADP", "TO": "PART", "DT": "DET", "PDT": "DET",
    "WDT": "PRON", "WP": "PRON", "WP$": "PRON", "PRP": "PRON", "PRP$": "PRON", "EX": "PRON", "RB": "ADV", "RBR": "ADV",
    "RBS": "ADV", "WRB": "ADV", "RP": "ADP", "CD": "NUM", "CC": "CCONJ", "POS": "PART", "UH": "INTJ", "JJ": "ADJ",
    "JJR": "ADJ", "JJS": "ADJ", "AFX": "ADJ", "$": "SYM", "SYM": "SYM", "#": "SYM", ".": "PUNCT", ",": "PUNCT",
    ":": "PUNCT", "``": "PUNCT", "''": "PUNCT", "-LRB-": "PUNCT", "-RRB-": "PUNCT", "HYPH": "PUNCT", "NFP": "PUNCT",
}  # fmt: skip
_AUXILIARY: Final = frozenset({"aux", "aux:pass", "cop"})
_ARGUMENT: Final = frozenset(
    {"nsubj", "nsubj:pass", "obj", "obl", "nmod", "root", "conj", "iobj", "nmod:poss"}
)
_NOT: Final = frozenset({"not", "n't", "n’t"})


@lru_cache(maxsize=20_000)
def universal_pos(tag: str, relation: str, word: str) -> str:
    """`word` in lower case. Words that a tag leaves open are told apart by what they are to their head."""
    if tag.startswith("VB") and relation in _AUXILIARY:
        return "AUX"
    if relation == "mark" and tag in {"IN", "WRB"}:
        return "SCONJ"
    if tag == "TO" and relation == "case":
        return "ADP"
    if tag == "DT" and relation in _ARGUMENT:
        return "PRON"
    if tag == "WDT" and relation == "det":
        return "DET"
    return "PART" if word in _NOT else _OF_TAG.get(tag, "X")
