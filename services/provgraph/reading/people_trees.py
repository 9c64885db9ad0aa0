"""Trees of phrases for people, put into the one form that the rules read.

"The youngest of five children of Ole Falk" is a child of his; "his wife Ingrid" is Ingrid, also where a parser hung
both words side by side; and "of the brewer Anders Kallin" is of Kallin.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import replace
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.trees import with_heads, with_tokens

Change = tuple[int, tuple[int, str]]
"""A token, by index, its new head and relation."""

GENDER_OF_OWNER: Final = {"his": "male", "her": "female"}
_IN_LAW: Final = "-in-law"
_UNITS_OF_TIME: Final = frozenset("hour day night week month quarter year".split())
_ORDINAL: Final = re.compile(r"\d{1,3}(?:st|nd|rd|th)")
_WHICH: Final = frozenset(
    "elder younger eldest oldest youngest first second third fourth fifth sixth seventh eighth ninth tenth "
    "last".split()
)


def changes_of_people(sentence: ParsedSentence) -> Iterator[Change]:
    """Other heads and relations for words of such phrases that a parser hung elsewhere."""
    for token in sentence.tokens:
        yield from _name_beside_relative(sentence, token)
        yield from _preposition_of_title(sentence, token)
        yield from _names_beside_several(sentence, token)
        yield from _behind_relative_clause(sentence, token)
        yield from _rank_behind_name(sentence, token)
        yield from _what_the_last_is(sentence, token)
        yield from _by_whom(sentence, token)


def joined_name(noun: Token, pronoun: Token, sentence: ParsedSentence) -> Token | None:
    """Whose relative a noun with "his" or "her" is, where it is joined to a name: of "Ole Falk and his wife" Falk's."""
    while noun.relation == "appos" or (noun.relation == "compound" and noun.head > noun.index):
        noun = sentence.tokens[noun.head]
    is_joined = noun.relation == "conj" and noun.head >= 0 and pronoun.text.casefold() in GENDER_OF_OWNER
    return sentence.tokens[noun.head] if is_joined else None


def _several(sentence: ParsedSentence, which: Token) -> Token | None:
    """The people of "the youngest of five children", by the word that says which of them."""
    if which.text.casefold() not in _WHICH or which.relation in ("amod", "nummod"):
        return None
    children = sentence.children[which.index]
    if not any(child.relation == "det" for child in children):
        return None
    people = (
        c for c in children if c.relation in ("nmod", "obl") and c.tag == "NNS" and c.index > which.index
    )
    return next((each for each in people if _case(sentence, each) == "of" and _is_person(each)), None)


