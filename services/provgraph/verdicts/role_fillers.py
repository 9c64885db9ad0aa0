"""What fills the roles of a word in its sentence: its own dependents, and those that it shares with other words."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from provgraph.reading.clause_manner import is_denied_alone
from provgraph.reading.clause_subjects import DOING_MARKS, FOR_DOING
from provgraph.reading.phrase_words import is_excepted
from provgraph.reading.syntax import ParsedSentence, Token

_MODIFIERS: Final = ("amod", "compound", "nummod", "nmod:npmod", "det", "flat", "advmod")
_RELATIVE: Final = frozenset("who which that whom whose".split())
_SORTS: Final = frozenset("form kind type sort genre style variety species breed class piece".split())
TRANSPARENT: Final = (_SORTS - {"style"}) | frozenset(
    "one some most all many few number series set pair group majority half city town village state province county "
    "district republic kingdom island game art sport name title role part post position office rank job subject field "
    "line language disease case event process amount sum total couple dozen hundred thousand million lot range".split()
)
"""Nouns that leave what is said of them to what follows them: "the role of Hamlet", "the city of Graz"."""

THERE: Final = "@there"
"""The role of "there", which stands for "in", "at" or "to" a place."""
_MAKING: Final = frozenset(
    "ask tell order force persuade allow permit enable help let make require oblige instruct invite teach encourage "
    "urge want expect advise warn forbid".split()
)
"""Verbs whose object is who does what follows."""
_OPPOSED: Final = frozenset(
    (("for", "against"), ("with", "without"), ("before", "after"), ("above", "below"), ("over", "under"))
)


def role_of(token: Token, sentence: ParsedSentence) -> str:
    """ "A" for who does it or is it, "P" for whom it is done to, a preposition, "mod" for what stands before a noun."""
    relation = token.relation
    if relation == "advmod" and token.text.lower() == "there":
        return THERE
    if relation in ("nsubj:pass", "csubj:pass", "obj", "iobj", "ccomp", "xcomp"):
        return "P"
    if relation in ("nsubj", "csubj", "obl:agent"):
        return "A"
    if relation == "nmod:poss":
        return "of"
    if relation in _MODIFIERS:
        return "mod"
    case = next((c.text.lower() for c in sentence.children[token.index] if c.relation == "case"), "")
    verbal = token.head >= 0 and sentence.tokens[token.head].pos == "VERB"
    if case == "from" and verbal and sentence.tokens[token.head].lemma.lower() == "graduate":
        case = "at"
    return "A" if case == "by" and verbal else f"@{case}" if case else relation


def fillers_of(index: int, sentence: ParsedSentence, depth: int = 0) -> Iterator[tuple[str, int]]:
    """The roles under a word with the tokens that fill them, those it shares with other verbs among them."""
    token = sentence.tokens[index]
    own = set()
    for child in sentence.children[index]:
        if is_denied_alone(child, sentence):
            continue
        role = role_of(child, sentence)
        own.add(role)
        if (
            role == "appos" and token.tag == "NN"
        ):  # of "the priest Ada and her guide Ben" the priest is Ada alone
            yield role, child.index
            continue
        yield from ((role, each) for each in _coordinated(child.index, sentence))
    if depth < 3:
        yield from _shared(token, own, sentence, depth)


def _coordinated(index: int, sentence: ParsedSentence) -> Iterator[int]:
    yield index
    for child in sentence.children[index]:
        if child.relation in ("conj", "appos") and not is_excepted(child, sentence):
            yield from _coordinated(child.index, sentence)


def _shared(token: Token, own: set[str], sentence: ParsedSentence, depth: int) -> Iterator[tuple[str, int]]:
    """What a participle, a relative clause or a coordinated verb has from the words around it."""
    if token.head < 0:
        return
    head = sentence.tokens[token.head]
    if token.relation == "appos" and "A" not in own:
        yield "A", head.index
    if token.pos == "NOUN" and (name := _named_after(token, sentence)) >= 0:
        yield "A", name
    if token.relation.startswith("acl"):
        yield from _of_noun(token, _whole_of(head, sentence), own, sentence, depth)
    elif token.relation in ("xcomp", "advcl") and "A" not in own:
        role = "P" if token.tag == "VBN" else "A"
        subjects = _doers_below(token, head, sentence)
        yield from ((role, each) for child in subjects for each in _coordinated(child.index, sentence))
    elif token.relation == "conj":
        shared = {"A", "P"} if token.tag == "VBN" and head.tag == "VBN" else {"A"}
        if token.tag in ("VBD", "VBZ", "VBP") and "A" not in own:  # "was nominated and won"
            passive = [c for c in sentence.children[head.index] if c.relation == "nsubj:pass"]
            yield from (("A", each) for child in passive for each in _coordinated(child.index, sentence))
        head = _parallel(token, head, sentence)
        before = (
            c for c in sentence.children[head.index] if c.relation == "obl:agent" and c.index < token.index
        )
        agents = {
            each for c in before for each in _coordinated(c.index, sentence)
        }  # "restored by Ada and reopened"
        yield from (
            (r, i)
            for r, i in fillers_of(head.index, sentence, depth + 1)
            if r in shared - own and i not in agents
        )
    for child in sentence.children[token.index]:
        if child.relation == "conj" and child.tag == "VBN" and "A" not in own:
            yield from ((r, i) for r, i in fillers_of(child.index, sentence, 3) if r == "A")


def _doers_below(token: Token, head: Token, sentence: ParsedSentence) -> list[Token]:
    """The subject of the verb above, or its object where that does it: "asked Ada to come", "thanked Ada for it"."""
    lemma, children = head.lemma.lower(), sentence.children[head.index]
    marked = any(c.text.lower() in DOING_MARKS for c in sentence.children[token.index])
    of_object = lemma in (FOR_DOING if token.relation == "advcl" and marked else _MAKING)
    objects = [c for c in children if c.relation in ("obj", "iobj")] if of_object else []
    return objects or [c for c in children if c.relation.startswith("nsubj")]


def _named_after(noun: Token, sentence: ParsedSentence) -> int:
    """The name that follows a noun in its role and is of whom it says what they are: "her student Ada Reed"."""
    following = (
        t for t in sentence.tokens[noun.index + 1 :] if t.head == noun.head and t.relation == noun.relation
    )
    name = next(following, None)
    if name is None or name.pos != "PROPN":
        return -1
    between = sentence.tokens[noun.index + 1 : name.index]
    return name.index if all(t.pos == "PROPN" and t.head == name.index for t in between) else -1


def _whole_of(noun: Token, sentence: ParsedSentence) -> Token:
    """Of "a form of dance" and what is said of it the form, as that is the dance."""
    head = sentence.tokens[noun.head] if noun.relation == "nmod" else noun
    return head if head.lemma.lower() in _SORTS else noun


def _parallel(token: Token, head: Token, sentence: ParsedSentence) -> Token:
    """Of "the father of Ada and the uncle of Ben" the father for the uncle, where the tree has Ada for it."""
    if token.pos == "NOUN" and head.pos == "PROPN" and head.relation == "nmod":
        above = sentence.tokens[head.head]
        if above.pos == "NOUN" and any(c.relation == "nmod" for c in sentence.children[token.index]):
            return above
    return head


def _of_noun(
    token: Token, noun: Token, own: set[str], sentence: ParsedSentence, depth: int
) -> Iterator[tuple[str, int]]:
    """The noun that a clause narrows, with what is said to be it: of "X is a film directed by Y" film and X."""
    role = _gap(token, own, sentence)
    yield from ((role, i) for i in _coordinated(noun.index, sentence) if i < token.index)
    yield from ((role, i) for other, i in fillers_of(noun.index, sentence, depth + 1) if other == "A")
    if noun.relation == "appos":
        yield role, noun.head


def _gap(token: Token, own: set[str], sentence: ParsedSentence) -> str:
    """The role that the noun before a clause has in it."""
    for child in sentence.children[token.index]:
        if child.text.lower() in _RELATIVE:
            return role_of(child, sentence)
    if token.tag == "VBN":
        return "P"
    return "P" if "A" in own else "A"


def phrases_behind(index: int, sentence: ParsedSentence) -> Iterator[tuple[str, int]]:
    """What hangs on a noun behind a preposition: of "received a prize from Ada" Ada may hang on either word."""
    for child in sentence.children[index]:
        if child.relation == "nmod":
            yield role_of(child, sentence), child.index


def is_opposed(at: int, role: str, sentence: ParsedSentence) -> bool:
    """Whether it stands behind the opposite preposition: who votes against it does not vote for it."""
    if at < 0 or not role.startswith("@"):
        return False
    said = role_of(sentence.tokens[at], sentence).lstrip("@")
    return (role[1:], said) in _OPPOSED or (said, role[1:]) in _OPPOSED
