"""What a pronoun stands for by the clauses around it: a subject of the clause before, of the one that tells it."""

from __future__ import annotations

from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import gender_of_name, gender_of_noun
from provgraph.reading.people_trees import GENDER_OF_OWNER, joined_name
from provgraph.reading.syntax import Token
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.things import Thing

PEOPLE: Final = frozenset("he she him her his hers himself herself who".split())
MEN: Final = frozenset("he him his himself".split())
_SAYING: Final = frozenset(
    "say announce state report add admit confirm argue claim promise think believe".split()
)
NEUTER: Final = frozenset("it its itself".split())


def is_name_of_person(thing: Thing) -> bool:
    return thing.entity_type == "Person" or (not thing.entity_type and bool(gender_of_name(thing.words)))


def is_somebody(token: Token) -> bool:
    named = token.pos == "PROPN" and token.entity[2:] == "PERSON"
    return named or (token.pos != "PROPN" and wordnet.is_person(token.lemma.lower()))


def is_root_subject(thing: Thing, meaning: SentenceMeaning) -> bool:
    roots = {token.index for token in meaning.sentence.roots}
    return thing.token.relation.startswith("nsubj") and thing.token.head in roots


def agrees(noun: str, pronoun: str) -> bool:
    """Whether "he" or "she" may stand for a noun: not "she" for "his father"."""
    return gender_of_noun(noun) in ("", "male" if pronoun in MEN else "female")


def counted(pronoun: Thing, meaning: SentenceMeaning) -> bool:
    """Whether some of them are counted: "two of them"."""
    above = meaning.sentence.tokens[pronoun.token.head] if pronoun.token.head >= 0 else None
    return above is not None and (
        above.pos == "NUM" or above.lemma.lower() in ("most", "some", "many", "half", "few")
    )


def joined_subject(pronoun: Token, meaning: SentenceMeaning) -> Thing | None:
    """The thing of which the clause before tells: "the museum was opened in 1998, and it displays tools"."""
    tokens = meaning.sentence.tokens
    verb = tokens[pronoun.head] if pronoun.relation.startswith("nsubj") else None
    if verb is None or verb.relation != "conj":
        return None
    subjects = {c.index for c in meaning.sentence.children[verb.head] if c.relation.startswith("nsubj")}
    return next(
        (
            t
            for t in meaning.things
            if t.token.index in subjects
            and t.kind in ("noun", "name")
            and not (t.plural or is_somebody(t.token) or (t.kind == "name" and is_name_of_person(t)))
        ),
        None,
    )


def institution_before(pronoun: Token, meaning: SentenceMeaning) -> str:
    """The name for "it" and "its" that is the subject of a clause below theirs: "because the academy did not admit
    her, she took its examination"; empty where it is that of a person, or there is none."""
    tokens = meaning.sentence.tokens
    before = [
        t for t in meaning.things
        if t.token.index < pronoun.index and t.token.relation.startswith("nsubj") and t.kind == "name"
        and tokens[t.token.head].relation.startswith("advcl") and not is_name_of_person(t)
    ]  # fmt: skip
    if not before or pronoun.text.lower() not in NEUTER:
        return ""
    words = meaning.text[before[-1].span.start : before[-1].token.end]  # without "of Sundermark" behind it
    return words.removeprefix("the ")


def owner_beside(noun: Token, pronoun: Token, meaning: SentenceMeaning) -> Thing | None:
    """The name that a noun with "her" or "his" is joined to: "Ada Novak and her brother Ben"."""
    name = joined_name(noun, pronoun, meaning.sentence)
    if name is None or name.pos != "PROPN":
        return None
    wanted = GENDER_OF_OWNER[pronoun.text.casefold()]
    owner = next((thing for thing in meaning.things if thing.token is name), None)
    agrees = owner is not None and owner.kind == "name" and gender_of_name(owner.words) in ("", wanted)
    return owner if agrees else None


def subject_above(pronoun: Token, meaning: SentenceMeaning) -> Thing | None:
    """The subject of the clause around a pronoun's: who said that he left, the plot "offered to Ada, who took it"."""
    tokens = meaning.sentence.tokens
    verb = tokens[pronoun.head] if pronoun.head >= 0 else None
    if verb is None or verb.head < 0:
        return None
    if pronoun.relation == "nmod:poss":
        return owner_beside(verb, pronoun, meaning)
    above, word = tokens[verb.head], pronoun.text.lower()
    if pronoun.relation == "nsubj" and verb.relation == "ccomp" and above.lemma.lower() in _SAYING:
        clause = above
    elif pronoun.relation == "obj" and word == "it" and verb.relation == "acl:relcl" and above.head >= 0:
        clause = tokens[above.head]
    else:
        return None
    subjects = {c.index for c in meaning.sentence.children[clause.index] if c.relation.startswith("nsubj")}
    subject = next((thing for thing in meaning.things if thing.token.index in subjects), None)
    if subject is None or subject.token is above or subject.kind not in ("name", "noun"):
        return None
    gender = gender_of_name(subject.words)
    person = bool(gender) or (subject.kind == "noun" and is_somebody(subject.token))
    if word in PEOPLE:
        wanted = "male" if word in MEN else "female"
        agrees = subject.entity_type in ("Person", "") and gender in ("", wanted) and not subject.plural
    else:
        agrees = word in NEUTER and not person and not subject.plural
    return subject if agrees else None


def latter_or_former(thing: Thing, meaning: SentenceMeaning) -> Thing | None:
    """Of what is joined by "and" before it in its sentence the last or the first: "in Turin and Leeds; the latter"."""
    word = thing.token.text.lower()
    if word not in ("latter", "former") or thing.modifiers:
        return None
    before = [t for t in meaning.things if t.token.index < thing.token.index]
    last = next(
        (t for t in reversed(before) if t.token.relation == "conj" and t.kind in ("name", "noun")), None
    )
    first = next((t for t in before if last is not None and t.token.index == last.token.head), None)
    return last if word == "latter" else first


def given_name(thing: Thing, meaning: SentenceMeaning) -> str:
    """The name of "a clerk named Vera Stahl", empty where there is none."""
    for participle in meaning.sentence.children[thing.token.index]:
        if participle.relation == "acl" and participle.text.lower() in ("named", "called"):
            behind = (t for t in meaning.things if t.token.head == participle.index and t.kind == "name")
            return next((t.words for t in behind if t.token.index > participle.index), "")
    return ""


def with_shared_surname(thing: Thing, meaning: SentenceMeaning) -> str:
    """The full name of the first of two with one surname: "the brothers Emil and Jonas Rieder"; empty of others."""
    if " " in thing.words or not gender_of_name(thing.words):
        return ""
    joined = (
        t for t in meaning.things
        if t.kind == "name" and t.token.relation == "conj" and t.token.head == thing.token.index
    )  # fmt: skip
    other = next((t.words for t in joined if len(t.words.split()) == 2 and gender_of_name(t.words)), "")
    next_to = meaning.text[thing.span.end :].startswith((f" and {other}", f" & {other}"))
    return f"{thing.words} {other.split()[1]}" if other and next_to else ""


def owned_by(pronoun: Token, meaning: SentenceMeaning) -> str:
    """The noun (lemma) before which "its" stands, empty where there is none."""
    return meaning.sentence.tokens[pronoun.head].lemma.lower() if pronoun.relation == "nmod:poss" else ""
