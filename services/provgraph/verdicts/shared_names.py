"""What the passages of one document tell each other: which chain "the chain" is, and whose last name "Vik" is."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence

from provgraph.verdicts.claims import Claim
from provgraph.verdicts.names import name_words, part_of_name, same_name
from provgraph.verdicts.texts import TextMeaning
from provgraph.verdicts.things import Thing


def share_names(texts: Sequence[TextMeaning]) -> None:
    """Gives open descriptions and last names of one passage the one name that the others of its title have for them.

    Only where all passages of the document know one such name alone; changes the things of `texts`.
    """
    documents: dict[str, list[TextMeaning]] = defaultdict(list)
    for text in texts:
        documents[text.evidence.title].append(text)
    for title, passages in documents.items():
        if title and len(passages) > 1:
            _share(passages)


def topics_for(text: TextMeaning, claim: Claim, texts: Sequence[TextMeaning]) -> frozenset[str]:
    """The names that a claim is about and that a passage may mean by "it": not one that only other documents name."""
    return frozenset(name for name in claim.topics if _may_mean(text, name, texts))


def _may_mean(text: TextMeaning, name: str, texts: Sequence[TextMeaning]) -> bool:
    naming = [meaning for meaning in texts if name.casefold() in meaning.evidence.text.casefold()]
    return not naming or any(meaning.evidence.title == text.evidence.title for meaning in naming)


def _share(passages: Sequence[TextMeaning]) -> None:
    nouns, full = _described(passages), _full_names(passages)
    for thing in _things(passages):
        if thing.open and thing.kind == "noun" and _is_definite(thing) and len(nouns[thing.lemma]) == 1:
            thing.names, thing.open = list(nouns[thing.lemma]), False
        elif thing.kind == "name" and len(name_words(thing.words)) == 1:
            known = [name for name in full[name_words(thing.words)[0]] if part_of_name(thing.words, name)]
            if known and all(same_name(name, known[0]) for name in known):
                thing.names = list(dict.fromkeys([*thing.names, known[0]]))


def _things(passages: Sequence[TextMeaning]) -> Iterator[Thing]:
    return (thing for text in passages for meaning in text.meanings for thing in meaning.things)


def _is_definite(thing: Thing) -> bool:
    narrowed = thing.restrictions or thing.ordinals or thing.modifiers
    return thing.determiner in ("the", "this") and not thing.plural and not narrowed


def _described(passages: Sequence[TextMeaning]) -> dict[str, list[str]]:
    """By noun the names of which it is said: "the bakery chain Korn"."""
    found: dict[str, list[str]] = defaultdict(list)
    for text in passages:
        for statement in text.statements:
            if statement.lemma == "be" and statement.positive and statement.modality == "asserted":
                names = [
                    thing.names[0]
                    for thing in statement.slots.get("A", [])
                    if thing.kind == "name" and thing.names
                ]
                for noun in statement.slots.get("C", []):
                    if noun.kind == "noun" and not noun.plural:
                        found[noun.lemma] += [
                            n for n in names if not any(same_name(n, k) for k in found[noun.lemma])
                        ]
    return found


def _full_names(passages: Sequence[TextMeaning]) -> dict[str, list[str]]:
    """By each of their words the names of several words."""
    full_names: dict[str, list[str]] = defaultdict(list)
    for name in dict.fromkeys(thing.words for thing in _things(passages) if thing.kind == "name"):
        words = name_words(name)
        for word in words if len(words) > 1 else ():
            full_names[word].append(name)
    return full_names
