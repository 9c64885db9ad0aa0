"""Noun phrases with what belongs to them: of-phrases, and lists such as "A, B and C"."""

from __future__ import annotations

from provgraph.extraction.model_free.entity_types import type_of_noun
from provgraph.extraction.model_free.sentence import Phrase, Sentence

_JOINED_BY_AND = frozenset(
    [
        "Department",
        "Ministry",
        "Bureau",
        "Society",
        "Institute",
        "College",
        "Office",
        "Faculty",
        "School",
        "Secretary",
    ]
)


def noun_phrase(sentence: Sentence, index: int) -> tuple[Phrase, int]:
    """The phrase whose first chunk is `index`, with its of-phrases, and the index of the chunk after it."""
    kinds, chunks = sentence.kinds, sentence.chunks
    first = chunks[index]
    end = first.end
    index += 1
    while kinds[index] == "o" and kinds[index + 1] == "n" and sentence.tags[chunks[index + 1].start] != "E":
        end = chunks[index + 1].end
        index += 2
    return Phrase(first.start, end, first.end), index


def noun_list(sentence: Sentence, index: int, limit: int = 0) -> tuple[list[Phrase], int]:
    """The members of the list that starts at chunk `index` (often one), and the index of the chunk after it.

    A last member that a finite verb follows is the subject of the next clause, and so no member; but with
    a `limit`, the list is itself a subject, which ends before chunk `limit`.
    """
    first, after_first = noun_phrase(sentence, index)
    kinds = sentence.kinds
    members, position = [first], after_first
    while True:
        joined = _conjunction(kinds, position)
        following = position + max(joined, 1)
        if kinds[following] != "n" or not (joined or kinds[position] == ","):
            return [first], after_first
        member, position = noun_phrase(sentence, following)
        if (_subject_follows(kinds, position) and not limit) or position > (limit or position):
            return [first], after_first
        if (sentence.tags[member.start] == "Y") != (sentence.tags[first.start] == "Y"):
            return [first], after_first
        members.append(member)
        if joined:
            break
    tags = [sentence.tags[member.head - 1] for member in members]
    if len(members) > 2 and tags[0] == "N" and set(tags[1:]) == {"P"}:
        return [first], position
    if len(members) == 2 and _are_roles(sentence, *members):
        return [Phrase(first.start, members[1].end, members[1].head)], position
    if _is_one_thing(sentence, *members[:2]):
        return [Phrase(first.start, members[1].end, first.head)] if len(members) == 2 else [first], position
    return members, position


def _subject_follows(kinds: list[str], position: int) -> bool:
    """Whether the phrase before `position` is, alone or with one more, the subject of what follows."""
    return kinds[position] == "v" or (
        kinds[position] == "U" and kinds[position + 1] == "n" and kinds[position + 2] == "v"
    )


def _conjunction(kinds: list[str], position: int) -> int:
    """How many chunks the "and" at `position` takes, with a comma before it; 0 if there is none."""
    if kinds[position] == "U":
        return 1
    return 2 if kinds[position] == "," and kinds[position + 1] == "U" else 0


def _are_roles(sentence: Sentence, first: Phrase, second: Phrase) -> bool:
    """Record producer and recording artist Taio Cruz: two roles of one name."""
    roles = sentence.tags[first.head - 1] == "N" and sentence.tags[second.head - 1] == "P"
    role = name_after_roles(sentence, second).start - 1
    personal = (first.head - 1, role) if role >= second.start else ()
    return (
        roles and bool(personal) and all(type_of_noun(sentence.tokens[i].lower) == "Person" for i in personal)
    )


def name_after_roles(sentence: Sentence, phrase: Phrase) -> Phrase:
    """The proper name that ends the phrase: the singer and actor Taio Cruz → Taio Cruz."""
    start = phrase.head
    while start > phrase.start and sentence.tags[start - 1] == "P":
        start -= 1
    return Phrase(start, phrase.end, phrase.head)


def _is_one_thing(sentence: Sentence, first: Phrase, second: Phrase) -> bool:
    """The capital of France and Germany; the Department of Health and Human Services."""
    if first.end == first.head:
        return False
    head = sentence.tokens[first.head - 1]
    bare = sentence.tags[second.start] in "PJN" or second.end == second.head
    return bare and (head.tag == "N" or head.text in _JOINED_BY_AND)
