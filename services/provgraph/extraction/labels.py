"""From a stretch of text to the label of an entity, so that one thing spelt two ways gets one label.

A label is for display and for the making of IRIs; it keeps letters of all scripts, capitals, and the signs
that make names differ (C, C++, C#).
"""

from __future__ import annotations

import re

_DETERMINER = re.compile(
    r"(?:the|this|that|these|those|his|her|its|their|our|my|your|such|some|any|each|every|both|all|another)"
    r"\s+(?!of\b)",
    re.I,
)
_ARTICLE = re.compile(r"an?\s+", re.I)
_BRACKETS = (("(", ")"), ("[", "]"), ("{", "}"))
_QUOTES = '"“”„«»`'
_NO_QUOTES = str.maketrans(_QUOTES, " " * len(_QUOTES))
_OPENING = "".join((",;:!?.…-–—*•·/\\|=<>'’‘ ", _QUOTES, ")]}"))
_CLOSING = "".join((",;:!?…-–—*•·/\\|=<> ", _QUOTES, "([{‘"))
_ABBREVIATION = re.compile(r"(?:^|[\s.(])(?:[^\W\d_]|Inc|Jr|Sr|Ltd|Corp|Co|Bros|Dr|St|etc)\.\Z")
_PLURAL_POSSESSIVE = re.compile(r"(?<=s)'(?=\s|\Z)")
_CONTROL = re.compile(r"[\x00-\x1f\x7f-\x9f\u200b-\u200f\u202a-\u202e\ufeff\ufffe\uffff\ud800-\udfff]")
_BROKEN_WORD = re.compile(r"(?<=[^\W\d_])-\s*\n\s*(?=[a-zà-ÿ])")
MAX_LENGTH = 120


def clean_label(text: str) -> str:
    """The label that `text` names: without determiners, stray signs, plural possessives and line breaks.

    Idempotent; empty where nothing is left, or where more than `MAX_LENGTH` characters are.
    """
    label = " ".join(_CONTROL.sub(" ", _BROKEN_WORD.sub("", text)).split()).replace("’", "'")
    previous = ""
    while label != previous:
        previous = label
        label = _PLURAL_POSSESSIVE.sub("", _stripped(_without_determiner(label)))
        label = " ".join(label.split())
    return label if len(label) <= MAX_LENGTH and any(c.isalnum() for c in label) else ""


def _stripped(label: str) -> str:
    bare = label.lstrip(_OPENING).rstrip(_CLOSING)
    label = f".{bare}" if label[:1] == "." and label[1:2].isalpha() else bare
    if sum(label.count(quote) for quote in _QUOTES) % 2:
        label = label.translate(_NO_QUOTES)
    for opening, closing in _BRACKETS:
        if label.count(opening) != label.count(closing):
            label = label.replace(opening, " ").replace(closing, " ")
        elif label.startswith(opening) and label.endswith(closing) and label.count(opening) == 1:
            label = label[1:-1]
    if label.endswith(".") and not _ABBREVIATION.search(label):
        label = label.rstrip(".")
    return label


def _without_determiner(label: str) -> str:
    """ "A Tale of Two Cities" keeps its article, "A physicist" does not."""
    match = _DETERMINER.match(label)
    if match is None:
        match = _ARTICLE.match(label)
        if match is not None and label[0] == "A" and _is_title(label[match.end() :]):
            return label
    return label[match.end() :] if match is not None and label[match.end() :].strip() else label


def _is_title(label: str) -> bool:
    words = [word for word in label.split() if len(word) > 3]
    return len(words) > 1 and all(word[0].isupper() for word in words)
