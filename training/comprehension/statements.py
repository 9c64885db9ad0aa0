"""A question and its answer as one statement: "Who founded Graz?", "Ada" → "Ada founded Graz."

By rules over a dependency tree, as Demszky et al. 2018 ("Transforming Question Answering Datasets Into Natural Language
Inference Datasets") describe them. What the rules do not cover gives None.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from lemminflect import getInflection

FINITE = {"VBZ", "VBD", "VBP", "MD"}
MEASURES = set("many much long old often far large big tall high deep fast".split())
PREPOSITIONS = set(
    "in on at during by since from between after before until around about near to within under over outside inside "
    "with for through throughout because due of as into along across early late when while".split()
)
DAY = re.compile(
    r"\b(?:\d{1,2}(?:st|nd|rd|th)?,? )?(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)\w* \d{1,2}\b|"
    r"\b\d{1,2} (?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)|day\b"
)
PERIOD = re.compile(
    r"\d{3,4}s?\b|century|spring|summer|autumn|winter|january|february|march|april|june|july|august"
)
MOST_WORDS = 14


@dataclass(frozen=True)
class Asked:
    """The wh-phrase of a question, `tokens[wh : end + 1]`.

    `measure` is "many" of "how many", `before` the preposition that stands before it.
    """

    tokens: Sequence[Any]
    wh: int
    end: int
    measure: str
    before: str

    @property
    def word(self) -> str:
        return self.tokens[self.wh].lower_

    @property
    def in_place(self) -> bool:
        """Whether it stands where its answer would: "Ada was born in what city?"."""
        return self.wh > 1 or (self.wh == 1 and not self.before)


def statement(question: Any, answer: str) -> str | None:
    """`question` is a spaCy document of one question."""
    tokens = [token for token in question if not token.is_space]
    while tokens and tokens[-1].text in "?.!":
        tokens.pop()
    answer = answer.strip(" .,;")
    if len(tokens) < 4 or not answer or len(answer.split()) > MOST_WORDS:
        return None
    asked = _asked(tokens)
    if asked is None:
        return None
    answer = _with_noun(asked, answer)
    rest = tokens[asked.end + 1 :]
    if asked.in_place:
        return _sentence([*tokens[: asked.wh], _apart(_inner(asked, answer)), *rest])
    if not rest:
        return None
    return _inverted(asked, answer, rest) or _of_subject(asked, answer, rest)


def _asked(tokens: Sequence[Any]) -> Asked | None:
    wh = next((i for i, t in enumerate(tokens) if t.tag_ in ("WDT", "WP", "WP$", "WRB")), None)
    if wh is None:
        return None
    word = tokens[wh].lower_
    following = tokens[min(wh + 1, len(tokens) - 1)]
    verb = next((i for i in range(wh + 1, len(tokens)) if tokens[i].tag_ in FINITE), len(tokens))
    before = tokens[wh - 1].lower_ if wh and tokens[wh - 1].pos_ == "ADP" else ""
    measure, end = "", wh
    if word in ("what", "which", "whose") and following.tag_ not in FINITE and wh + 1 < len(tokens):
        end = verb - 1
        if wh > 1:
            end = next((i for i, t in enumerate(tokens) if t == tokens[wh].head and wh < i < verb), wh)
    elif word == "how":
        if following.lower_ in MEASURES:
            measure, end = following.lower_, verb - 1
        elif following.tag_ not in FINITE:
            return None
    return Asked(tokens, wh, end, measure, before)


def _with_noun(asked: Asked, answer: str) -> str:
    """ "12" → "12 members", where "how many members" is asked."""
    noun = _joined(asked.tokens[asked.wh + 2 : asked.end + 1]) if asked.measure in ("many", "much") else ""
    return f"{answer} {noun}" if noun and not answer.split()[-1].isalpha() else answer


def _inner(asked: Asked, answer: str) -> str:
    """The answer as it stands within a sentence."""
    first, *others = answer.split()
    small = first.lower()
    if small == asked.before and others:
        return " ".join(others)
    plain = {
        "the",
        "a",
        "an",
        "it",
        "they",
        "in",
        "on",
        "at",
        "by",
        "from",
        "during",
        "to",
        "because",
        "about",
    }
    return " ".join([small if small in plain else first, *others])


def _inverted(asked: Asked, answer: str, rest: Sequence[Any]) -> str | None:
    """Where a helping verb stands before the subject."""
    helper = rest[0]
    root = next((t for t in asked.tokens if t.dep_ == "ROOT"), None)
    if root is None or not (
        helper.pos_ == "AUX" or helper.tag_ == "MD" or helper.lemma_ in ("do", "be", "have")
    ):
        return None
    kinds = ("nsubj", "nsubjpass", "expl", "csubj")
    subjects = [t for t in rest[1:] if t.dep_ in kinds and t.head in (root, helper)]
    if helper == root and not subjects:
        subjects = [t for t in rest[1:] if t.dep_ == "attr" and t.head == root]
    if not subjects:
        return None
    places = [t.i for t in subjects[0].subtree]
    first, last = max(min(places), helper.i + 1), max(places)
    if first - helper.i > 2:
        return None
    subject = [t for t in rest if first <= t.i <= last]
    between = [t for t in rest if helper.i < t.i < first]
    after = [t for t in rest if t.i > last]
    placed = _apart(_placed(asked, answer))
    if helper == root:
        direct = helper.lemma_ == "be" and asked.word in ("what", "who", "which") and not asked.before
        words = [placed, *after] if direct else [*after, placed]
        return _sentence([*subject, _apart(helper.text), *between, *words])
    if helper.lemma_ == "do":
        return _without_do(subject, helper, [*between, *after], root, placed, _is_object(asked, root))
    verb = [_apart(helper.text), *between, *after]
    return _sentence([*subject, " ", *_with_object(verb, root, placed, _is_object(asked, root))])


def _without_do(
    subject: Sequence[Any], helper: Any, words: list[Any], root: Any, placed: str, is_object: bool
) -> str | None:
    if any(t.dep_ == "neg" and t.head == root for t in words):
        kept = [t for t in words if t.dep_ != "neg" or t.head != root]
        return _sentence([*subject, f" {helper.text} not ", *kept, placed])
    tag = {"did": "VBD", "does": "VBZ", "do": "VBP"}.get(helper.lower_)
    forms = getInflection(root.lemma_, tag) if tag and root in words else ()
    if not forms:
        return None
    at = words.index(root)
    ordered = _with_object(words, root, placed, is_object)
    ordered[ordered.index(root)] = forms[0] + (words[at].whitespace_ or " ")
    return _sentence([*subject, " ", *ordered])


def _is_object(asked: Asked, root: Any) -> bool:
    wh = asked.tokens[asked.wh]
    if asked.before or not (
        asked.word in ("what", "which", "who", "whom", "whose") or asked.measure in ("many", "much")
    ):
        return False
    head = wh.head if wh.dep_ in ("dobj", "attr", "oprd", "pobj") else wh.head.head
    return head == root


def _with_object(words: list[Any], root: Any, placed: str, is_object: bool) -> list[Any]:
    """The answer behind the verb where it is its object, else at the end."""
    if not is_object or root not in words or getattr(words[-1], "pos_", "") == "ADP":
        return [*words, " ", placed]
    at = words.index(root) + 1
    while at < len(words) and getattr(words[at], "dep_", "") == "prt":
        at += 1
    return [*words[:at], placed, *words[at:]]


def _placed(asked: Asked, answer: str) -> str:
    """The answer with the preposition that it needs at the end of a sentence."""
    inner = _inner(asked, answer)
    small, begun = answer.lower(), inner.split()[0].lower() in PREPOSITIONS
    if asked.before:
        return f"{asked.before} {inner}"
    if begun or (asked.word == "how" and inner.split()[0].endswith("ing")):
        return inner
    if asked.word == "when":
        return f"on {inner}" if DAY.search(small) else f"in {inner}" if PERIOD.search(small) else inner
    if asked.word == "how" and asked.measure:
        return f"for {inner}" if asked.measure == "long" else inner
    lead = {"where": "in ", "why": "because of ", "how": "by "}.get(asked.word, "")
    return lead + inner


def _of_subject(asked: Asked, answer: str, rest: Sequence[Any]) -> str | None:
    if asked.before or asked.word in ("when", "where", "why"):
        return None
    return _sentence([_apart(answer), *rest])


def _apart(text: str) -> str:
    return f" {text.strip()} "


def _joined(parts: Sequence[Any]) -> str:
    text = "".join(part if isinstance(part, str) else part.text_with_ws for part in parts)
    return re.sub(r"\s+([,.;:!)\]'])", r"\1", re.sub(r"\s+", " ", text)).strip(" ,")


def _sentence(parts: Sequence[Any]) -> str | None:
    text = _joined(parts).strip(" ?.")
    return f"{text[0].upper()}{text[1:]}." if text and "?" not in text else None
