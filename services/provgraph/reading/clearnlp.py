"""Turns trees with ClearNLP's labels, as spaCy's English pipelines give them, into Universal Dependencies 2.

ClearNLP hangs an object on its preposition and a predicate on its copula; Universal Dependencies hangs both function
words on the content word. Each step below takes a tree and leaves a tree: a word is only ever hung on a word that does
not stand below it. Sources: ClearNLP's dependency guidelines (Choi 2012), universaldependencies.org/u/dep.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

_RENAMED: Final = {
    "ROOT": "root", "dobj": "obj", "nsubjpass": "nsubj:pass", "csubjpass": "csubj:pass", "auxpass": "aux:pass",
    "relcl": "acl:relcl", "poss": "nmod:poss", "dative": "iobj", "prt": "compound:prt", "neg": "advmod",
    "quantmod": "advmod", "predet": "det:predet", "preconj": "cc:preconj", "intj": "discourse", "meta": "dep",
    "acomp": "xcomp", "attr": "xcomp", "oprd": "xcomp", "prep": "obl", "agent": "obl:agent", "pobj": "obl",
    "pcomp": "advcl", "complm": "mark", "": "dep",
}  # fmt: skip
_PREPOSITIONS: Final = frozenset(
    {"prep", "agent", "dative", "pcomp", "conj", "ROOT", "advcl", "acl", "xcomp", "ccomp"}
)
_PREPOSITIONAL: Final = frozenset({"obl", "nmod", "obl:agent"})
_NOMINAL: Final = frozenset({"NOUN", "PROPN", "PRON", "NUM", "SYM", "DET", "X"})
_PLACES: Final = frozenset({"where", "here", "there", "how", "when", "away", "abroad", "home", "why"})
_QUESTION_TAGS: Final = frozenset({"WP", "WP$", "WDT", "WRB"})
_PREDICATES: Final = ("attr", "acomp", "oprd")
_BE: Final = frozenset("be am is are was were been being 's 're 'm ’s ’re ’m".split())
_NAMING: Final = frozenset(
    "named renamed called nicknamed christened dubbed styled titled entitled termed labelled labeled known elected "
    "appointed made chosen selected voted crowned declared proclaimed designated ordained considered deemed believed "
    "thought found rated ranked rendered left kept turned".split()
)
_CALENDAR: Final = frozenset(
    "day week month year decade century morning evening night afternoon today yesterday tomorrow tonight time monday "
    "tuesday wednesday thursday friday saturday sunday january february march april may june july august september "
    "october november december summer winter spring autumn fall season weekend minute hour".split()
)


@dataclass
class _Tree:
    """A tree under change; `heads` has -1 for the root, as Universal Dependencies' 0."""

    words: Sequence[str]
    tags: Sequence[str]
    pos: Sequence[str]
    heads: list[int]
    labels: list[str]

    def children(self, index: int) -> list[int]:
        return [child for child, head in enumerate(self.heads) if head == index]

    def labelled(self, index: int, *labels: str) -> list[int]:
        return [child for child in self.children(index) if self.labels[child] in labels]

    def depth(self, index: int) -> int:
        depth = 0
        while (index := self.heads[index]) >= 0:
            depth += 1
        return depth

    def hang(self, index: int, head: int, label: str) -> None:
        self.heads[index], self.labels[index] = head, label

    def promote(self, index: int, label: str) -> None:
        """`index` takes its head's place in the tree, and its head hangs on it with `label`."""
        head = self.heads[index]
        self.hang(index, self.heads[head], self.labels[head])
        self.hang(head, index, label)


def to_universal(
    words: Sequence[str], tags: Sequence[str], pos: Sequence[str], heads: Sequence[int], labels: Sequence[str]
) -> tuple[list[int], list[str]]:
    """Heads and Universal Dependencies relations of one sentence; `heads` are indices, -1 for the root.

    `tags` are Penn Treebank tags, `pos` universal parts of speech. The tree given must have one root and no cycle.
    """
    tree = _Tree(words, tags, pos, list(heads), list(labels))
    _prepositions(tree)
    _copulas(tree)
    _raised_objects(tree)
    _coordination(tree)
    for index, label in enumerate(tree.labels):
        tree.labels[index] = _relation(tree, index, label)
    return tree.heads, tree.labels


