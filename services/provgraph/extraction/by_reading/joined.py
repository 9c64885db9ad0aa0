"""Whether the words between the two ends of a proposition join them: a parser may have taken far ones together."""

from __future__ import annotations

import re
from typing import Final

from provgraph.language import wordnet
from provgraph.reading.entity_types import type_of_noun
from provgraph.reading.propositions import Argument, Proposition

_BRACKETS: Final = re.compile(r"\([^()]*\)")
_IS: Final = re.compile(r"(?:\b(?:is|are|was|were|been|becomes?|became|remains?|remained)\b|[’']s\s)")
_DIRECTLY: Final = re.compile(
    r"\s*(?:\([^()]*\)\s*)?(?:,[^,;]*,\s*)?(?:(?:also|now|often|usually|generally|still|then)\s+)?(?:is|are|was|were)\b"
)
_BESIDE: Final = re.compile(r"[\s,(“\"'‘-]*(?:(?:the|an?|then|now|former|its|his|her|their)\s+)*")
_DENIED: Final = re.compile(r"\b(?:not|never|no longer|hardly|nor|neither|either|almost|nearly)\b|n[’']t\b")
_LIST_GOES_ON: Final = re.compile(
    r"(?:,(?: and| or)?|,? (?:and|or)) (?!which|who|but|as|so|if|when|while|although|then)"
)
_IN_A_LIST: Final = re.compile(r"[^A-Z].*(?:[;,]|[;,] (?:and|or))\s*", re.DOTALL)
"""An item of a list of clauses, which is no statement by itself: "future rulings increasing the cost of products;"."""
_ACCUSTOMED: Final = ("use to", "used to")
_SHORT: Final = 7
_SHORT_KNOWLEDGE: Final = 12
_LONGEST_KNOWN: Final = 4
_UNKNOWN_TERMS: Final = frozenset(
    """other such thing things result results study studies approach method data figure table paper example
    case cases so few most no only people person group model number factor factors effect effects change
    changes our their its his her this that these those one some many most all""".split()
)
KNOWLEDGE: Final = frozenset("treats prevents symptom-of cause increases decreases used-for material".split())
"""Relations that are worth storing between kinds of things."""
_PEOPLE: Final = frozenset(
    "father mother parent child son daughter sibling brother sister spouse wife husband grandparent grandchild "
    "uncle-or-aunt nephew-or-niece cousin relative".split()
)


def is_joined(proposition: Proposition, target: Argument, text: str) -> bool:
    """No label and no heading stands between subject and object, no participle follows another name than its subject's,
    and a noun for one relative is not said of a whole list of names."""
    first, last = sorted((proposition.subject.span, target.span), key=lambda span: span.start)
    if ":" in _BRACKETS.sub("", text[first.end : last.start]):
        return False
    if proposition.derived:
        return proposition.relation not in _PEOPLE or not _is_listed(proposition, text)
    if proposition.main or " " in proposition.predicate.text or proposition.certainty > 0.75:
        return True
    before = text[proposition.sentence.start : proposition.predicate.start].rstrip(" ,").rsplit(None, 1)
    word = before[-1] if before else ""
    return not word[:1].isupper() or word.strip("\"'”,") in proposition.subject.label.split()


def is_general(proposition: Proposition) -> bool:
    """Whether it is what a short sentence says of a kind of thing, in the present tense: "Otters eat fish"."""
    subject, target = proposition.subject, proposition.object
    if target is None or proposition.derived or not proposition.main or proposition.tense != "present":
        return False
    if proposition.relation.endswith(_ACCUSTOMED):
        return False
    if (
        len(proposition.sentence.text.split()) > _SHORT
        or subject.determiner not in ("", "the")
        or target.determiner
    ):
        return False
    if target.kind not in ("concept", "entity") or not all(
        _is_plain(argument) for argument in (subject, target)
    ):
        return False
    verb = proposition.relation.partition(" ")[0]
    known = proposition.canonical or (subject.kind == "concept" and wordnet.known(verb, "v"))
    return known and wordnet.known(target.lemma.lower(), "n")


