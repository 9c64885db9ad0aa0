"""Trees of questions put right: parsers are taught on statements, and hang words wrong where the order is turned.

After `as_statement` helping verbs have no dependents, "be" is a copula wherever something is said to be something, and
what stands between the helping verb and the verb is its subject ("Which university did the founder attend?").
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from provgraph.reading.entity_types import demonyms
from provgraph.reading.syntax import ParsedSentence
from provgraph.reading.trees import is_tree

_HELPING: Final = frozenset({"aux", "aux:pass", "cop"})
_NOMINAL: Final = frozenset({"NOUN", "PROPN", "PRON", "NUM"})
_BEING: Final = frozenset("am is are was were".split())
_BEFORE_NOUN: Final = frozenset("det amod compound nummod nmod:poss".split())
_ASKING: Final = frozenset("who whom what which whose where when".split())


class _Tree:
    """A tree being changed."""

    def __init__(self, sentence: ParsedSentence) -> None:
        self.tokens = list(sentence.tokens)
        self.heads = [token.head for token in sentence.tokens]
        self.relations = [token.relation for token in sentence.tokens]

    def children(self, index: int) -> list[int]:
        return [child for child, head in enumerate(self.heads) if head == index]

    def attach(self, index: int, head: int, relation: str) -> None:
        self.heads[index], self.relations[index] = head, relation

    @property
    def root(self) -> int:
        return self.heads.index(-1)

    def make_root(self, index: int, old_relation: str) -> None:
        """`index` becomes the root, and what hung on the old root hangs on it."""
        old = self.root
        for child in self.children(old):
            self.heads[child] = index
        self.attach(index, -1, "root")
        self.attach(old, index, old_relation)


def as_statement(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with its tree put right; itself where nothing is to be changed or the change makes no tree."""
    if not sentence.tokens or len(sentence.roots) != 1:
        return sentence
    tree = _Tree(sentence)
    _verb_over_helper(tree)
    _lift(tree)
    _noun_asked_for(tree)
    _demonym_behind_name(tree)
    _choice_of_names(tree)
    _copula(tree)
    _inverted_subject(tree)
    _stranded(tree)
    if tree.heads.count(-1) != 1 or not is_tree(tree.heads):
        return sentence
    tokens = zip(tree.tokens, tree.heads, tree.relations, strict=True)
    return ParsedSentence(
        tuple(replace(t, head=h, relation=r) for t, h, r in tokens), sentence.start, sentence.end
    )


def _verb_over_helper(tree: _Tree) -> None:
    """ "In what year was the university founded": the verb at the top, not "was"."""
    root = tree.root
    if tree.tokens[root].pos != "AUX":
        return
    for child in tree.children(root):
        if (
            tree.relations[child] in ("ccomp", "xcomp", "acl", "conj")
            and tree.tokens[child].pos == "VERB"
            and child > root
        ):
            passive = tree.tokens[root].lemma.lower() == "be" and tree.tokens[child].tag in ("VBN", "")
            tree.make_root(child, "aux:pass" if passive else "aux")
            return


def _lift(tree: _Tree) -> None:
    for index, relation in enumerate(tree.relations):
        head = tree.heads[index]
        if (
            head >= 0
            and tree.relations[head] in _HELPING
            and relation not in ("advmod:neg", "punct")
            and tree.heads[head] >= 0
        ):
            tree.heads[index] = tree.heads[head]


def _noun_asked_for(tree: _Tree) -> None:
    """ "Ada Novak is mother to which painter?": "which" before a noun begins no relative clause."""
    for index, token in enumerate(tree.tokens):
        noun = tree.heads[index]
        if token.text.lower() not in ("which", "what") or tree.relations[index] != "det":
            continue
        is_clause = any(tree.relations[child] == "cop" for child in tree.children(noun))
        if tree.relations[noun].startswith("acl") and tree.tokens[noun].pos == "NOUN" and not is_clause:
            tree.relations[noun] = "nmod"
            for case in tree.children(index):
                tree.heads[case] = noun


def _demonym_behind_name(tree: _Tree) -> None:
    """ "Is Ada Novak Austrian?": the last word said of the name before it, and no part of the name."""
    words = [index for index, token in enumerate(tree.tokens) if token.pos != "PUNCT"]
    if len(words) < 3:
        return
    name, last = words[-2:]
    if (
        tree.tokens[0].text.lower() not in _BEING
        or tree.tokens[last].text not in demonyms()
        or tree.tokens[name].pos not in ("PROPN", "NOUN")
    ):
        return
    above = tree.heads[last]
    if tree.heads[name] == last:
        inside = 0 < above < last
        tree.attach(name, above if inside else last, tree.relations[last] if inside else "nsubj")
    for child in tree.children(last):
        if child != name:
            tree.heads[child] = name
    tree.attach(last, -1, "root")
    tree.attach(0, last, "cop")
    for index, head in enumerate(tree.heads):
        if index not in (0, last) and head == 0:
            tree.attach(index, last, "punct" if tree.tokens[index].pos == "PUNCT" else "nsubj")
    adjective = replace(tree.tokens[last], pos="ADJ", tag="JJ", lemma=tree.tokens[last].text, entity="")
    tree.tokens[last] = adjective