def _prepositions(tree: _Tree) -> None:
    """The object takes the preposition's place, deepest first: "out of the house" is two prepositions of "house"."""
    candidates = [
        index
        for index, label in enumerate(tree.labels)
        if label in _PREPOSITIONS
        and (tree.pos[index] in {"ADP", "SCONJ", "ADV", "VERB", "PART"} or label == "prep")
    ]
    for index in sorted(candidates, key=tree.depth, reverse=True):
        _fixed(tree, index)
        target = _object(tree, index)
        if target is None:
            if tree.labels[index] in {"prep", "agent"}:
                tree.labels[index] = _oblique(tree, index)
            continue
        _raise_object(tree, index, target)


def _fixed(tree: _Tree, index: int) -> None:
    """The second word of "because of", "according to" stands with the first."""
    for child in tree.labelled(index, "pcomp"):
        if tree.pos[child] in {"ADP", "PART"} and not tree.children(child):
            tree.labels[child] = "fixed"


def _object(tree: _Tree, index: int) -> int | None:
    own = tree.labelled(index, "pobj") or tree.labelled(index, "pcomp")
    if not own and tree.pos[index] in {"ADP", "SCONJ"}:
        own = [child for child in tree.labelled(index, "obl", "nmod", "obl:agent") if child > index]
    return own[0] if own else None


def _raise_object(tree: _Tree, index: int, target: int) -> None:
    label, inner = tree.labels[index], tree.labels[target]
    clause = inner == "pcomp" and tree.pos[target] in {"VERB", "AUX"}
    if label in {"prep", "agent", "dative"}:
        relation = _oblique(tree, index)
        if clause:
            relation = "acl" if relation == "nmod" else "advcl"
    else:
        relation = label
    tree.promote(target, "mark" if clause else "case")
    tree.labels[target] = relation
    for child in tree.children(index):
        if tree.labels[child] in _PREPOSITIONAL and child > index and tree.heads[target] >= 0:
            tree.hang(
                child, tree.heads[target], relation if relation in _PREPOSITIONAL else tree.labels[child]
            )
        elif tree.labels[child] != "fixed":
            tree.hang(child, target, "case" if tree.labels[child] == "pobj" else tree.labels[child])


def _oblique(tree: _Tree, index: int) -> str:
    if tree.labels[index] == "agent":
        return "obl:agent"
    head = tree.heads[index]
    return "nmod" if head >= 0 and tree.pos[head] in _NOMINAL else "obl"


def _copulas(tree: _Tree) -> None:
    for index, word in enumerate(tree.words):
        if word.lower() in _BE and not tree.labels[index].startswith(("aux", "case")):
            predicate = _predicate(tree, index)
            if predicate is not None:
                _raise_predicate(tree, index, predicate)


def _predicate(tree: _Tree, index: int) -> int | None:
    """What the copula says of its subject; none for "there is", and for "the aim is to win"."""
    if tree.labelled(index, "expl"):
        for child in tree.labelled(index, "attr"):
            tree.labels[child] = "nsubj"
        return None
    own = tree.labelled(index, *_PREDICATES)
    if own:
        return _of_two(tree, index, own)
    if tree.labelled(index, "ccomp", "xcomp") or not tree.labelled(index, "nsubj", "csubj"):
        return None
    for child in tree.labelled(index, "obl"):
        if child > index and tree.pos[child] in _NOMINAL and tree.labelled(child, "case"):
            return child
    adverbs = [child for child in tree.labelled(index, "advmod") if tree.words[child].lower() in _PLACES]
    return adverbs[0] if adverbs else None


