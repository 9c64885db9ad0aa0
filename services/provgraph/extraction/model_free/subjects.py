"""Which phrases are the subjects of a verb, found from what stands before it.

Where the words before do not tell, a verb gets no subject, and so no fact.
"""

from __future__ import annotations

from dataclasses import dataclass

from provgraph.extraction.model_free.chunks import PhraseChunk
from provgraph.extraction.model_free.entity_types import type_of_noun
from provgraph.extraction.model_free.phrases import noun_list
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.word_classes import PREPOSITIONAL_PARTICIPLES, REPORTING


@dataclass(frozen=True)
class Adjunct:
    """A prepositional argument: its preposition, from token `preposition` to the first of the `members`.

    A bare date has preposition -1.
    """

    preposition: int
    members: list[Phrase]


class SubjectReader:
    """Finds the subjects of a sentence's verbs, asked from left to right.

    `leading` holds the prepositional phrases that stood before the last subject, at the sentence's beginning.
    """

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._kinds = sentence.kinds
        self._subjects: dict[int, list[Phrase]] = {}
        self.leading: list[Adjunct] = []

    def of_finite(self, index: int) -> list[Phrase]:
        """The subjects of the finite verb phrase `index`."""
        self.leading = []
        self._subjects[index] = self._find(index)
        return self._subjects[index]

    def _find(self, index: int) -> list[Phrase]:
        kinds = self._kinds
        left = index - 1
        if left < 0:
            return []
        if kinds[left] in "Uu":
            return self._shared_subject(index)
        if kinds[left] == "W":
            return self.antecedent(left)
        if kinds[left] == "n":
            return self._subject_before(index)
        if kinds[left] == ")":
            opening = self._opening_bracket(left)
            if kinds[:opening] == ["n", ",", "n"]:
                opening = 1
            return self._subject_before(opening) if opening > 0 else []
        return self._before_insertion(left) if kinds[left] == "," else []

    def of_participle(self, index: int) -> list[Phrase]:
        """X, founded in 1919, … and: the company founded by X; in "X won, beating Y" the subject of the verb before."""
        self.leading = []
        kinds = self._kinds
        left = index - 1
        if self.word(index) in PREPOSITIONAL_PARTICIPLES:
            return []
        if kinds[index] == "g" and left >= 1 and kinds[left] == "," and self._subjects:
            return self._shared_subject(index)
        if left >= 1 and kinds[left] == "," and kinds[left - 1] in "n)":
            left -= 1
        if left >= 1 and kinds[left] == ")":
            left = self._opening_bracket(left) - 1
        if left < 0 or kinds[left] != "n":
            return []
        defined = self._defined(left, "who")
        if defined and not self._defined(left, "which"):
            return []
        return defined or [self._whole_phrase(left)]

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

    def antecedent(self, relative: int) -> list[Phrase]:
        """What who, which or that stands for; in "X is a physicist who …", X itself."""
        if relative < 1 or self.word(relative) == "whose":
            return []
        left = relative - 1
        if self._kinds[left] == ",":
            left -= 1
        if left < 0 or self._kinds[left] != "n":
            return []
        defined = self._defined(left, self.word(relative))
        if defined:
            return defined
        whole = self._whole_phrase(left)
        last = self._sentence.chunks[left]
        if self.word(relative).startswith("who"):
            if self._is_personal(last):
                return [Phrase(last.start, last.end, last.end)]
            return (
                [whole] if type_of_noun(self._sentence.tokens[whole.head - 1].lower) in ("Person", "") else []
            )
        return [whole]

    def _defined(self, left: int, word: str) -> list[Phrase]:
        """The subject of the copula whose complement ends with chunk `left`."""
        position = left
        while position >= 2 and self._kinds[position - 1] in "oIU," and self._kinds[position - 2] == "n":
            position -= 2
        verb = position - 1
        if verb not in self._subjects or self._sentence.tags[self._sentence.chunks[verb].end - 1] != "B":
            return []
        complement, last = self._sentence.chunks[position], self._sentence.chunks[left]
        head = self._sentence.tokens[complement.end - 1]
        if head.tag != "N" or self._sentence.tokens[complement.start].lower not in ("a", "an", "the"):
            return []
        if position != left and self._sentence.tags[last.end - 1] == "P" and not word.startswith("who"):
            return []
        return self._subjects[verb]

    def _is_personal(self, chunk: PhraseChunk) -> bool:
        """Whether it is a person, or may be one: a name that no preposition makes a place."""
        head = self._sentence.tokens[chunk.end - 1]
        before = self._sentence.tags[chunk.start - 1] if chunk.start else "^"
        return type_of_noun(head.lower) == "Person" or (head.tag == "P" and before not in "oI")

    def _opening_bracket(self, closing: int) -> int:
        depth = 0
        for index in range(closing, -1, -1):
            depth += (self._kinds[index] == ")") - (self._kinds[index] == "(")
            if not depth:
                return index
        return -1

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
        if start >= 3 and kinds[start - 3 : start] == ["W", "v", "J"]:
            start -= 1
        boundary = kinds[start - 1] if start else "^"
        if boundary == "v" and start >= 2 and kinds[start - 2] == "W" and "," not in kinds[start:end]:
            return self.antecedent(start - 2)
        found = self._read_subject(self._after_object(start, end) if boundary == "v" else start, end)
        if boundary != "^":
            self.leading = []
        if not found and boundary in "lg":
            return self._subject_before(start - 1)
        if boundary == "W" and self.word(start - 1) == "whose":
            return []
        return found

    def _after_object(self, start: int, end: int) -> int:
        """He ate fish and Mary left: up to "and" stands the object; but: he said A and B left."""
        kinds = self._kinds
        verb = self._sentence.tokens[self._sentence.chunks[start - 1].end - 1]
        if "U" not in kinds[start:end] or kinds[start] == "," or verb.lower in REPORTING:
            return start
        for position in range(start + 1, end):
            if kinds[position] == "U" and kinds[position - 1] == ",":
                return position + 1
        return end - kinds[start:end][::-1].index("U")

    def word(self, index: int) -> str:
        return self._sentence.tokens[self._sentence.chunks[index].start].lower

    def _read_subject(self, position: int, end: int) -> list[Phrase]:
        kinds = self._kinds
        while position < end:
            kind = kinds[position]
            if kind in "IzT" and kinds[position + 1] == "n":
                members, after = noun_list(self._sentence, position + 1, limit=end)
                if after >= end:
                    return members if kind == "z" else []
                self.leading.append(Adjunct(self._sentence.chunks[position].start, members))
                position = after
            elif kind == "n":
                members, after = noun_list(self._sentence, position, limit=end)
                if after < end and self._sentence.is_date(members[0]):
                    if position == 0 or kinds[position - 1] != "o":
                        self.leading.append(Adjunct(-1, members))
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