def _choice_of_names(tree: _Tree) -> None:
    """ "Who was born in Graz, Ada Novak or Ben Holt?": the names joined with each other, and not with what is before
    the comma."""
    for index, token in enumerate(tree.tokens):
        last = tree.heads[index]
        if token.text.lower() != "or" or tree.relations[index] != "cc" or tree.relations[last] != "conj":
            continue
        word = tree.heads[last]
        names = [child for child in tree.children(word) if tree.relations[child] == "conj"]
        if len(names) > 1 and _is_behind_comma(tree, names[0]) and not _is_behind_comma(tree, word):
            tree.attach(names[0], tree.root, "dep")
            for name in names[1:]:
                tree.attach(name, names[0], "conj")


def _is_behind_comma(tree: _Tree, head: int) -> bool:
    """Whether a comma stands before the words that end with a noun."""
    first = head
    while first and tree.heads[first - 1] == head and tree.relations[first - 1] in _BEFORE_NOUN:
        first -= 1
    return first > 0 and tree.tokens[first - 1].text == ","


def _copula(tree: _Tree) -> None:
    """ "Is Graz the capital": what the subject is said to be at the top."""
    root = tree.root
    if tree.tokens[root].lemma.lower() != "be":
        return
    subject = next((c for c in tree.children(root) if tree.relations[c].startswith("nsubj")), -1)
    complement = _complement(tree, root, subject)
    if subject < 0 or complement < 0:
        return
    tree.make_root(complement, "cop")
    tree.attach(subject, complement, "nsubj")


def _complement(tree: _Tree, root: int, subject: int) -> int:
    wanted = (*_NOMINAL, "ADJ", "ADV")
    own = [
        c
        for c in tree.children(root)
        if c != subject and tree.tokens[c].pos in wanted and tree.relations[c] != "advmod:neg"
    ]
    below = (
        [c for c in tree.children(subject) if tree.relations[c] in ("appos", "amod", "nmod") and c > subject]
        if subject >= 0
        else []
    )
    asking = [c for c in own if tree.tokens[c].text.lower() in _ASKING]
    return next(iter([*asking, *own, *below]), -1)


def _inverted_subject(tree: _Tree) -> None:
    """The phrase between helping verb and verb is the subject, the one before both the object."""
    root = tree.root
    helper = next(
        (c for c in tree.children(root) if tree.relations[c] in ("aux", "aux:pass") and c < root), -1
    )
    if helper < 0:
        return
    between = [
        c
        for c in tree.children(root)
        if helper < c < root and tree.tokens[c].pos in _NOMINAL and not _cased(tree, c)
    ]
    before = [
        c
        for c in tree.children(root)
        if c < helper and tree.tokens[c].pos in _NOMINAL and not _cased(tree, c)
    ]
    passive = tree.relations[helper] == "aux:pass"
    if between:
        tree.relations[between[0]] = "nsubj:pass" if passive else "nsubj"
        for index in before:
            if tree.relations[index].startswith(("nsubj", "dep", "obl", "ccomp", "advmod")):
                tree.relations[index] = "obl:tmod" if passive else "obj"


def _cased(tree: _Tree, index: int) -> bool:
    return any(tree.relations[child] == "case" for child in tree.children(index))


def _stranded(tree: _Tree) -> None:
    """ "Which country is Ada Novak from?": the preposition before what it belongs to."""
    last = max((i for i, t in enumerate(tree.tokens) if t.pos != "PUNCT"), default=-1)
    asking = next(
        (_phrase_head(tree, i) for i, t in enumerate(tree.tokens[:3]) if t.text.lower() in _ASKING), -1
    )
    if (
        last < 3
        or asking < 0
        or tree.tokens[last].pos != "ADP"
        or tree.children(last)
        or tree.relations[last] == "compound:prt"
    ):
        return
    root = tree.root
    copula = next((c for c in tree.children(root) if tree.relations[c] == "cop"), -1)
    if copula >= 0 and root != asking and tree.heads[asking] == root:
        tree.make_root(asking, "nsubj")
    elif root != asking:
        tree.attach(asking, root, "obl")
    tree.attach(last, asking, "case")


def _phrase_head(tree: _Tree, index: int) -> int:
    head = tree.heads[index]
    return head if tree.relations[index] == "det" and head > index else index
