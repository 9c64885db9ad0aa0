"""Whether an answer is said of what the question names: a sentence of the right kind in the right document may speak of
something else.

A name is tied to the sentence of an answer where that sentence has it or a pronoun for it, where it is the topic of the
document and the sentence is about nothing else, where the sentence before speaks of it and this one goes on, and where
another sentence, or an earlier step, names both it and what the answer's sentence is about.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from provgraph.derivation.affinity import stems
from provgraph.derivation.candidates import SentenceView
from provgraph.derivation.evidence import ReadPassage, Support
from provgraph.derivation.hints import Views
from provgraph.derivation.names import holds, likeness, words_of
from provgraph.derivation.result import CONNECT, Derived
from provgraph.language import wordnet
from provgraph.language.terms import FUNCTION_WORDS, terms
from provgraph.reading.entity_types import gender_of_name, type_of_name
from provgraph.reading.questions import QuestionReading
from provgraph.reading.syntax import Token
from provgraph.reading.value_reading import DAY_NAMES
from provgraph.verdicts.names import same_name

_ALIKE: Final = 0.6
_AS_ONE: Final = 0.85
_BEFORE: Final = 2
"""How many sentences back a name may stand that a sentence goes on about."""
_PRONOUNS: Final = {
    **dict.fromkeys(("he", "him", "his"), "male"),
    **dict.fromkeys(("she", "her", "hers"), "female"),
    **dict.fromkeys(("it", "its", "they", "their", "them", "this", "these"), ""),
}


@dataclass(frozen=True)
class NamesAsked:
    """The names of a question, the stems of its other words, and the passages that were retrieved for it."""

    names: Sequence[str]
    others: frozenset[str]
    passages: Sequence[ReadPassage]


def names_asked(question: QuestionReading, passages: Sequence[ReadPassage]) -> NamesAsked:
    names = [
        argument.label
        for argument in question.names
        if argument.value is None and argument.label[:1].isupper()
    ]
    outer = [name for name in names if not any(name != other and name in other for other in names)]
    outer = [name for name in outer if not _is_office(name) and not _IS_DAY.fullmatch(name)]
    outer = [_designation(name, question.text) for name in outer]
    rest = question.text
    for name in outer:
        rest = rest.replace(name, " ")
    words = " ".join(word for word in set(terms(rest)) - FUNCTION_WORDS if word.isalpha())
    return NamesAsked(outer, stems(words), passages)


_IS_DAY: Final = re.compile(rf"(?:{DAY_NAMES})s?")


def _is_office(name: str) -> bool:
    """Whether a word in capitals is short for what somebody is: "the chairman and CEO"."""
    return name.isupper() and wordnet.fields(name.casefold(), "n", 1) == ("noun.person",)


def _designation(name: str, text: str) -> str:
    """A name with the number that belongs to it: of "the TX-40" more than "TX"."""
    match = re.search(rf"{re.escape(name)}[- ]?\d[\w-]*", text)
    return match.group() if match else name


def untied_names(found: Derived, asked: NamesAsked, views: Views) -> list[str]:
    """The names that nothing ties to the last sentence of a derivation."""
    ending = found.ending
    if not ending:
        return []
    led = [support for step in found.steps[:-1] if step.operation != CONNECT for support in step.supports]
    connecting = [
        support for step in found.steps[:-1] if step.operation == CONNECT for support in step.supports
    ]
    return [
        name
        for name in asked.names
        if not any(_is_in(support.passage, name) for support in led)
        and not any(_leads_to(support, name, ending[0].passage, asked) for support in connecting)
        and not any(_is_tied(name, support, found, asked, views) for support in ending)
    ]


def _leads_to(support: Support, name: str, passage: ReadPassage, asked: NamesAsked) -> bool:
    """Whether a sentence that is told before an answer says something of the question, or names what the answer's
    passage is about, and has a name or is of its text, which names that, too."""
    is_of = holds(support.sentence.text, name) or likeness(name, support.passage.title) >= _ALIKE
    is_another = likeness(support.passage.title, passage.title) < _ALIKE
    says = not asked.others.isdisjoint(stems(support.sentence.text)) or (
        bool(passage.title) and holds(support.sentence.text, passage.title)
    )
    return (
        is_of and is_another and says and bool(passage.title) and holds(support.passage.text, passage.title)
    )


def _is_in(passage: ReadPassage, name: str) -> bool:
    """Whether a passage has a name, or is about what is called so."""
    return likeness(name, passage.title) >= _ALIKE or holds(passage.text, name)


def _is_tied(name: str, support: Support, found: Derived, asked: NamesAsked, views: Views) -> bool:
    passage = support.passage
    at = next((i for i, s in enumerate(passage.parsed) if s.start <= support.sentence.start < s.end), None)
    if at is None:
        return _is_in(passage, name)
    view = views.sentence(passage, passage.parsed[at])
    if _parts_are_told(name, view):
        return True
    if not _may_mean(view, name):
        return False
    if speaks_of(view, name):
        return True
    subject = _named_subject(view, support.words.start)
    if likeness(subject, found.text) >= _ALIKE:
        subject = ""  # who is asked for
    is_topic = likeness(name, passage.title) >= _ALIKE or holds(passage.title, name)
    is_rival = _is_rival(subject, name, asked, passage)
    if is_topic and (not is_rival or _is_code(name)):
        return True
    if not subject and (_goes_on(name, passage, at, views) or _says_the_rest(view, name, asked)):
        return True
    links = [label for label in _names_in(view) if label not in asked.names or label in view.resolved]
    topic = "" if is_rival else passage.title
    about = [each for each in (found.text, topic, *links) if each and likeness(each, name) < _ALIKE]
    return _is_told_together(name, about, asked, _other_views(view, found, asked.passages, views))


def _parts_are_told(name: str, view: SentenceView) -> bool:
    """Whether a sentence has a name, or of one joined by "of", "for" or "in" one part, and the title the others."""
    parts = [part.removeprefix("the ") for part in _JOINING.split(name)]
    own = [holds(view.text, part) for part in parts]
    titled = (holds(view.passage.title, part) for part in parts)
    return any(own) and all(a or b for a, b in zip(own, titled, strict=True))


_JOINING: Final = re.compile(r" (?:of|for|in|at) ")


def _is_rival(subject: str, name: str, asked: NamesAsked, passage: ReadPassage) -> bool:
    """Whether a sentence is about another than a name: not where the question names that one, too, nor where both are
    known to be of two kinds, and the title only has the name among others: "Rules of the Marl Club"."""
    if not subject or likeness(subject, passage.title) >= _ALIKE:
        return False
    if any(holds(each, subject) for each in asked.names if likeness(each, name) < _AS_ONE):
        return False
    if likeness(passage.title, name) >= _ALIKE or not holds(passage.title, name):
        return True
    return len({_type_of(each, passage) for each in (subject, name)} - {""}) <= 1


def _type_of(name: str, passage: ReadPassage) -> str:
    return type_of_name(name) or passage.reading.type_of(name)


def _is_code(name: str) -> bool:
    """Whether a name is a designation ("TX-40"): of its maker more is said than of it."""
    return any(c.isdigit() for c in name)


def speaks_of(view: SentenceView, name: str) -> bool:
    """Whether a sentence has a name, in full or short, or a pronoun for it."""
    if holds(view.text, name):
        return True
    labels = _names_in(view)
    if any(likeness(name, label) >= _ALIKE and not _is_of_namesake(label, name, view) for label in labels):
        return True
    capitals = [token.text for token in view.sentence.tokens if token.text.isupper() and len(token.text) > 1]
    return any(same_name(name, label) for label in (*labels, *capitals))


def _is_of_namesake(label: str, name: str, view: SentenceView) -> bool:
    """Whether a label is a last name alone that stands for another person of that name."""
    others = (view.passage.title, *view.resolved)
    return words_of(label) == words_of(name)[-1:] and any(_is_namesake(name, other) for other in others)


def _names_in(view: SentenceView) -> list[str]:
    """What a sentence names, and what its pronouns stand for."""
    return [*(candidate.label for candidate in view.candidates if candidate.value is None), *view.resolved]


def _is_namesake(name: str, title: str) -> bool:
    """Whether a title or name is another's of the same last name, who is meant where only that is said."""
    mine, theirs = words_of(name), words_of(title)
    return len(mine) > 1 and len(theirs) > 1 and mine[-1] == theirs[-1] and mine[0] != theirs[0]


