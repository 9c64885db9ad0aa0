"""Trees put right where a parser's mistake is plain from the tree itself, so that the rules need not know of it."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.adverbial_trees import changes_of_adverbials
from provgraph.reading.cleft_trees import changes_of_clefts
from provgraph.reading.people_trees import changes_of_people, with_in_laws
from provgraph.reading.retagging import retagged
from provgraph.reading.syntax import ParsedSentence, Token
from provgraph.reading.trees import with_heads

_LOOSE: Final = frozenset({"nmod", "obl", "dep", "nmod:npmod", "obl:npmod", "obl:tmod", "appos"})
_LEGAL_FORMS: Final = frozenset(
    {"Inc", "LLC", "Ltd", "LLP", "LP", "Corp", "PLC", "plc", "GmbH", "AG", "SA", "S.A", "N.V", "S.p.A"}
)
_SPEECH: Final = frozenset(
    "say add tell note write report explain announce state claim argue warn reply".split()
)
_BEFORE_NOUN: Final = ("det", "amod", "compound", "nummod", "nmod:poss")
_YEAR: Final = re.compile(r"1\d{3}|20\d{2}")
_BEFORE_SPEECH: Final = frozenset({",", '"', "”", "''", "?", "!"})


def repaired(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with one subject to a verb, and passives with their helping verb; itself where all is well."""
    sentence = with_in_laws(retagged(_with_legal_forms(sentence)))
    changes = _with_verb(sentence) or _with_later_verb(sentence)
    for head in sentence.tokens:
        children = sentence.children[head.index]
        if len(children) > 1:
            subjects = [c for c in children if c.relation.startswith("nsubj")]
            if len(subjects) > 1:
                changes.update(_second_subject(sentence, subjects))
        if head.pos == "VERB":
            changes.update(_of_verb(sentence, head))
    for token in sentence.tokens:
        changes.update(_of_conjunction(sentence, token))
        changes.update(_of_nominal(sentence, token))
        changes.update(_of_what_is_said(sentence, token))
        changes.update(_of_second_clause(sentence, token))
    sentence = with_heads(sentence, changes)
    again = (*changes_of_people(sentence), *changes_of_clefts(sentence))
    return with_heads(sentence, changes_of_adverbials(sentence) | dict(again))


def _with_legal_forms(sentence: ParsedSentence) -> ParsedSentence:
    """The sentence with the name as head where the form behind its comma was: "Northwind Holdings, Inc."."""
    changes: dict[int, tuple[int, str]] = {}
    for form in sentence.tokens[2:]:
        comma, name = sentence.tokens[form.index - 1], sentence.tokens[form.index - 2]
        if form.text.rstrip(".") not in _LEGAL_FORMS or comma.text != "," or name.pos != "PROPN":
            continue
        first = name.index
        while first and sentence.tokens[first - 1].pos == "PROPN":
            first -= 1
        is_below = name.head == form.index
        is_beside = (name.head, name.relation) == (form.head, form.relation)
        if is_below or is_beside or form.head == name.index:
            changes |= {child.index: (name.index, child.relation) for child in sentence.children[form.index]}
            changes[form.index] = name.index, "appos"
        if is_below:
            changes |= dict.fromkeys(range(first, name.index), (name.index, "compound"))
            changes[name.index] = form.head, form.relation
    return with_heads(sentence, changes)


def _of_what_is_said(sentence: ParsedSentence, token: Token) -> dict[int, tuple[int, str]]:
    """What is said, where it hangs on the day: "said on Friday that it had sold the mill"."""
    if token.relation not in ("acl:relcl", "acl") or token.head < 0:
        return {}
    day = sentence.tokens[token.head]
    verb = sentence.tokens[day.head] if day.relation.startswith("obl") and day.head >= 0 else None
    told = verb is not None and verb.lemma.lower() in _SPEECH
    children = sentence.children[token.index]
    whole = any(c.text.lower() == "that" and c.relation == "mark" for c in children)
    whole = whole and any(c.relation.startswith("nsubj") for c in children)
    return {token.index: (day.head, "ccomp")} if told and whole else {}


