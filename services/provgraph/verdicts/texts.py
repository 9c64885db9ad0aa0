"""What one evidence text says: its statements, and what is said in it of whom."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from functools import cached_property

from provgraph.language.terms import content_terms
from provgraph.reading.syntax import ParsedSentence
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.names import name_words, part_of_name, same_name
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.sentence_words import SentenceWords, sentence_words
from provgraph.verdicts.things import Statement, Thing


@dataclass
class TextMeaning:
    """`meanings` of the sentences that could be read, `statements` of all, `names` that the text has in full."""

    evidence: EvidenceText
    parsed: Sequence[ParsedSentence]
    meanings: list[SentenceMeaning] = field(default_factory=list)
    statements: list[Statement] = field(default_factory=list)

    @cached_property
    def descriptions(self) -> dict[str, list[tuple[str, Statement, Thing]]]:
        """By the last word of a name: what is said of it with "be"."""
        table: dict[str, list[tuple[str, Statement, Thing]]] = {}
        for statement in self.statements:
            if statement.lemma == "be" and statement.modality == "asserted":
                for subject in statement.slots.get("A", []):
                    for name in (*subject.names, *subject.also):
                        for complement in statement.slots.get("C", []):
                            table.setdefault(_key(name), []).append((name, statement, complement))
        return table

    @cached_property
    def aliases(self) -> dict[tuple[str, ...], list[str]]:
        """Other names of what has a name, where the text says "known as", "officially" or the like."""
        table: dict[tuple[str, ...], list[str]] = {}
        for statement in self.statements:
            if statement.lemma in ("be", "rel:also-known-as") and statement.positive:
                others = [*statement.slots.get("C", []), *statement.slots.get("P", [])]
                for one in statement.slots.get("A", []):
                    for other in others:
                        if one.names and other.kind == "name":
                            table.setdefault(name_words(one.names[0]), []).append(other.words)
                            table.setdefault(name_words(other.words), []).extend(one.names)
        return table

    @cached_property
    def spoken_of(self) -> frozenset[str]:
        """The nouns (lemmas) that the text takes for known: "the committee"."""
        things = (thing for meaning in self.meanings for thing in meaning.things)
        return frozenset(
            thing.lemma for thing in things if thing.kind == "noun" and thing.determiner in ("the", "this")
        )

    @cached_property
    def words_of_sentences(self) -> list[SentenceWords]:
        """The sentences as words, each with who its pronouns and descriptions stand for."""
        things = {meaning.number: meaning.things for meaning in self.meanings}
        return [
            sentence_words(number, parsed, self.evidence.text, things.get(number, []))
            for number, parsed in enumerate(self.parsed)
        ]

    @cached_property
    def terms_of_sentences(self) -> list[tuple[str, ...]]:
        """The content words of each sentence, in order."""
        return [tuple(content_terms(self.evidence.text[s.start : s.end])) for s in self.parsed]

    def has_somebody_else(self, part: str, name: str) -> bool:
        """Whether a part of a name is also that of another: "Hale", with Peter Hale in the text, of Joan Hale; of the
        one with whom the text begins it is hers."""
        if same_name(name, self.opening_name):
            return False
        return any(
            part_of_name(part, other) and not same_name(other, name) and not part_of_name(other, name)
            for other in self.names_in_full
        )

    @cached_property
    def opening_name(self) -> str:
        """The full name that the text has for the subject of its first sentence, empty where it has none."""
        first = self.meanings[0] if self.meanings else None
        roots = {token.index for token in first.sentence.roots} if first is not None else ()
        subjects = (
            thing.words for thing in (first.things if first is not None else ())
            if thing.kind == "name" and thing.token.relation.startswith("nsubj") and thing.token.head in roots
        )  # fmt: skip
        name = next(subjects, "")
        return name if " " in name else ""

    @cached_property
    def names_in_full(self) -> frozenset[str]:
        units = (
            unit for sentence in self.words_of_sentences for unit in sentence.units if unit.kind == "name"
        )
        return frozenset(self.evidence.text[unit.start : unit.end] for unit in units if len(unit.tokens) > 1)

    def called(self, thing: Thing) -> list[str]:
        """All that a thing goes by: its names, what is said to be it, and the aliases of both."""
        names = [*thing.names, *thing.also]
        return list(dict.fromkeys([*names, *(a for n in names for a in self.aliases.get(name_words(n), ()))]))

    def said_of(self, thing: Thing) -> Iterator[tuple[Statement, Thing]]:
        for name in self.called(thing):
            for other, statement, complement in self.descriptions.get(_key(name), ()):
                if same_name(name, other):
                    yield statement, complement


def _key(name: str) -> str:
    words = [word for word in name_words(name) if word not in ("jr", "sr", "junior", "senior")]
    return words[-1] if words else name
