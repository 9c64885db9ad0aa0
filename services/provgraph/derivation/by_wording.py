"""A short answer told by the words around it, in languages that no parser reads: the name behind the noun that is asked
about ("Welche Firma …?": "von der Firma Nordhang aus Husum"), a reason behind a word for it, what a thing is, and no
where a sentence denies.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Final

from provgraph.language.asked_kinds import expressions
from provgraph.language.languages import CHINESE, STOP_WORDS, language_of
from provgraph.language.terms import content_terms, terms

_LETTERS: Final = r"[^\W\d_]"
_WHICH: Final = re.compile(
    rf"\b(?:welche[nrms]?|quel(?:le)?s?|qué|che|qual[ie]?)\s+(?!est\b|sont\b|era\b|è\b|cosa\b)({_LETTERS}{{3,}})",
    re.I,
)
_NAME: Final = r"[A-ZÀ-ÖØ-Þ][\w’'-]{1,60}"
_NAMED: Final = (
    r"(?:[\"“«„](?P<title>[^\"”»“]+)[\"”»“]"
    rf"|(?P<name>{_NAME}(?:\s{_NAME})*(?:\s(?:à|aux?)\s(?:l[’']|la\s|le\s|les\s)?\w+)?)|(?P<number>\d+))"
)
_CALLED: Final = re.compile(
    r"\bwie hei(?:ß|ss)\w*|\b(?:comment|cómo|come) (?:s['’]appel\w+|se llam\w+|si chiam\w+)", re.I
)
_REASON_ASKED: Final = re.compile(r"\b(?:warum|weshalb|wieso|pourquoi|por qué|perché)\b|为什么|为何", re.I)
_REASON: Final = re.compile(
    r"\b(?:weil|wegen|aufgrund"
    r"|parce qu(?:e |['’])|en raison d(?:es? |u |['’])|à cause d(?:es? |u |['’])|faute d(?:e |['’])"
    r"|porque|debido a(?: que)?|a causa d(?:e|i)\b|ya que|perché|poiché)\s*(?P<why>[^,;.]+)"
    r"|(?P<reason>因[^，。；、]*?原因|因[^，。；]+)",
    re.I,
)
_CHINESE_IS: Final = re.compile('(?:叫|是)[“"「《]?([^，。；“”"「」《》]{1,20})')
_CHINESE_ASKS_WHAT: Final = re.compile("叫什么|是什么|是哪|是谁|谁是|哪一?[家位个]")
_CHINESE_WHO: Final = re.compile("谁|什么人|哪位")
_LONGEST_CHINESE_NAME: Final = 4
_ASKS: Final = re.compile(
    r"\b(?:w(?:er|en|em|essen|as|ann|o\w*|ie\w*|arum|eshalb|elche\w*|ieso|ofür|omit)|qu(?:i|oi|and|el\w*)|où|comment"
    r"|combien|pourquoi|lequel|quién\w*|qué|cuá\w+|cómo|dónde|adónde|chi|c(?:he|osa)|quando|qual\w*|quant\w+|dove|come"
    r"|perché)\b|^\W*qu(?:e\b|['’])",
    re.I,
)
_INVERTED: Final = re.compile(
    r"^\W*(?:est-ce qu(?:e |['’])|\w+-(?:t-)?(?:il|elle|on|je|nous|vous|ils|elles)\b)", re.I
)
_CHINESE_YES_NO: Final = re.compile("吗[？?]?\\s*$|有没有|是不是|能不能")
_DENIALS: Final = {
    "de": re.compile(r"\b(?:nicht(?! nur)|kein\w*|niemand\w*|nie|weder|verboten|untersagt)\b", re.I),
    "fr": re.compile(
        r"\b(?:ne\b|n['’])(?:.{1,40}\b)?(?:pas|aucun\w*|jamais|personne|rien)\b(?! seulement)"
        r"|\b(?:aucun\w*|interdit\w*)\b",
        re.I,
    ),
    "es": re.compile(r"\b(?:no(?! s[oó]lo)|ningun[oa]?|ningún|nadie|nunca|tampoco|prohibid\w+)\b", re.I),
    "it": re.compile(r"\b(?:non(?! solo)|nessun\w*|vietat\w+)\b", re.I),
    CHINESE: re.compile("没有|没|不(?!仅|但|只)|未|无需|禁止"),
}
_PAYS: Final = re.compile(
    r"\b(?:be)?zahl\w*|\b(?:payer|paie|pagar|pagare|paga|kostet|cuesta|costa|coûte)\b|付", re.I
)
_FREE: Final = re.compile(r"\b(?:kostenlos|kostenfrei|gratis|gratuit\w*)\b|免费", re.I)
_NO: Final = {"de": "nein", "fr": "non", "es": "no", "it": "no", CHINESE: "不"}
_CHINESE_HAS: Final = "有"
_CLAUSES: Final = re.compile(r"[^,;:，；。]+")


def is_yes_no(question: str) -> bool:
    """Whether a question has no word that asks, or begins as one that only yes or no answers."""
    if language_of(question) == CHINESE:
        return bool(_CHINESE_YES_NO.search(question))
    return question.rstrip().endswith("?") and (bool(_INVERTED.match(question)) or not _ASKS.search(question))


def denial(question: str, sentence: str) -> str:
    """The word for no, in the language of the question, where the clause that is most of the question denies; empty
    where it does not, or the question denies, too."""
    language = language_of(question)
    denies = _DENIALS.get(language)
    if denies is None or denies.search(question):
        return ""
    asked = set(content_terms(question))
    is_of_paying = _PAYS.search(question) is not None
    clauses = [match.group() for match in _CLAUSES.finditer(sentence)]
    met = [len(asked.intersection(terms(clause))) for clause in clauses]
    denied = [bool(denies.search(each) or (is_of_paying and _FREE.search(each))) for each in clauses]
    nearest = max(met, default=0)
    if not any(denies and most == nearest for denies, most in zip(denied, met, strict=True)):
        return ""
    return "没有" if language == CHINESE and _CHINESE_HAS in question else _NO[language]


def wordings(question: str, sentence: str) -> Iterator[tuple[int, int]]:
    """The places of a sentence that its words tell to be what is asked for, the surest first."""
    if _REASON_ASKED.search(question):
        yield from (_whole(match) for match in _REASON.finditer(sentence))
        return
    if language_of(question) == CHINESE:
        yield from _said_to_be(question, sentence)
        return
    which = _WHICH.search(question)
    if which is not None:
        yield from _behind(which[1], sentence)
    if which is not None or _CALLED.search(question):
        yield from _names(question, sentence)
    yield from _done(question, sentence)


def _whole(match: re.Match[str]) -> tuple[int, int]:
    return match.span("why" if match["why"] else "reason")


def _said_to_be(question: str, sentence: str) -> Iterator[tuple[int, int]]:
    """What stands behind a Chinese word for "is" or "is named" in a clause with words of the question, where it asks
    for that, or where a sentence has just one."""
    if not _CHINESE_ASKS_WHAT.search(question):
        return
    asked = set(content_terms(question))
    matches = list(_CHINESE_IS.finditer(sentence))
    for match in matches:
        before = re.split("[，。；]", sentence[: match.start()])[-1]
        may_be_name = not _CHINESE_WHO.search(question) or len(match[1]) <= _LONGEST_CHINESE_NAME
        if may_be_name and (len(matches) == 1 or not asked.isdisjoint(content_terms(before))):
            yield match.span(1)


def _behind(noun: str, sentence: str) -> Iterator[tuple[int, int]]:
    """The name, title or number behind a noun, with the noun where it is a number; a German name that ends with it."""
    named = re.compile(rf"\b(?i:{re.escape(noun)})\s+(?:(?:de|di|del|della|von|der)\s+)?{_NAMED}")
    for match in named.finditer(sentence):
        start, end = match.span(match.lastgroup or 0)
        yield (match.start() if match["number"] else start), end
    compound = re.compile(rf"\b[A-ZÄÖÜ]\w+{re.escape(noun.casefold())}(?:\s{_NAME})+")
    yield from (match.span() for match in compound.finditer(sentence))


def _done(question: str, sentence: str) -> Iterator[tuple[int, int]]:
    """What a sentence has behind the verb of a question for a thing: "riceve" in "Che cosa riceve chi …?"."""
    verb = _WHAT.match(question)
    if verb is not None:
        said = re.compile(rf"\b{re.escape(verb[1])}\s+([^,;:.]+)", re.I)
        yield from (match.span(1) for match in said.finditer(sentence))


_WHAT: Final = re.compile(
    rf"\W*(?:was|qu['’]est-ce qu[e'’]|que|qué|che cosa|cosa|che)\s+({_LETTERS}{{4,}})\b", re.I
)
_SEVERAL: Final = re.compile(rf"{_NAME}(?:\s(?:(?:von|van|de|del|della|di|zu[mr]?|Zum|Zur)\s)?{_NAME})+")


def _names(question: str, sentence: str) -> Iterator[tuple[int, int]]:
    """The one name of several words; none where there are more, or it is of whom the thing asked for is: "mastro
    Ruggero Sbriz" for the father of the "mastro"."""
    dates = expressions(sentence, "date")
    names = [
        match.span()
        for match in _SEVERAL.finditer(sentence)
        if not _is_led_in(match.group(), sentence)
        and not any(s < match.end() and match.start() < e for s, e in dates)
    ]
    if len(names) == 1 and not _is_of_owner(question, sentence[: names[0][0]]):
        yield names[0]


def _is_of_owner(question: str, before: str) -> bool:
    """Whether the last word before a name is that of which the question asks something: "padre del mastro"."""
    last = re.search(rf"(?<!{_LETTERS})({_LETTERS}{{3,}})\s*\Z", before)
    owner = rf"\b(?:de[lr]?|des|della|dello|dei|du|von|vom)\s+(?:\w+\s+){{0,2}}{last[1] if last else ''}\b"
    return last is not None and re.search(owner, question, re.I) is not None


def _is_led_in(name: str, sentence: str) -> bool:
    first = name.split()[0].casefold()
    return first in STOP_WORDS.get(language_of(sentence), frozenset())