def is_knowledge(proposition: Proposition) -> bool:
    """Whether it says of a kind of thing what it does to another, in the present tense and for all of its kind:
    "Smoking increases the risk of stroke"."""
    subject, target = proposition.subject, proposition.object
    if target is None or proposition.derived or proposition.tense not in ("present", ""):
        return False
    if _IN_A_LIST.fullmatch(proposition.sentence.text) or proposition.relation.endswith(_ACCUSTOMED):
        return False
    first = subject.span.start == proposition.sentence.start
    if (
        not first
        or len(_said_with(proposition, target).split()) > _SHORT_KNOWLEDGE
        or proposition.lemma in ("lead", "contribute", "result")
    ):
        return False
    ends = (subject, target)
    if any(len(a.text.split()) > _LONGEST_KNOWN or a.kind not in ("concept", "entity") for a in ends):
        return False
    if subject.determiner not in ("", "a", "an") or target.determiner not in ("", "a", "an", "the"):
        return False
    if target.determiner == "the" and not target.of:
        return False
    return subject.resolution is None and target.resolution is None and all(_is_term(a) for a in ends)


def _said_with(proposition: Proposition, target: Argument) -> str:
    """The sentence up to the object where others follow it in a list: "are made of oak, ash, or pine and last long"."""
    sentence = proposition.sentence
    end = target.span.end - sentence.start
    return sentence.text[:end] if _LIST_GOES_ON.match(sentence.text, end) else sentence.text


def _is_term(argument: Argument) -> bool:
    """Whether its words are of a thing by itself, not of a number, a part or a thing told before."""
    words = argument.text.lower().split()
    return wordnet.known(argument.lemma.lower(), "n") and not _UNKNOWN_TERMS & {*words, argument.lemma}


def _is_plain(argument: Argument) -> bool:
    """Whether it is of one word or two, and points to nothing that was said before."""
    words = argument.text.lower().split()
    return len(words) <= 2 and not argument.of and words[0] not in ("other", "such", "thing", "things")


def _is_listed(proposition: Proposition, text: str) -> bool:
    """Whether another name stands between the noun that says it, in the singular, and the name it is said of."""
    ends = sorted(
        (
            a.span
            for a in (proposition.subject, proposition.object)
            if a is not None and a.span.start >= proposition.predicate.end
        ),
        key=lambda span: span.start,
    )
    if len(ends) == 2 and re.search(r"\band\b", text[ends[0].end : ends[1].start]):
        return True
    between = text[proposition.predicate.end : ends[0].start] if len(ends) == 1 else ""
    return (
        "," in between
        and bool(re.search(r"^,?\s*[A-Z]", between))
        and not proposition.predicate.text.endswith("s")
    )


def says_what_it_is(proposition: Proposition, target: Argument, text: str) -> bool:
    """Whether a form of "be" stands between a thing and its kind, or nothing but a comma."""
    subject, kind = proposition.subject.span, target.span
    if subject.start < kind.end and kind.start < subject.end:
        return False
    first, last = (subject, kind) if subject.start <= kind.start else (kind, subject)
    between = _BRACKETS.sub("", text[first.end : last.start])
    if text[kind.end : kind.end + 2] == " &" or _DENIED.search(between) or _DENIED.match(target.text):
        return False
    title = (
        proposition.derived and kind.end <= subject.start and not target.determiner and not between.strip()
    )
    if title and type_of_noun(target.lemma) in ("Place", "Event"):
        return False
    if proposition.subject.kind == "concept":
        return bool(_DIRECTLY.match(text[subject.end : kind.start]))
    if proposition.relation in ("occupation", "position"):
        return True
    if _IS.search(between) and not proposition.derived:
        return True
    return _BESIDE.fullmatch(between) is not None and (
        subject.start > kind.start or "," in between or "(" in between
    )