def _of_second_clause(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    """The subject of a second clause, joined to the first one's object: "owns a shop and her son runs a bar"."""
    tokens, children = sentence.tokens, sentence.children[verb.index]
    if verb.relation != "conj" or verb.tag not in ("VBD", "VBZ", "VBP") or verb.head < 0:
        return {}
    if any(c.relation.startswith(("nsubj", "aux", "cop")) for c in children):
        return {}
    before = tokens[verb.index - 1]
    while before.relation in _LOOSE | {"compound", "flat", "amod"} and verb.head < before.head < verb.index:
        before = tokens[before.head]
    first, last = sentence.edges(before)
    joined = first > 0 and tokens[first - 1].text.lower() in ("and", "but", "while")
    joined = joined or tokens[first].text.lower() in ("and", "but", "while")
    nominal = before.relation == "conj" and before.pos in ("NOUN", "PROPN") and last == verb.index - 1
    if not (joined and nominal and verb.head < before.head < before.index):
        return {}
    return {before.index: (verb.index, "nsubj")}


def _with_verb(sentence: ParsedSentence) -> dict[int, tuple[int, str]]:
    """ "The company paid for the pool." with paid hung on the company: a sentence has a verb of its own."""
    tokens, roots = sentence.tokens, sentence.roots
    if len(roots) != 1 or roots[0].pos not in ("NOUN", "PROPN") or not tokens or tokens[-1].text != ".":
        return {}
    verbs = [c for c in sentence.children[roots[0].index] if c.relation == "acl" and c.tag in ("VBN", "VBD")]
    finite = any(
        t.pos == "AUX" or t.tag in ("VBZ", "VBP", "MD") or (t.tag == "VBD" and t not in verbs) for t in tokens
    )
    if len(verbs) != 1 or finite or not _stands_behind(verbs[0], roots[0], sentence):
        return {}
    return {roots[0].index: (verbs[0].index, "nsubj"), verbs[0].index: (-1, "root")}


def _with_later_verb(sentence: ParsedSentence) -> dict[int, tuple[int, str]]:
    """ "The ship, launched in 1972 and sold in 1999, made 41 voyages" with launched as what the sentence says: what
    stands between two commas behind the subject hangs on it."""
    tokens, roots = sentence.tokens, sentence.roots
    first = roots[0] if len(roots) == 1 and roots[0].tag in ("VBN", "VBD") else None
    own = sentence.children[first.index] if first is not None else ()
    subject = next((c for c in own if c.relation == "nsubj"), None)
    if first is None or subject is None or any(c.relation.startswith("aux") for c in own) or first.index < 2:
        return {}
    if tokens[first.index - 1].text != "," or sentence.edges(subject)[1] not in (
        first.index - 1,
        first.index - 2,
    ):
        return {}
    for verb in own:
        told = (
            verb.relation == "conj"
            and verb.tag in ("VBD", "VBZ", "VBP")
            and tokens[verb.index - 1].text == ","
        )
        below = sentence.children[verb.index]
        if told and not any(c.relation.startswith(("nsubj", "cc", "mark")) for c in below):
            points = {
                c.index: (verb.index, "punct") for c in own if c.index > verb.index and c.relation == "punct"
            }
            verbs = {verb.index: (-1, "root"), subject.index: (verb.index, "nsubj")}
            return {**points, **verbs, first.index: (subject.index, "acl")}
    return {}


def _stands_behind(verb: Token, noun: Token, sentence: ParsedSentence) -> bool:
    """Whether a verb follows a noun right away, or behind its name between commas: "her daughter, Clara, moved"."""
    if verb.index == sentence.edges(noun)[0] + _width(noun, sentence):
        return True
    names = [c for c in sentence.children[noun.index] if c.relation == "appos" and c.index < verb.index]
    behind = names and sentence.edges(names[-1])[1] == verb.index - 2
    return bool(behind) and sentence.tokens[verb.index - 1].text == ","


def _width(noun: Token, sentence: ParsedSentence) -> int:
    """How many words a noun has up to itself, with those before it."""
    return noun.index - sentence.edges(noun)[0] + 1


def _of_conjunction(sentence: ParsedSentence, word: Token) -> dict[int, tuple[int, str]]:
    """ "And" hung on the first name of "and Tomas Berg", where it would be a part of the name: it joins the whole."""
    first = sentence.tokens[word.head]
    is_inside = word.relation == "cc" and first.relation == "compound" and first.head > first.index
    return {word.index: (first.head, "cc")} if is_inside else {}


def _of_nominal(sentence: ParsedSentence, token: Token) -> dict[int, tuple[int, str]]:
    changes: dict[int, tuple[int, str]] = {}
    if token.pos == "PROPN" and token.relation in _LOOSE:
        changes.update(_name_after_noun(sentence, token))
    if token.pos == "PROPN" and token.relation.startswith("obl"):
        changes.update(_name_behind_year(sentence, token))
    if token.text.lower() in ("whom", "which"):
        changes.update(_of_whom(sentence, token))
    if token.relation == "conj" and token.pos in ("NOUN", "PROPN"):
        changes.update(_noun_beside_verb(sentence, token))
    if token.relation == "appos" and any(c.relation == "cop" for c in sentence.children[token.index]):
        changes[token.index] = (token.head, "parataxis")  # a clause of its own: "…; her deputy is Mr Lund"
    elif token.relation == "nmod:poss" and token.tag == "NNS":
        changes.update(_kind_of_owner(sentence, token))
    elif token.relation == "appos" and token.pos == "NOUN":
        changes.update(_person_beside_place(sentence, token) or _owned_behind_time(sentence, token))
    return changes


def _kind_of_owner(sentence: ParsedSentence, owners: Token) -> dict[int, tuple[int, str]]:
    """ "A children's book": several who stand behind "a" own nothing, and say what kind of a thing it is."""
    article = next((c for c in sentence.children[owners.index] if c.text.lower() in ("a", "an")), None)
    if article is None:
        return {}
    return {owners.index: (owners.head, "compound"), article.index: (owners.head, "det")}


def _name_behind_year(sentence: ParsedSentence, name: Token) -> dict[int, tuple[int, str]]:
    """ "In 1983 Eva Holt, then a student, found …" with the year as a part of the name: the name is the subject."""
    own = sentence.children[name.index]
    case = next((c for c in own if c.relation == "case"), None)
    year = sentence.tokens[case.index + 1] if case is not None and case.index + 1 < name.index else None
    verb = sentence.tokens[name.head]
    if year is None or year not in own or year.relation != "nummod" or not _YEAR.fullmatch(year.text):
        return {}
    between = sentence.tokens[year.index + 1 : name.index]
    if verb.pos != "VERB" or name.index > verb.index or any(t.head != name.index for t in between):
        return {}
    assert case is not None
    changes = {
        year.index: (verb.index, "obl"),
        case.index: (year.index, "case"),
        name.index: (verb.index, "nsubj"),
    }
    taken = (c for c in sentence.children[verb.index] if c.relation == "nsubj" and c.index < verb.index)
    subjects = [c for c in taken if sentence.tokens[sentence.edges(c)[0] - 1].text in (",", "then")]
    return changes | {c.index: (name.index, "appos") for c in subjects}


def _owned_behind_time(sentence: ParsedSentence, noun: Token) -> dict[int, tuple[int, str]]:
    """ "After his death his brother took over" with the brother hung on the death: what has an owner of its own and
    stands right behind when something is, is the subject of a verb that has none."""
    when = sentence.tokens[noun.head]
    verb = sentence.tokens[when.head] if when.relation == "obl" and when.head > noun.index else None
    if verb is None or verb.pos != "VERB" or sentence.edges(noun)[0] != when.index + 1:
        return {}
    is_owned = any(child.relation == "nmod:poss" for child in sentence.children[noun.index])
    has_subject = any(child.relation.startswith("nsubj") for child in sentence.children[verb.index])
    return {noun.index: (verb.index, "nsubj")} if is_owned and not has_subject else {}


def _of_verb(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    changes = {**_noun_before(sentence, verb), **_bare_object(sentence, verb)}
    if verb.tag in ("VBD", "VBZ", "VBP") or (verb.tag == "VBN" and verb.relation == "root"):
        changes.update(_left_before_verb(sentence, verb))
    if verb.lemma.lower() in _SPEECH:
        changes.update(_speaker_after(sentence, verb))
    if verb.tag in ("VBN", "VBD"):
        copulas = (c for c in sentence.children[verb.index] if c.relation == "cop")
        changes.update({c.index: (verb.index, "aux:pass") for c in copulas})
    return changes


def _noun_before(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    """ "The ship sank in 1912" with sank as a noun: what stood before that as a part of it is the subject."""
    own = sentence.children[verb.index]
    noun = sentence.tokens[verb.index - 1] if verb.index else verb
    if verb.tag != "VBD" or noun not in own or noun.relation not in ("compound", "amod", "nmod"):
        return {}
    if noun.pos not in ("NOUN", "PROPN") or any(c.relation.startswith("nsubj") for c in own):
        return {}
    before = {
        c.index: (noun.index, c.relation) for c in own if c.index < noun.index and c.relation in _BEFORE_NOUN
    }
    behind = {c.index: (verb.index, "obl") for c in own if c.index > verb.index and c.relation == "nmod"}
    return {noun.index: (verb.index, "nsubj"), **before, **behind}


def _bare_object(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    """ "The farm grew wheat" with wheat as an adjective: a word that is a noun alone is the object."""
    said = next((c for c in sentence.children[verb.index] if c.relation == "xcomp"), None)
    if said is None or said.index != verb.index + 1 or said.pos != "ADJ":
        return {}
    noun = wordnet.known(said.text, "n") and not wordnet.known(said.text, "a")
    return {said.index: (verb.index, "obj")} if noun else {}


def _left_before_verb(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    """ "In the spring of 1987 Anna Berg sold …" with Berg hung on "spring": a name right before a verb that has no
    subject is its subject."""
    own = sentence.children[verb.index]
    if not verb.index or any(c.relation.startswith(("nsubj", "csubj", "expl", "aux", "mark")) for c in own):
        return {}
    name = sentence.tokens[verb.index - 1]
    loose = name.relation in ("nmod", "appos", "dep", "nmod:npmod") and name.head >= 0
    below = sentence.children[name.index] if loose else ()
    above = sentence.tokens[name.head]
    if not loose or name.pos != "PROPN" or any(c.relation in ("case", "conj", "cc", "punct") for c in below):
        return {}
    timed = any(c.relation == "case" for c in sentence.children[above.index]) and above.head == verb.index
    return {name.index: (verb.index, "nsubj")} if timed and above.relation.startswith("obl") else {}


def _of_whom(sentence: ParsedSentence, whom: Token) -> dict[int, tuple[int, str]]:
    """ "Two sons, one of whom, Mads, is an architect" with the architect hung on the main verb: said of the one."""
    tokens, at = sentence.tokens, whom.index
    if (
        at < 3
        or tokens[at - 1].text.lower() != "of"
        or tokens[at - 2].pos not in ("NUM", "DET", "PRON", "ADJ")
    ):
        return {}
    some = tokens[at - 2]
    before = next((t for t in reversed(tokens[: some.index]) if t.pos in ("NOUN", "PROPN")), None)
    token = next((t for t in tokens[at + 1 :] if _is_predicate(t, at, sentence)), None)
    if before is None or token is None or token.head >= at or token.head < 0:
        return {}
    return {some.index: (token.index, "nsubj"), token.index: (before.index, "acl:relcl")}


def _is_predicate(token: Token, after: int, sentence: ParsedSentence) -> bool:
    copula = any(c.relation == "cop" and c.index > after for c in sentence.children[token.index])
    return copula or (token.pos == "VERB" and token.tag in ("VBD", "VBZ", "VBP"))


def _noun_beside_verb(sentence: ParsedSentence, noun: Token) -> dict[int, tuple[int, str]]:
    """ "Keep six hens, but no cockerels" with cockerels hung on "keep": a noun without a verb goes with the object."""
    verb = sentence.tokens[noun.head]
    clause = any(
        c.relation.startswith(("cop", "nsubj", "aux", "case", "acl")) for c in sentence.children[noun.index]
    )
    objects = [c for c in sentence.children[verb.index] if c.relation == "obj" and c.index < noun.index]
    denied = any(c.relation == "det" and c.text.lower() == "no" for c in sentence.children[noun.index])
    return (
        {noun.index: (objects[-1].index, "conj")}
        if verb.pos == "VERB" and objects and denied and not clause
        else {}
    )


def _name_after_noun(sentence: ParsedSentence, name: Token) -> dict[int, tuple[int, str]]:
    """ "The director of the film Red Sand" with Sand hung on "director": a name right after a noun is its name."""
    first = sentence.edges(name)[0]
    before = sentence.tokens[first - 1] if first else name
    cased = any(child.relation == "case" for child in sentence.children[name.index])
    definite = any(child.relation == "det" for child in sentence.children[before.index])
    if cased or not definite or before.pos != "NOUN" or before.index == name.head:
        return {}
    joined = (c for c in sentence.children[name.index] if c.relation == "conj")
    described = (
        c for c in joined
        if any(token.relation in ("det", "nmod:poss") for token in sentence.children[c.index])
    )  # fmt: skip
    return {name.index: (before.index, "appos")} | {c.index: (before.index, "conj") for c in described}


def _person_beside_place(sentence: ParsedSentence, noun: Token) -> dict[int, tuple[int, str]]:
    """ "She was born in Graz, the daughter of …": no place is a daughter, so that the subject is."""
    place = top = sentence.tokens[noun.head]
    while top.relation == "nmod" and top.head >= 0:  # a chair at Graz
        top = sentence.tokens[top.head]
    if not wordnet.is_person(noun.lemma.lower()) or place.entity[2:] == "PERSON" or top.relation[:3] != "obl":
        return {}
    subjects = [c for c in sentence.children[top.head] if c.relation.startswith("nsubj")]
    return {noun.index: (subjects[0].index, "appos")} if subjects else {}


def _speaker_after(sentence: ParsedSentence, verb: Token) -> dict[int, tuple[int, str]]:
    """ "The mill is old, said Ada Quist" with Quist as what is said: a name right after such a verb is who says it."""
    children = sentence.children[verb.index]
    spoken = verb.index > 0 and sentence.tokens[verb.index - 1].text in _BEFORE_SPEECH
    behind = [c for c in children if c.index > verb.index and c.pos != "PUNCT"]
    if not spoken or len(behind) != 1 or any(c.relation.startswith("nsubj") for c in children):
        return {}
    speaker = behind[0]
    if speaker.relation not in ("obj", "obl:npmod", "nmod", "dep") or speaker.pos not in ("PROPN", "PRON"):
        return {}
    changes = {speaker.index: (verb.index, "nsubj")}
    return changes | ({verb.index: (verb.head, "parataxis")} if verb.relation == "conj" else {})


def _second_subject(sentence: ParsedSentence, subjects: Sequence[Token]) -> dict[int, tuple[int, str]]:
    """ "Director Ada Novak left", "his brother, the chemist Tom Reed, left": one is a title or apposition."""
    first, second = subjects[:2]
    start = sentence.edges(second)[0]
    end = sentence.edges(first)[1]
    between = sentence.tokens[end + 1 : start]
    if (
        first.pos not in ("NOUN", "PROPN")
        or second.pos not in ("NOUN", "PROPN")
        or first.index > second.index
    ):
        return {}
    if not between and first.pos == "NOUN" and second.pos == "PROPN":
        return {first.index: (second.index, "compound")}
    if all(token.text == "," for token in between) or (first.pos == "NOUN" and not between):
        beside = any(c.relation == "cc" for c in sentence.children[second.index])
        return {second.index: (first.index, "conj" if beside else "appos")}
    return {}