def _may_mean(view: SentenceView, name: str) -> bool:
    """False where the sentence is about a man or woman, and the name is one of the other kind."""
    gender = gender_of_name(name)
    told = {_PRONOUNS[t.text.lower()] for t in view.sentence.tokens if t.text.lower() in _PRONOUNS}
    return not gender or not (told - {""}) or gender in told


def _named_subject(view: SentenceView, place: int = -1) -> str:
    """The name that the sentence's main clause is about, or the one in which a character stands; empty where that is
    none, or a pronoun."""
    tokens = view.sentence.tokens
    own = next((token for token in tokens if token.start <= place < token.end), None)
    for head in (
        *(tokens[index] for index in (view.sentence.chain(own.index) if own else ())),
        *view.sentence.roots,
    ):
        for child in view.sentence.children[head.index]:
            if child.relation.startswith("nsubj"):
                is_described = head.relation == "acl:relcl" and child.pos == "PRON" and head.head >= 0
                return _name_at(tokens[head.head] if is_described else child, view)
    return ""


def _name_at(token: Token, view: SentenceView) -> str:
    if token.index == 0 and wordnet.known(token.text.casefold(), "n") and not view.sentence.children[0]:
        return ""  # its capital only begins the sentence
    named = (c for c in view.candidates if c.head == token.index and c.value is None and not c.resolved)
    return next((candidate.label for candidate in named if candidate.label[:1].isupper()), "")


