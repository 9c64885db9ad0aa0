"""The dictionary form of a word: rules of endings, and a table of the words that they would get wrong.

The table (`lemmas.txt`) is computed by `training/lemmas.py` and holds only what the rules miss.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache, lru_cache
from importlib import resources
from types import MappingProxyType
from typing import Final

_KIND_OF_TAG: Final = {
    "NNS": "noun", "VBZ": "s", "VBD": "ed", "VBN": "ed", "VBG": "ing",
    "JJR": "er", "RBR": "er", "JJS": "est", "RBS": "est",
}  # fmt: skip
_FUNCTION_WORDS: Final = {
    "n't": "not", "n’t": "not", "'ve": "have", "'re": "be", "'m": "be", "'ll": "will", "ca": "can", "wo": "will",
    "am": "be", "is": "be", "are": "be", "was": "be", "were": "be", "been": "be", "being": "be", "has": "have",
    "had": "have", "having": "have", "does": "do", "did": "do", "done": "do", "doing": "do",
}  # fmt: skip
_PRONOUNS: Final = {"me": "I", "i": "I", "him": "he", "her": "she", "us": "we", "them": "they", "an": "a"}
_VOWELS: Final = "aeiou"
_DOUBLED: Final = "bdgmnprt"
_WITH_E: Final = tuple(
    "at iz iv uc uat ag ang arg erg enc anc inc rc ls ns rs ps rv lv ur yz yp us as os is abl ibl "
    "ubl tl dl gl pl bl kl fl ud id ad od eas aus ut ot it ov av ak ok ik uk ar ir or in un am im um "
    "om ap ip op up il ul ol al ac ic oc eg dg u z v g s c".split()
)


@lru_cache(maxsize=16_384)
def lemma(word: str, tag: str, pos: str) -> str:
    """Names keep their capitals; everything else is in lower case."""
    if pos == "PROPN":
        return word
    form = word.lower().replace("’", "'")
    if pos == "PRON" and tag == "PRP":
        return _PRONOUNS.get(form, form)
    if pos in {"AUX", "VERB", "PART"}:
        if form in {"'s", "'d"}:
            return {"'s": "be", "'d": "would"}[form] if pos == "AUX" else form
        if form in _FUNCTION_WORDS:
            return _FUNCTION_WORDS[form]
    kind = _KIND_OF_TAG.get(tag)
    return by_table_or_rule(form, kind) if kind else _PRONOUNS.get(form, form) if form == "an" else form


def by_table_or_rule(form: str, kind: str) -> str:
    """`form` in lower case; `kind` is "noun" (plural), "s", "ed", "ing", "er" or "est"."""
    return _table().get((kind, form)) or by_rule(form, kind)


def by_rule(form: str, kind: str) -> str:
    if kind in {"noun", "s"}:
        return _singular(form)
    if not form.endswith(kind) or len(form) < len(kind) + 2:
        return form
    stem = form[: -len(kind)]
    if stem[-1] == "i":
        return stem[:-1] + "y" if len(stem) > 2 else stem + "e"
    if len(stem) > 3 and stem[-1] == stem[-2] and stem[-1] in _DOUBLED:
        return stem[:-1]
    return stem + "e" if _lost_an_e(stem) else stem


def _singular(form: str) -> str:
    if form.endswith("ies") and len(form) > 4:
        return form[:-3] + "y"
    if form.endswith(("sses", "xes", "ches", "shes", "zzes")):
        return form[:-2]
    if form.endswith("s") and not form.endswith(("ss", "us", "is")) and len(form) > 2:
        return form[:-1]
    return form


def _lost_an_e(stem: str) -> bool:
    """Whether "making" is "make": by the letters that a stem without its "e" mostly ends with."""
    if stem.endswith(("ss", "ng", "nt", "ct", "rt", "st", "ll", "ow", "aw", "ew", "x", "y", "w")):
        return stem.endswith(("ang", "eng")) and len(stem) > 4
    if stem.endswith(
        ("en", "er", "et", "el", "ed", "em", "ep", "on", "an", "ish", "op", "om", "im", "ip", "ac")
    ):
        return len(stem) < 4
    if stem[-1] not in _VOWELS and len(stem) > 2 and stem[-2] in _VOWELS and stem[-3] in _VOWELS:
        return stem[-1] in "csvzg" or stem.endswith("uir")
    return stem.endswith(_WITH_E)


@cache
def _table() -> Mapping[tuple[str, str], str]:
    """Lines "kind form:lemma form:lemma …"; "making:3e" is "making" without its last three letters, and "e": "make"."""
    found: dict[tuple[str, str], str] = {}
    text = resources.files(__package__).joinpath("lemmas.txt").read_text("utf-8")
    for line in text.splitlines():
        kind, *entries = line.split()
        for entry in entries:
            form, _, base = entry.partition(":")
            found[kind, form] = form[: -int(base[0])] + base[1:] if base[0].isdigit() else base
    return MappingProxyType(found)