def with_one_of_several(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with "children" of "the youngest of five children" as one of them, so that rules for "the youngest
    child" read it. A reading and no repair: of how many it is one is not told any more."""
    ones = [(t, people) for t in sentence.tokens if (people := _several(sentence, t)) is not None]
    if not ones:
        return sentence
    changes = dict(change for which, people in ones for change in _one_of_several(sentence, which, people))
    places = {people.index for _, people in ones}
    tokens = [replace(t, tag="NN") if t.index in places else t for t in sentence.tokens]
    return with_heads(with_tokens(sentence, tokens), changes)


def _one_of_several(sentence: ParsedSentence, which: Token, people: Token) -> Iterator[Change]:
    yield people.index, (which.head, which.relation)
    yield which.index, (people.index, "amod")
    for child in sentence.children[which.index]:
        if child.index != people.index:
            yield child.index, (people.index, child.relation)
    for child in sentence.children[people.index]:
        if which.index < child.index < people.index and child.relation in ("case", "det", "nummod", "amod"):
            yield child.index, (which.index, "dep")


def _by_whom(sentence: ParsedSentence, name: Token) -> Iterator[Change]:
    """ "She was succeeded as master by Per Falk" and "was shot in Paris by Ole Falk" with Falk as who did it."""
    if name.relation != "nmod" or _case(sentence, name) != "by":
        return
    noun = sentence.tokens[name.head]
    is_time = noun.lemma in _UNITS_OF_TIME
    is_role = _case(sentence, noun) == "as" or noun.pos in ("PROPN", "NUM")
    if noun.relation not in ("obl", "obl:tmod") or not (is_time or (is_role and name.pos == "PROPN")):
        return
    children = {child.relation for child in sentence.children[noun.head]}
    if "aux:pass" in children and "obl:agent" not in children:
        yield name.index, (noun.head, "obl:agent")


def _name_beside_relative(sentence: ParsedSentence, name: Token) -> Iterator[Change]:
    """ "Ole Falk and his wife Ingrid" with wife and Ingrid each as a second one beside Falk."""
    if name.pos != "PROPN" or name.relation != "conj":
        return
    first, last = sentence.edges(name)
    behind = sentence.tokens[last + 1 : last + 2]
    if first > 1 and sentence.tokens[first - 1].text == "," and behind and behind[0].text in (",", "."):
        first -= 1
    noun = sentence.tokens[first - 1] if first else name
    is_owned = any(child.relation == "nmod:poss" for child in sentence.children[noun.index])
    if noun.pos == "NOUN" and noun.relation == "conj" and is_owned and _is_person(noun):
        yield name.index, (noun.index, "appos")


def _names_beside_several(sentence: ParsedSentence, noun: Token) -> Iterator[Change]:
    """ "Two daughters, Elin and Ada" or "a son, Robert, and …" with the names as others beside the daughters."""
    if noun.tag not in ("NN", "NNS"):
        return
    names = [c for c in sentence.children[noun.index] if c.relation == "conj" and c.index > noun.index]
    while names and names[-1].pos != "PROPN":
        names.pop()
    names = names if noun.tag == "NNS" else names[:1]
    if not names or any(name.pos != "PROPN" for name in names) or not _is_person(noun):
        return
    first = names[0]
    has_and = any(child.relation == "cc" for child in sentence.children[first.index])
    if has_and or sentence.tokens[noun.index + 1].text not in (",", ":"):
        return
    yield first.index, (noun.index, "appos")
    for name in names[1:]:
        yield name.index, (first.index, "conj")


def _behind_relative_clause(sentence: ParsedSentence, noun: Token) -> Iterator[Change]:
    """ "A son, Robert, who became a botanist, and a daughter, Elin" with the daughter beside the botanist."""
    named = any(c.relation == "appos" and c.pos == "PROPN" for c in sentence.children[noun.index])
    if noun.relation != "conj" or not named or not _is_person(noun):
        return
    if [t.text for t in sentence.tokens[sentence.edges(noun)[0] : noun.index]][:2] != [",", "and"]:
        return
    above = sentence.tokens[noun.head]
    while above.head >= 0 and not above.relation.startswith("acl"):
        above = sentence.tokens[above.head]
    name = sentence.tokens[above.head] if above.head >= 0 else above
    first = sentence.tokens[name.head] if name.relation == "appos" else name
    if name.relation == "appos" and name.pos == "PROPN" and _is_person(first):
        yield noun.index, (first.index, "conj")


def _preposition_of_title(sentence: ParsedSentence, title: Token) -> Iterator[Change]:
    """ "Of the brewer Anders Kallin" with the preposition on the brewer, who is only the title of the name."""
    if title.relation != "compound" or title.pos != "NOUN" or title.head < title.index:
        return
    for child in sentence.children[title.index]:
        if child.relation == "case" and child.index < title.index:
            yield child.index, (title.head, "case")


def _case(sentence: ParsedSentence, noun: Token) -> str:
    cases = [c.text.casefold() for c in sentence.children[noun.index] if c.relation == "case"]
    return cases[-1] if cases else ""


def _is_person(noun: Token) -> bool:
    return wordnet.is_person(noun.lemma.casefold())


def _rank_behind_name(sentence: ParsedSentence, rank: Token) -> Iterator[Change]:
    """ "Of Edward Ashby, 3rd Baron Ashby, and Mary Hall": the rank is of the name before it, and no other one."""
    if rank.relation != "conj" or rank.pos != "PROPN" or rank.head < 0:
        return
    first = _first_word(sentence, rank)
    own = sentence.children[rank.index]
    if _ORDINAL.fullmatch(first.text) and not any(child.relation == "cc" for child in own):
        yield rank.index, (rank.head, "appos")


def _what_the_last_is(sentence: ParsedSentence, noun: Token) -> Iterator[Change]:
    """ "Of Peter Hale, a banker, and Anna Lind, a dancer": what one is stands behind that one's name."""
    if noun.tag != "NN" or "noun.group" in wordnet.fields(noun.lemma, "n", 1):
        return
    said, own = noun, sentence.children[noun.index]
    if noun.relation == "conj" and not any(child.relation == "cc" for child in own):
        said = sentence.tokens[noun.head]  # hung on what the first is: ", a drummer, Ann Bell, a singer"
    if said.relation != "appos":
        return
    comma = sentence.tokens[_first_word(sentence, noun).index - 1]
    for name in sentence.children[said.head]:
        is_joined = name.relation == "conj" and name.pos == "PROPN" and name.index < noun.index
        if is_joined and comma.text == "," and _ends_before(sentence, name, comma):
            yield noun.index, (name.index, "appos")


def _first_word(sentence: ParsedSentence, noun: Token) -> Token:
    first, _ = sentence.edges(noun)
    return next(token for token in sentence.tokens[first:] if token.pos != "PUNCT")


def _ends_before(sentence: ParsedSentence, name: Token, comma: Token) -> bool:
    words = [t.index for t in sentence.subtree(name) if t.pos != "PUNCT" and t.index < comma.index]
    return max(words, default=-1) == comma.index - 1


def with_in_laws(sentence: ParsedSentence) -> ParsedSentence:
    """A brother-in-law is one noun, and no brother: its parts as one word."""
    texts = [token.text.casefold() for token in sentence.tokens]
    nouns = [at for at in range(len(texts)) if texts[at + 1 : at + 5] == ["-", "in", "-", "law"]]
    if not nouns:
        return sentence
    inside = {at + part: at for at in nouns for part in range(5)}
    kept = [token for token in sentence.tokens if inside.get(token.index, token.index) == token.index]
    place = {token.index: new for new, token in enumerate(kept)}
    tokens = []
    for new, token in enumerate(kept):
        head = place[inside.get(token.head, token.head)] if token.head >= 0 else -1
        word = replace(token, index=new, head=head)
        if token.index in nouns:
            law = sentence.tokens[token.index + 4]
            text = f"{token.text}{_IN_LAW}"
            word = replace(word, text=text, end=law.end, lemma=f"{token.lemma}{_IN_LAW}")
        tokens.append(word)
    return with_tokens(sentence, tokens)