def _of_two(tree: _Tree, index: int, predicates: list[int]) -> int:
    """In "who is the director" both are called predicates: the question word is one, the other the subject."""
    first, last = predicates[0], predicates[-1]
    if first == last or tree.labelled(index, "nsubj", "csubj"):
        return last
    asked = any(tree.tags[word] in _QUESTION_TAGS for word in [first, *tree.children(first)])
    predicate, subject = (first, last) if asked else (last, first)
    tree.labels[subject] = "nsubj"
    return predicate


def _raise_predicate(tree: _Tree, index: int, predicate: int) -> None:
    tree.promote(predicate, "cop")
    for child in tree.children(index):
        label = tree.labels[child]
        tree.hang(child, predicate, "dep" if label in _PREDICATES else label)


def _raised_objects(tree: _Tree) -> None:
    """In "they want him to win", "him" is the object of "want" and "to win" an open complement."""
    for index, label in enumerate(tree.labels):
        if label != "ccomp" or tree.heads[index] < 0:
            continue
        head = tree.heads[index]
        marks = [child for child in tree.labelled(index, "aux") if tree.tags[child] == "TO"]
        subjects = [child for child in tree.labelled(index, "nsubj", "nsubjpass") if head < child < index]
        if marks and subjects and subjects[0] < marks[0] and not tree.labelled(index, "mark"):
            tree.hang(subjects[0], head, "dobj" if not tree.labelled(head, "dobj") else "nsubj")
            tree.labels[index] = "xcomp"


def _coordination(tree: _Tree) -> None:
    """All conjuncts hang on the first; a conjunction and a comma on the conjunct that follows them."""
    for index, label in enumerate(tree.labels):
        while label == "conj" and tree.heads[index] >= 0 and tree.labels[tree.heads[index]] == "conj":
            tree.heads[index] = tree.heads[tree.heads[index]]
    for index, label in enumerate(tree.labels):
        if label in {"cc", "punct"} and tree.heads[index] >= 0:
            head = tree.heads[index]
            top = tree.heads[head] if tree.labels[head] == "conj" and head < index else head
            following = [child for child in tree.labelled(top, "conj") if child > index > top]
            if following and (label == "cc" or _only_commas(tree, top, index, following[0])):
                tree.heads[index] = following[0]


def _only_commas(tree: _Tree, top: int, index: int, conjunct: int) -> bool:
    """Whether the comma at `index` parts two conjuncts: nothing else of the first one's own stands behind it."""
    behind = [child for child in tree.children(top) if index < child < conjunct]
    return tree.words[index] in {",", ";"} and all(tree.labels[child] in {"cc", "punct"} for child in behind)


def _relation(tree: _Tree, index: int, label: str) -> str:
    head = tree.heads[index]
    if head < 0:
        return "root"
    if label == "aux" and tree.tags[index] == "TO":
        return "mark"
    if label in {"quantmod", "nmod"} and tree.tags[index] == "$":
        return "compound"
    if label == "npadvmod":
        return "obl:tmod" if _is_time(tree, index) else "obl:npmod"
    if label == "nmod":
        return "nmod" if tree.labelled(index, "case") else "compound"
    if label == "oprd" and _is_given(tree, index):
        return "obj"
    if label in {"acomp", "attr", "oprd", "xcomp"} and tree.pos[head] in _NOMINAL:
        return "acl" if label == "xcomp" else "dep"
    return _RENAMED.get(label, label)


def _is_given(tree: _Tree, index: int) -> bool:
    """Whether this is what somebody was given ("was awarded the prize"), not what they were made ("was named head")."""
    head = tree.heads[index]
    passive = bool(tree.labelled(head, "auxpass", "aux:pass"))
    return passive and tree.pos[index] in {"NOUN", "PROPN"} and tree.words[head].lower() not in _NAMING


def _is_time(tree: _Tree, index: int) -> bool:
    word = tree.words[index].lower()
    return word in _CALENDAR or word.rstrip("s") in _CALENDAR or (word.isdigit() and len(word) == 4)
