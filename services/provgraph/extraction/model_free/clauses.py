"""Clauses: which phrases are the subjects, objects and prepositional arguments of each verb.

A left-to-right reading of the chunks after the clause patterns of ClausIE (Del Corro and Gemulla, WWW 2013)
with ReVerb's verb phrases (Fader et al., EMNLP 2011). Where the pattern does not tell, the clause gets no
subject, and so no fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field

from provgraph.extraction.model_free.chunks import Chunk
from provgraph.extraction.model_free.phrases import noun_list, noun_phrase
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.types import type_of_noun


REPORTING = frozenset(
    "said says say told tells added adds noted notes stated states believed believes thought think thinks argued "
    "argues claimed claims suggested suggests showed shows found indicated indicates explained announced reported "
    "reports concluded know knew known hoped hopes felt predicted predicts expect expects insisted insists".split()
)


@dataclass(frozen=True)
class Adjunct:
    """A prepositional argument: its preposition, from token `preposition` to before the first of the `members`.

    A bare date has preposition -1; `end` is the index of the chunk after it.
    """

    preposition: int
    members: list[Phrase]
    end: int


@dataclass
class Clause:
    """`verb` is the verb phrase or the participle; `complement` an adjective that belongs to its relation."""

    verb: Chunk
    subjects: list[Phrase]
    objects: list[Phrase] = field(default_factory=list)
    adjuncts: list[Adjunct] = field(default_factory=list)
    leading: list[Adjunct] = field(default_factory=list)
    complement: Phrase | None = None
    subordinate: str = ""
    distance: int = 0
    prefix: Phrase | None = None
    end: int = 0


class ClauseReader:
    """Reads the clauses of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._kinds = sentence.kinds
        self._subjects: dict[int, list[Phrase]] = {}
        self._leading: list[Adjunct] = []

    def clauses(self) -> list[Clause]:
        """All clauses that have a subject, in the order of their verbs."""
        found = []
        for index, chunk in enumerate(self._sentence.chunks):
            if chunk.kind == "v":
                self._leading = []
                subjects = self._subjects_of_finite(index)
                self._subjects[index] = subjects
            elif chunk.kind in "lg":
                self._leading = []
                subjects = self._subjects_of_participle(index)
            else:
                continue
            if subjects:
                found.append(self._clause(index, subjects))
        return found

    def _clause(self, index: int, subjects: list[Phrase]) -> Clause:
        clause = Clause(self._sentence.chunks[index], subjects, leading=self._leading)
        clause.subordinate = self._subordinate(index)
        clause.distance = clause.verb.start - subjects[-1].end
        clause.prefix = self._prefix(index)
        clause.end = self._read_arguments(clause, index + 1)
        if not clause.objects and not clause.adjuncts and self._is_object_relative(index):
            clause.objects = self._antecedent(self._relative_before(index))
        return clause

    def _prefix(self, index: int) -> Phrase | None:
        """To change X and modify Y: the words up to "to", which "modify" needs too."""
        tags = self._sentence.tags
        if tags[self._sentence.chunks[index].start : self._sentence.chunks[index].end].strip("RK") != "v":
            return None
        for earlier in range(index - 1, -1, -1):
            chunk = self._sentence.chunks[earlier]
            inside = tags[chunk.start : chunk.end]
            if chunk.kind == "v" and ("T" in inside or "M" in inside):
                end = chunk.start + max(inside.rfind("T"), inside.rfind("M")) + 1
                return Phrase(chunk.start, end, end)
        return None

    # Subjects

    def _subjects_of_finite(self, index: int) -> list[Phrase]:
        kinds = self._kinds
        left = index - 1
        if left < 0:
            return []
        if kinds[left] in "Uu":
            return self._shared_subject(index)
        if kinds[left] == "W":
            return self._antecedent(left)
        if kinds[left] == "n":
            return self._subject_before(index)
        if kinds[left] == ")":
            opening = self._opening_bracket(left)
            return self._subject_before(opening) if opening > 0 else []
        return self._before_insertion(left) if kinds[left] == "," else []

    def _subjects_of_participle(self, index: int) -> list[Phrase]:
        """X, founded in 1919, … and: the company founded by X."""
        kinds = self._kinds
        left = index - 1
        if left >= 1 and kinds[left] == "," and kinds[left - 1] in "n)":
            left -= 1
        if left >= 1 and kinds[left] == ")":
            left = self._opening_bracket(left) - 1
        if left < 0 or kinds[left] != "n":
            return []
        return [self._whole_phrase(left)]

    def _whole_phrase(self, index: int) -> Phrase:
        """The phrase that ends with chunk `index`, begun where its of-phrases begin."""
        start = index
        while start >= 2 and self._kinds[start - 1] == "o" and self._kinds[start - 2] == "n":
            start -= 2
        chunks = self._sentence.chunks
        return Phrase(chunks[start].start, chunks[index].end, chunks[start].end)

    def _shared_subject(self, index: int) -> list[Phrase]:
        """He came and saw: the subject of the verb before."""
        earlier = [i for i in self._subjects if i < index]
        return self._subjects[earlier[-1]] if earlier else []

    def _antecedent(self, relative: int) -> list[Phrase]:
        """What who, which or that stands for."""
        if relative < 1:
            return []
        word = self._sentence.tokens[self._sentence.chunks[relative].start].lower
        left = relative - 1
        if self._kinds[left] == ",":
            left -= 1
        if left < 0 or self._kinds[left] != "n" or word == "whose":
            return []
        whole = self._whole_phrase(left)
        last = self._sentence.chunks[left]
        if word.startswith("who") and whole.start != last.start and self._is_personal(last):
            return [Phrase(last.start, last.end, last.end)]
        return [whole]

    def _is_personal(self, chunk: Chunk) -> bool:
        head = self._sentence.tokens[chunk.end - 1]
        return head.tag == "P" or type_of_noun(head.lower) == "Person"

    def _opening_bracket(self, closing: int) -> int:
        index = closing - 1
        while index >= 0 and self._kinds[index] != "(":
            index -= 1
        return index

    def _before_insertion(self, comma: int) -> list[Phrase]:
        """X, who was born in Y, won: the subject stands before the insertion that ends at `comma`."""
        kinds = self._kinds
        for opening in range(comma - 2, 0, -1):
            if kinds[opening] != "," or kinds[opening - 1] not in "n)":
                continue
            inside = kinds[opening + 1 : comma]
            if inside[0] in "WlgQ" or ("v" not in inside and inside[0] in "nIz"):
                before = opening if kinds[opening - 1] == "n" else self._opening_bracket(opening - 1)
                return self._subject_before(before) if before > 0 else []
        return self._shared_subject(comma) if "U" in kinds[comma:] else []

    def _subject_before(self, end: int) -> list[Phrase]:
        """The subject that ends right before chunk `end`, read forwards from where the clause begins."""
        kinds = self._kinds
        start = end
        while start > 0 and kinds[start - 1] in "noUu,ITz":
            start -= 1
        boundary = kinds[start - 1] if start else "^"
        if boundary == "v" and start >= 2 and kinds[start - 2] == "W" and "," not in kinds[start:end]:
            return self._antecedent(start - 2)
        found = self._read_subject(self._after_object(start, end) if boundary == "v" else start, end)
        if not found and boundary in "lg":
            return self._subject_before(start - 1)
        if boundary == "W" and self._word(start - 1) == "whose":
            return []
        return found

    def _after_object(self, start: int, end: int) -> int:
        """He ate fish and Mary left: what follows a verb is its object up to "and"; but: said A and B left."""
        kinds = self._kinds
        verb = self._sentence.tokens[self._sentence.chunks[start - 1].end - 1]
        if "U" not in kinds[start:end] or kinds[start] == "," or verb.lower in REPORTING:
            return start
        for position in range(start + 1, end):
            if kinds[position] == "U" and kinds[position - 1] == ",":
                return position + 1
        return end - kinds[start:end][::-1].index("U")

    def _word(self, index: int) -> str:
        return self._sentence.tokens[self._sentence.chunks[index].start].lower

    def _read_subject(self, position: int, end: int) -> list[Phrase]:
        kinds = self._kinds
        while position < end:
            kind = kinds[position]
            if kind in "IzT" and kinds[position + 1] == "n":
                members, after = noun_list(self._sentence, position + 1, limit=end)
                if after >= end:
                    return members if kind == "z" else []
                self._leading.append(self._adjunct(position, members, after))
                position = after
            elif kind == "n":
                members, after = noun_list(self._sentence, position, limit=end)
                if after < end and self._is_date(members[0]):
                    self._leading.append(Adjunct(-1, members, after))
                    position = after
                    continue
                if after > end:
                    return []
                last = self._with_prepositions(after, end)
                if last == end:
                    return self._extended(members, after, end)
                if kinds[last] == "," and end > 0 and kinds[end - 1] == ",":
                    return members
                position = max(last, position + 1)
            else:
                position += 1
        return []

    def _with_prepositions(self, position: int, end: int) -> int:
        """Skip the prepositional phrases from `position` on, as far as `end`."""
        while position < end and self._kinds[position] in "IT" and self._kinds[position + 1] == "n":
            _, position = noun_list(self._sentence, position + 1, limit=end)
        return position

    def _extended(self, members: list[Phrase], after: int, end: int) -> list[Phrase]:
        """The last member with the prepositional phrases up to chunk `end`."""
        if after == end or len(members) > 1:
            return members
        only = members[0]
        return [Phrase(only.start, self._sentence.chunks[end - 1].end, only.head)]

    def _adjunct(self, position: int, members: list[Phrase], after: int) -> Adjunct:
        return Adjunct(self._sentence.chunks[position].start, members, after)

    def _is_date(self, phrase: Phrase) -> bool:
        return phrase.end - phrase.start == 1 and self._sentence.tags[phrase.start] == "Y"

    # Arguments

    def _read_arguments(self, clause: Clause, position: int) -> int:
        """Fill in the arguments; gives the index of the chunk after the last of them."""
        kinds = self._kinds
        position = self._read_complement(clause, position)
        while True:
            kind = kinds[position]
            if kind == "n" and not clause.objects and not clause.adjuncts:
                members, after = noun_list(self._sentence, position)
                if kinds[after] == "v" and not self._is_date(members[0]):
                    return position
                clause.objects = members
                position = after
            elif kind in "ITzoK" and self._preposition_end(position) > position:
                members, after = noun_list(self._sentence, self._preposition_end(position))
                if kinds[after] == "v" and kind == "z":
                    return position
                clause.adjuncts.append(self._adjunct(position, members, after))
                position = after
            elif kind == "n" and self._is_date(noun_phrase(self._sentence, position)[0]):
                members, position = noun_list(self._sentence, position)
                clause.adjuncts.append(Adjunct(-1, members, position))
            elif kind in "K":
                position += 1
            elif kind == "(":
                position = self._after_bracket(position)
            elif kind == "," and self._goes_on_after_comma(position):
                position += 1
            else:
                return position

    def _preposition_end(self, position: int) -> int:
        """The index of the noun phrase after one or two prepositions ("referred to as X"), else `position`."""
        kinds = self._kinds
        if kinds[position + 1] == "n" and kinds[position] != "K":
            return position + 1
        return position + 2 if kinds[position + 1] in "Izo" and kinds[position + 2] == "n" else position

    def _read_complement(self, clause: Clause, position: int) -> int:
        """Is similar to X: the adjective joins the relation."""
        start = position
        while self._kinds[position] == "J":
            position += 1
        if position > start:
            first, last = self._sentence.chunks[start].start, self._sentence.chunks[position - 1].end
            clause.complement = Phrase(first, last, last)
        return position

    def _after_bracket(self, position: int) -> int:
        for index in range(position + 1, len(self._sentence.chunks)):
            if self._kinds[index] == ")":
                return index + 1
        return len(self._sentence.chunks)

    def _goes_on_after_comma(self, comma: int) -> bool:
        """…, in 1903: a preposition with a date or a name belongs to the same verb."""
        kinds = self._kinds
        if kinds[comma + 1] not in "Iz" or kinds[comma + 2] != "n":
            return False
        following = self._sentence.chunks[comma + 2]
        return self._sentence.tags[following.start] == "Y"

    # Relative clauses whose object is the antecedent, and subordination

    def _relative_before(self, index: int) -> int:
        """The index of the relative pronoun that opens this clause, or -1."""
        position = index - 1
        while position >= 0 and self._kinds[position] in "no":
            position -= 1
        return position if position >= 0 and self._kinds[position] == "W" and position < index - 1 else -1

    def _is_object_relative(self, index: int) -> bool:
        relative = self._relative_before(index)
        return relative > 0 and self._kinds[index] == "v" and self._word(relative) != "whose"

    def _subordinate(self, index: int) -> str:
        """The conjunction that governs this clause: "if", "that", "because" … or ""."""
        for position in range(index - 1, -1, -1):
            if self._kinds[position] in "v:.":
                return ""
            if self._kinds[position] in "ZQ":
                return self._word(position)
        return ""
