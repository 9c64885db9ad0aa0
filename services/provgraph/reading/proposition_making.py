"""Makes the propositions of a sentence from what its rules found: words, arguments, and the manner of their clause."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Final

from provgraph.reading.matching import RelationMatch, Roles, other_arguments
from provgraph.reading.phrases import Phrases
from provgraph.reading.propositions import Argument, Modality, Proposition, Span, Tense

AUTHORITY: Final = 0.9
"""The certainty of what a clause says by its own verb of its own subject."""


@dataclass(frozen=True)
class PropositionManner:
    """What all propositions of one clause share."""

    polarity: bool = True
    modality: Modality = "asserted"
    speaker: Argument | None = None
    tense: Tense = ""
    main: bool = True
    certainty: float = AUTHORITY
    derived: bool = False
    person: bool = False


@dataclass(frozen=True)
class PredicateWords:
    """The words of a predicate, and whether they say a relation of the vocabulary."""

    span: Span
    lemma: str = ""
    canonical: bool = True
    agentless: bool = False


class PropositionMaker:
    """Makes the propositions of one sentence."""

    def __init__(self, phrases: Phrases) -> None:
        self._phrases = phrases
        sentence = phrases.sentence
        self._span = Span(sentence.start, sentence.end, phrases.text[sentence.start : sentence.end])

    def of_match(
        self,
        match: RelationMatch,
        roles: Roles,
        predicate: Span,
        manner: PropositionManner,
        extra: tuple[Argument, ...] = (),
    ) -> Proposition:
        """What a relation that was matched says, with the other arguments of its clause, and `extra` ones."""
        one = self._phrases.argument(match.subject, "subject")
        other = self._phrases.argument(match.object, "object")
        if not match.relation.open:
            one, other = _typed(one, match.relation.domain), _typed(other, match.relation.range)
        used = {match.subject.index, match.object.index}
        rest = other_arguments(self._phrases, {k: v for k, v in roles.items() if k != "possessor"}, used)
        certainty = manner.certainty - (0.15 if match.loose else 0) + min(match.strength, 0) / 4
        return self.made(
            match.relation.id, PredicateWords(predicate, match.trigger.lemma), (one, other), (*rest, *extra),
            manner if certainty == manner.certainty else replace(manner, certainty=certainty),
        )  # fmt: skip

    def made(
        self,
        relation: str,
        words: PredicateWords,
        pair: tuple[Argument, Argument | None],
        arguments: tuple[Argument, ...],
        manner: PropositionManner,
    ) -> Proposition:
        """The proposition of subject and object (`pair`)."""
        subject, target = pair
        return Proposition(
            relation,
            words.canonical,
            words.span,
            subject,
            target,
            self._span,
            arguments,
            polarity=manner.polarity,
            modality=manner.modality,
            attributed_to=manner.speaker,
            tense=manner.tense,
            certainty=round(manner.certainty, 2),
            derived=manner.derived,
            main=manner.main,
            stands_alone=subject.kind != "pronoun" and (target is None or target.kind != "pronoun"),
            lemma=words.lemma,
            agentless=words.agentless,
            attachment=self._phrases.attachment(subject.head, target.head) if target is not None else 1.0,
        )


def _typed(argument: Argument, types: frozenset[str]) -> Argument:
    """With the one type that the relation allows, where it has none of them."""
    named = types - {"-", "Group", "Date", "Number", "Concept", "Role", "Award"}
    if argument.entity_type in types or argument.kind == "value" or len(named) != 1 or "-" in types:
        return argument
    return replace(argument, entity_type=next(iter(named)))
