"""A sentence on its way into English, and the English form of a word: tags of the Penn Treebank from features of
Universal Dependencies, and the endings that the rules of reading look at."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Final

from provgraph.reading.glosses.glossary import Glossary
from provgraph.reading.syntax import ParsedSentence, Token

KINDS_IN_NAMES: Final = frozenset({"Place", "Organization", "Work"})
"""Types of which the noun is part of the name: \"musée Valmont\"."""
DROPS_SUBJECTS: Final = frozenset({"es"})
"""Languages in which a verb needs no subject, and \"ella\" is a person."""

_TAGS: Final = {
    "PROPN": "NNP", "ADJ": "JJ", "ADV": "RB", "DET": "DT", "ADP": "IN", "SCONJ": "IN", "CCONJ": "CC", "PRON": "PRP",
    "NUM": "CD", "PART": "RB",
}  # fmt: skip
_BE: Final = {"VBD": "was", "VBZ": "is", "VBN": "been", "VBG": "being", "VB": "be"}
_HAVE: Final = {"VBD": "had", "VBZ": "has", "VBN": "had", "VBG": "having", "VB": "have"}
_PAST: Final = {
    "bear": "born", "build": "built", "buy": "bought", "write": "written", "win": "won", "sell": "sold", "lead": "led",
    "sing": "sung", "draw": "drawn", "become": "become", "come": "come", "leave": "left", "teach": "taught",
    "take over": "taken over", "take place": "taken place", "grow up": "grown up", "hold": "held", "rebuild": "rebuilt",
    "speak": "spoken", "flee": "fled", "lie": "lain", "say": "said", "begin": "begun",
}  # fmt: skip


@dataclass(eq=False)
class GlossedWord:
    """A word of a tree that is being changed; `origin` its characters in the text that was parsed.

    `is_turned` is of a verb that English puts in the passive, `is_known` of a word that the dictionary has.
    """

    text: str
    lemma: str
    pos: str
    tag: str
    relation: str
    origin: tuple[int, int]
    entity: str = ""
    head: GlossedWord | None = None
    origin_text: str = ""
    number: str = ""
    tense: str = ""
    mood: str = ""
    is_name: bool = False
    is_turned: bool = False
    is_known: bool = False

    @classmethod
    def of(cls, token: Token) -> GlossedWord:
        return cls(
            token.text, token.lemma, token.pos, token.tag, token.relation, (token.start, token.end), token.entity,
            origin_text=token.text.lower(),
        )  # fmt: skip

    @property
    def mood_is_open(self) -> bool:
        """Whether its ending says that it is to come, or would be."""
        return self.mood == "Cnd" or self.tense == "Fut"


class GlossedSentence:
    """Its words in order, each with its head; they may be taken out and put in. `possessive` is the English word for a
    possessive that does not tell whose ("son")."""

    def __init__(self, parsed: ParsedSentence, glossary: Glossary, possessive: str) -> None:
        self.glossary = glossary
        self.possessive = possessive
        self.words = [GlossedWord.of(token) for token in parsed.tokens]
        for word, token in zip(self.words, parsed.tokens, strict=True):
            word.head = self.words[token.head] if token.head >= 0 else None

    def index(self, word: GlossedWord) -> int:
        return self.words.index(word)

    def children(self, of: GlossedWord | None) -> Iterator[GlossedWord]:
        return (word for word in self.words if word.head is of)

    def between(self, first: GlossedWord, last: GlossedWord) -> list[GlossedWord]:
        return self.words[self.index(first) + 1 : self.index(last)]

    def remove(self, gone: GlossedWord) -> None:
        others = list(self.children(gone))
        if gone.head is None and others:
            others[0].head, others[0].relation = None, "root"
        for word in others:
            if word.head is gone:
                word.head = gone.head or others[0]
        self.words.remove(gone)

    def insert(self, before: GlossedWord, lemma: str, tag: str, relation: str = "aux:pass") -> GlossedWord:
        """A word that the other language has no word for; it stands for the same characters."""
        word = GlossedWord(lemma, lemma, "AUX", tag, relation, before.origin, head=before)
        self.words.insert(self.index(before), word)
        return word


def is_auxiliary(word: GlossedWord) -> bool:
    return word.pos == "AUX" or word.relation.startswith(("aux", "cop"))


def features(tag: str) -> Mapping[str, str]:
    """ "Number=Sing|Tense=Past" as a mapping."""
    return dict(part.split("=", 1) for part in tag.split("|") if "=" in part)


def english_tag(pos: str, given: Mapping[str, str]) -> str:
    """The tag of the Penn Treebank."""
    if pos in ("VERB", "AUX"):
        form, tense = given.get("VerbForm", ""), given.get("Tense", "")
        if form == "Part":
            return "VBG" if tense == "Pres" else "VBN"
        if form in ("Ger", "Inf"):
            return "VBG" if form == "Ger" else "VB"
        return "VBD" if tense in ("Past", "Imp") else "VBZ"
    if pos == "NOUN":
        return "NNS" if given.get("Number") == "Plur" else "NN"
    return _TAGS.get(pos, "")


def english_form(word: GlossedWord) -> str:
    """The word with the ending that its tag asks for."""
    if word.is_name or word.pos not in ("VERB", "AUX", "NOUN"):
        return word.text
    if word.lemma == "be":
        return _BE.get(word.tag, "be")
    if word.lemma == "have":
        return _HAVE.get(word.tag, "have")
    if word.pos == "NOUN":
        return f"{word.text}s" if word.is_known and word.tag == "NNS" and word.text != "people" else word.text
    if not word.is_known or word.tag not in ("VBD", "VBN"):
        return word.text
    first, _, rest = word.lemma.partition(" ")
    regular = (
        f"{first}d" if first.endswith("e") else f"{first[:-1]}ied" if first.endswith("y") else f"{first}ed"
    )
    return _PAST.get(word.lemma, f"{regular} {rest}".strip())