def _goes_on(name: str, passage: ReadPassage, at: int, views: Views) -> bool:
    """Whether the sentences just before have the name, and speak of nothing else since: what only a pronoun may mean is
    followed to where it is named."""
    others = 0
    for number in range(at - 1, -1, -1):
        before, after = passage.parsed[number], passage.parsed[number + 1]
        if "\n\n" in passage.text[before.end : after.start]:
            return False
        view = views.sentence(passage, before)
        if _has_name(view, name):
            return True
        others += not speaks_of(view, name)
        if others >= _BEFORE or _named_subject(view):
            return False
    return False


def _says_the_rest(view: SentenceView, name: str, asked: NamesAsked) -> bool:
    """Whether a sentence without a name of its own says nearly all else of the question, in a document that has the
    name: "The collision was caused by a valve", where that of the Lady Isolde is asked about."""
    said = asked.others & stems(view.text)
    is_most = len(said) >= max(_MOST_SAID * len(asked.others), _LEAST_SAID)
    same = (each for each in asked.passages if each.document == view.passage.document)
    return is_most and any(holds(each.text, name) for each in (view.passage, *same))


_MOST_SAID, _LEAST_SAID = 0.75, 2


def _has_name(view: SentenceView, name: str) -> bool:
    """Whether a sentence has a name itself, in full or short."""
    own = (c.label for c in view.candidates if c.value is None and not c.resolved)
    return holds(view.text, name) or any(
        likeness(name, label) >= _ALIKE and not _is_of_namesake(label, name, view) for label in own
    )


def _other_views(
    view: SentenceView, found: Derived, passages: Sequence[ReadPassage], views: Views
) -> Iterator[SentenceView]:
    """The sentences of the passages that the steps stand on, then of all others that were retrieved."""
    stood_on = (support.passage for step in reversed(found.steps) for support in step.supports)
    for passage in dict.fromkeys((*stood_on, *passages)):
        yield from (views.sentence(passage, s) for s in passage.parsed if s is not view.sentence)


def _is_told_together(
    name: str, about: Sequence[str], asked: NamesAsked, sentences: Iterator[SentenceView]
) -> bool:
    """Whether one sentence that says something of the question has both, or stands under the title of one."""
    first = words_of(name)[:1]
    starts = {words_of(each)[0] for each in about if words_of(each)}
    for view in sentences:
        said = set(words_of(f"{view.passage.title} {view.text}"))
        if not first or first[0] not in said or said.isdisjoint(starts):
            continue
        if asked.others and asked.others.isdisjoint(stems(view.text)):
            continue
        if not (speaks_of(view, name) or _is_under(view, name)):
            continue
        labels = [*_names_in(view), *([view.passage.title] if not _named_subject(view) else [])]
        if any(likeness(each, label) >= _AS_ONE for each in about for label in labels):
            return True
    return False


def _is_under(view: SentenceView, name: str) -> bool:
    return likeness(name, view.passage.title) >= _AS_ONE
