"""What of a question or a claim only says which document is meant: "of Halversund" where that is the minutes of the
council of Halversund, and no sentence of it says so again.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.reading.syntax import ParsedSentence, Token

HEAD: Final = 300
"""Characters at the beginning of a document that tell, with its title and file, what it is about."""
SHORTEST: Final = 1_200
"""Characters of a document that may say "the Mayor" without saying of what town; a shorter one says whom it means."""
_WORD: Final = re.compile(r"[^\W_]+(?:[-'’.&][^\W_]+)*")
_SMALL: Final = frozenset("the a an of at in on for from and under by to".split())
_LEADS: Final = frozenset("of at in under for from on to by within according".split())
_KEPT: Final = frozenset("nsubj nsubj:pass obj root appos conj obl:agent".split())
"""What a name does in a clause where it says more than which document is meant."""
_WITHIN: Final = frozenset("compound flat nummod appos nmod".split())
_ARTICLES: Final = frozenset("the a an its their his her this that".split())
_ASKING: Final = frozenset("which what who whom whose how".split())
_WORKS: Final = frozenset(
    "trial study survey experiment report agreement contract lease minutes manual film novel book opera play".split()
)
"""What a document is, or tells of."""
_MONTHS: Final = frozenset(calendar.month_name[1:])
_YEAR: Final = re.compile(r"(?:1[0-9]|20)\d\d")


@dataclass(frozen=True)
class Unscoped:
    """A text without what only says which document is meant. From each of `places` on, its characters (first number)
    stand in the whole (second)."""

    text: str
    places: tuple[tuple[int, int], ...] = ((0, 0),)

    def place(self, at: int) -> int:
        """Where a character of the text stands in the whole."""
        begin, place = next(each for each in reversed(self.places) if each[0] <= at)
        return place + at - begin


@dataclass(frozen=True)
class _Dropped:
    """Characters of a text that are left out, and what takes their place."""

    start: int
    end: int
    instead: str = ""


def head_words(title: str, file: str, text: str) -> frozenset[str]:
    """The words, in lower case, by which a document names what it is about; none of a short one."""
    if len(text) < SHORTEST:
        return frozenset()
    named = f"{title} {file} {text[:HEAD]}".replace("_", " ")
    return frozenset(_plain(word) for word in _WORD.findall(named)) - _SMALL


def name_words(sentences: Sequence[ParsedSentence]) -> frozenset[str]:
    """The words of names of a text, in lower case."""
    names = (t.text for sentence in sentences for t in sentence.tokens if _is_name(t))
    return frozenset(_plain(word) for name in names for word in _WORD.findall(name)) - _SMALL


def scope_names(sentence: ParsedSentence) -> frozenset[str]:
    """The words of names that may say which document is meant: of "the mayor of Halversund" the last."""
    every = name_words([sentence])
    named = [t for t in sentence.tokens if _is_name(t) and _phrase(t, sentence, every, every, of_verbs=True)]
    return frozenset(word for token in named for word in _own_words(token))


def words_of_text(text: str) -> frozenset[str]:
    """All words of a text, as those of names are given."""
    return frozenset(map(_plain, _WORD.findall(text)))


def without_scope(
    sentence: ParsedSentence, text: str, head: frozenset[str], *, of_verbs: bool = True, title: str = ""
) -> Unscoped:
    """The text without the phrases whose words all stand in the head of a document; all of it where there is none.

    "Who is the mayor of Halversund?" is "Who is the mayor?", and "the Halversund library" is "the library". Numbers and
    dates stay. What hangs on a verb ("was held in Halversund") goes only with `of_verbs`, where it names a work or an
    inquiry ("took part in the CALMER trial"), or where it begins the text and ends with a comma ("Under CG-117, …") or
    has only words of the `title` ("At Orvik Pool dogs are …").
    """
    dropped: list[_Dropped] = []
    titled = words_of_text(title)
    for token in sentence.tokens:
        if _is_name(token) and not any(each.start <= token.start < each.end for each in dropped):
            found = _phrase(token, sentence, head, titled, of_verbs)
            dropped += [_with_space(found, text)] if found else []
    made, places, at = "", [(0, 0)], 0
    for each in sorted(dropped, key=lambda each: each.start):
        if each.start >= at:
            made += text[at : each.start] + each.instead
            at = each.end
            places.append((len(made), at))
    made += text[at:]
    return Unscoped(made[:1].upper() + made[1:] if dropped else made, tuple(places))


def _with_space(dropped: _Dropped, text: str) -> _Dropped:
    """With the space on one side, and a comma behind what begins a text."""
    if dropped.instead or text[dropped.end : dropped.end + 1].isalpha():
        return dropped
    if dropped.start == 0:
        behind = _BEHIND.match(text, dropped.end)
        return _Dropped(0, behind.end() if behind else dropped.end)
    return _Dropped(dropped.start - text[: dropped.start].endswith(" "), dropped.end)


_BEHIND: Final = re.compile(r",? ?")


def _phrase(
    token: Token, sentence: ParsedSentence, head: frozenset[str], titled: frozenset[str], of_verbs: bool
) -> _Dropped | None:
    """The largest phrase around a name that says no more than the head does, and may be left out."""
    tops = [token]
    while tops[-1].head >= 0 and tops[-1].relation in _WITHIN:
        tops.append(sentence.tokens[tops[-1].head])
    for top in reversed(tops):
        if _is_said(sentence, top, head):
            with_verbs = of_verbs or _names_work(top, sentence)
            if found := _left_out(top, sentence, head, with_verbs, _is_said(sentence, top, titled)):
                return found
    return None


def _names_work(top: Token, sentence: ParsedSentence) -> bool:
    """Whether a phrase means the document, or the inquiry that it tells of: "in the CALMER trial"."""
    determined = any(c.text.casefold() == "the" for c in sentence.children[top.index])
    return determined and top.lemma.casefold() in _WORKS


def _left_out(
    top: Token, sentence: ParsedSentence, head: frozenset[str], of_verbs: bool, is_titled: bool
) -> _Dropped | None:
    first, last = sentence.edges(top)
    tokens = sentence.tokens
    if _is_to_whom(top, sentence):  # "gave Orvik Trams the largest order"
        return _Dropped(tokens[first].start, tokens[last].end) if of_verbs else None
    if top.relation in _KEPT:
        return None
    if top.relation in ("nmod:poss", "compound"):
        return _before_noun(top, sentence, head)
    above = tokens[top.head] if top.head >= 0 else top
    last = _with_names_behind(last, tokens, head)
    if tokens[first].text.casefold() == "to" and first and tokens[first - 1].text.casefold() == "according":
        first -= 1
    is_opening = first == 0 and (is_titled or (tokens[last + 1 : last + 2] and tokens[last + 1].text == ","))
    of_noun = above.pos not in ("VERB", "AUX") and not tokens[first].text.casefold().startswith("accord")
    if tokens[first].text.casefold() not in _LEADS or not (of_noun or of_verbs or is_opening):
        return None
    return _Dropped(tokens[first].start, tokens[last].end)


def _is_to_whom(top: Token, sentence: ParsedSentence) -> bool:
    """Whether it is the first of two objects."""
    if top.relation not in ("iobj", "obj") or top.head < 0:
        return False
    return any(c.relation == "obj" and c.index > top.index for c in sentence.children[top.head])


def _with_names_behind(last: int, tokens: Sequence[Token], head: frozenset[str]) -> int:
    """The last word of a phrase with names of the head that commas set off: "of Unit 3, Tanner's Row,"."""
    begun = last
    while last + 2 < len(tokens) and tokens[last + 1].text == "," and _is_name(tokens[last + 2]):
        end = last + 2
        while end + 1 < len(tokens) and (_is_name(tokens[end + 1]) or tokens[end + 1].text in ("'s", "’s")):
            end += 1
        if not head.issuperset(word for t in tokens[last + 2 : end + 1] for word in _own_words(t)):
            break
        last = end
    is_closed = last > begun and tokens[last + 1 : last + 2] and tokens[last + 1].text == ","
    return last + 1 if is_closed else last


def _before_noun(top: Token, sentence: ParsedSentence, head: frozenset[str]) -> _Dropped | None:
    """A name before a common noun, with its "'s": of "the Halversund library" the second word."""
    first, last = sentence.edges(top)
    tokens = sentence.tokens
    while first > 1 and tokens[first - 1].text in ("'s", "’s"):
        if _plain(tokens[first - 2].text) not in head:
            return None
        first -= 2
    if last + 1 >= len(tokens) or tokens[last + 1].text[:1].isupper() or tokens[last].tag == "NNS":
        return None
    has_article = tokens[first].text.casefold() in _SMALL
    if has_article:
        first += 1
    elif first:
        has_article = tokens[first - 1].text.casefold() in _ARTICLES
    needs_one = not has_article and top.relation == "nmod:poss"
    return _Dropped(tokens[first].start, tokens[last + 1].start, "the " if needs_one else "")


def _is_name(token: Token) -> bool:
    return token.pos == "PROPN" and token.text not in _MONTHS


def _is_said(sentence: ParsedSentence, token: Token, head: frozenset[str]) -> bool:
    """Whether all words of a phrase are small ones or of the head of the document, and none is of a date."""
    tokens = list(sentence.subtree(token))
    if any(t.text.casefold() in _ASKING for t in tokens):
        return False
    if any(t.text in _MONTHS or _YEAR.fullmatch(t.text) for t in tokens):
        return False
    own = [word for t in tokens for word in _own_words(t)]
    return bool(own) and head.issuperset(own)


def _own_words(token: Token) -> Iterator[str]:
    words = (_plain(word) for word in _WORD.findall(token.text))
    return (word for word in words if word not in _SMALL and word != "s")


def _plain(word: str) -> str:
    return word.casefold().removesuffix("'s").removesuffix("’s")
