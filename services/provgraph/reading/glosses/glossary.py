"""The dictionaries: the English word for each French or Spanish one that the rules of reading know."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import Final

_FOLDER: Final = Path(__file__).parent
LANGUAGES: Final = tuple(sorted(path.stem for path in _FOLDER.glob("*.txt")))
"""Those that have a dictionary, as codes of two letters."""
_PARTICIPLES: Final = {
    "es": (("ado", "ar"), ("ido", "er"), ("ido", "ir")),
    "fr": (("é", "er"), ("i", "ir"), ("u", "re")),
}


@dataclass(frozen=True)
class Glossary:
    """English words by kind and word of the other language; `passive` are the verbs that are passive in English."""

    language: str
    words: Mapping[tuple[str, str], str]
    passive: frozenset[str]

    def participle(self, form: str) -> str:
        """The infinitive in the dictionary of which the form may be a participle; empty for none."""
        if irregular := self.find("participle", form):
            return irregular
        plain = form.removesuffix("s").removesuffix("e" if self.language == "fr" else "")
        plain = f"{plain[:-1]}o" if self.language == "es" and plain.endswith("a") else plain
        endings = _PARTICIPLES[self.language]
        stems = (f"{plain.removesuffix(end)}{verb}" for end, verb in endings if plain.endswith(end))
        return next((verb for verb in stems if self.find("verb", verb)), "")

    def find(self, kind: str, lemma: str) -> str:
        return self.words.get((kind, lemma), "")


@cache
def glossary(language: str) -> Glossary:
    words: dict[tuple[str, str], str] = {}
    passive: set[str] = set()
    for line in (_FOLDER / f"{language}.txt").read_text("utf-8").splitlines():
        head, found, lemmas = line.partition(" : ")
        if not found or line.startswith("#"):
            continue
        kind, _, english = head.partition(" ")
        for lemma in map(str.strip, lemmas.split(",")):
            words.setdefault((kind, lemma), english.removesuffix("*"))
            if english.endswith("*"):
                passive.add(lemma)
    return Glossary(language, words, frozenset(passive))
