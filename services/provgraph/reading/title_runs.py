"""Words that are one name whatever the tree: titles in quotation marks, names with an ampersand, the document's title.

A run is told of each of its words as the indices of the first and the last.
"""

from __future__ import annotations

from collections.abc import Sequence

from provgraph.reading.syntax import ParsedSentence, Token

WordRuns = dict[int, tuple[int, int]]


def quoted_titles(tokens: Sequence[Token]) -> WordRuns:
    """Of each word inside the quotation marks of a title ("We Bought a Zoo")."""
    runs: WordRuns = {}
    opened = -1
    for token in tokens:
        if token.text in ("“", "``") or (token.text == '"' and opened < 0):
            opened = token.index + 1
        elif token.text in ("”", "''", '"') and opened >= 0:
            if _is_title(tokens[opened : token.index]):
                runs |= dict.fromkeys(range(opened, token.index), (opened, token.index - 1))
            opened = -1
    return runs


def names_with_ampersand(tokens: Sequence[Token]) -> WordRuns:
    """Of the capital words around "&": "Ernst & Young LLP"; none where a comma leaves open where the name begins, as in
    "New York, Susquehanna & Western Railroad"."""
    runs: WordRuns = {}
    for token in tokens[1:-1]:
        if token.text != "&" or not all(_is_capital(tokens[token.index + step]) for step in (-1, 1)):
            continue
        first, last = token.index - 1, token.index + 1
        while first and (first - 1 in runs or _is_capital(tokens[first - 1])):
            first -= 1
        while last + 1 < len(tokens) and _is_capital(tokens[last + 1]):
            last += 1
        if first < 2 or tokens[first - 1].text != "," or not _is_capital(tokens[first - 2]):
            runs |= dict.fromkeys(range(first, last + 1), (first, last))
    return runs


def runs_of(title: str, text: str, sentence: ParsedSentence) -> WordRuns:
    """Of the words of `title` wherever it stands in the sentence of `text`."""
    runs: WordRuns = {}
    at = text.find(title, sentence.start, sentence.end)
    while at >= 0:
        inside = [t.index for t in sentence.tokens if at <= t.start and t.end <= at + len(title)]
        if inside and sentence.tokens[inside[0]].start == at:
            runs |= dict.fromkeys(inside, (inside[0], inside[-1]))
        at = text.find(title, at + len(title), sentence.end)
    return runs


def _is_capital(token: Token) -> bool:
    """Whether it may be a word of a name: a noun or adjective with a capital."""
    return token.pos in ("PROPN", "NOUN", "ADJ") and token.text[:1].isupper()


def _is_title(words: Sequence[Token]) -> bool:
    """Whether words in quotation marks are a title: few, and every one that carries content with a capital."""
    letters = [word for word in words if word.text[:1].isalnum()]
    if words and words[-1].text in ("?", "."):
        return False
    if not 0 < len(letters) <= 10 or not (letters[0].text[:1].isupper() or letters[0].text[:1].isdigit()):
        return False
    return all(
        word.text[:1].isupper()
        or word.text[:1].isdigit()
        or (len(word.text) < 5 and word.pos not in ("VERB", "NOUN", "ADJ"))
        for word in letters
    )
