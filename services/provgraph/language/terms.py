"""Words → terms: what indexes hold, what questions are matched by, what makes two sentences alike.

Accents and case are folded, irregular English forms joined and endings cut (Snowball), `C++` and `C#` stay
themselves, and scripts that write no spaces between words, as well as Korean, whose particles cling to them, are cut
into overlapping pairs of characters.
"""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache
from typing import Final

import Stemmer

from provgraph.language.irregular_forms import BASE_OF
from provgraph.language.languages import ENGLISH, STOP_WORDS, language_of

_MARKS: Final = (
    "\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u0900-\u0963\u0970-\u0dff"
    "\u0e01-\u0e4e\u0e80-\u0ece\u1000-\u109f\u1780-\u17d3"
)
"""Vowel signs and the like, which `re` does not take for parts of words, with the letters of their scripts."""

_LETTER: Final = rf"(?:[^\W_]|[{_MARKS}])"
_WORD: Final = re.compile(rf"\d+(?:[.,]\d+)*|{_LETTER}+(?:['’][^\W\d_]{{2,}})*(?:\+\+|#)?")
_UNSPACED: Final = re.compile(
    "[\u0e00-\u0eff\u1000-\u109f\u1780-\u17ff\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uac00-\ud7af]+"
)
_ACCENT: Final = re.compile("[\u0300-\u036f\u0591-\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670]")
_WITHOUT_ACCENT: Final = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ı": "i", "’": "'"})
_LONGEST: Final = 60
_STEMMER: Final = Stemmer.Stemmer("english")

FUNCTION_WORDS: Final = frozenset(
    """
    a about above after again all also am an and any are as at be been before being below between both but by can
    could did do does doing down during each few for from further had has have having he her here hers herself him
    himself his how i if in into is it its itself just many may me might more most much must my myself no nor not
    now of off on once one only or other our ours out over own please same shall she should so some such tell than
    that the their theirs them then there these they this those through to too under until up upon us very was we
    were what whatever when where whether which while who whom whose why will with within without would you your
    yours list name give show explain describe dr mr mrs ms prof
    """.split()
)

_ASKING: Final = re.compile(
    "什么时候|什么|为什么|怎么样|怎么|哪里|哪个|哪些|哪|谁|吗|呢|了|的|是|在|和|有"
    "|何時|どこ|だれ|誰|なに|何|무엇|누구|누가|언제|어디|어떻게|입니까|습니까|인가요|나요"
)
_HIRAGANA: Final = re.compile("[\u3041-\u309f]+")
_KOREAN_PARTICLE: Final = re.compile(
    "(?<=[\uac00-\ud7af]{2})(?:에서|에게|으로|은|는|이|가|을|를|의|에|와|과|도|로)$"
)


def titled(title: str, text: str) -> str:
    """A text below its title, which is not said again where the text begins with it."""
    return text if text.lstrip("#* \n\t").startswith(title) else f"{title}\n{text}"


def words(text: str) -> list[str]:
    """The words of a text as they are written."""
    return [word[:_LONGEST] for word in _WORD.findall(text)]


def terms(text: str) -> list[str]:
    """The terms of a text in order, function words included."""
    return [term for word in words(text) for term in terms_of_word(word)]


def content_terms(text: str) -> dict[str, str]:
    """The terms of a question that carry content → each as the question spells it, in order."""
    found: dict[str, str] = {}
    language = language_of(text)
    stops = FUNCTION_WORDS if language == ENGLISH else STOP_WORDS.get(language, FUNCTION_WORDS)
    for word in words(text):
        if word.casefold() not in stops or (word.isupper() and len(word) > 1):
            for run in _content_runs(word):
                for term in terms_of_word(run):
                    found.setdefault(term, term if is_unspaced(term) else run)
    return found


def is_unspaced(term: str) -> bool:
    """Whether the term is a pair of characters of a script without spaces."""
    return _UNSPACED.fullmatch(term) is not None


@lru_cache(maxsize=16_384)
def terms_of_word(word: str) -> tuple[str, ...]:
    """One term, or several where the word holds a script without spaces."""
    folded = fold(word)
    if not folded:  # a lone accent
        return ()
    if folded.isascii():
        if not folded.isalpha():
            return (folded.replace(",", ""),)
        return (_STEMMER.stemWord(BASE_OF.get(folded, folded)),)
    parts: list[str] = []
    end = 0
    for match in _UNSPACED.finditer(folded):
        parts += [folded[end : match.start()], *_pairs(match.group())]
        end = match.end()
    return tuple(part for part in (*parts, folded[end:]) if part.strip())


def fold(text: str) -> str:
    """Without case, accents and vowel points: `Skłodowska` and `sklodowska` are one; vowels that are signs stay."""
    if text.isascii():
        return text.lower()
    compatible = unicodedata.normalize("NFKC", text).casefold()
    decomposed = unicodedata.normalize("NFKD", compatible.translate(_WITHOUT_ACCENT))
    return unicodedata.normalize("NFC", _ACCENT.sub("", decomposed))


def _content_runs(word: str) -> list[str]:
    """What a word says beyond asking: of Chinese and Japanese the runs between question words and particles, of
    Korean the word without its particle."""
    if not _UNSPACED.search(word):
        return [word]
    cut = _ASKING.sub(" ", word)
    cut = _HIRAGANA.sub(" ", cut) if _HIRAGANA.sub("", cut).strip() else cut
    return [run for part in cut.split() if (run := _KOREAN_PARTICLE.sub("", part))]


def _pairs(run: str) -> list[str]:
    return [run] if len(run) < 3 else [run[index : index + 2] for index in range(len(run) - 1)]
