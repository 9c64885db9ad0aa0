"""Clauses: which phrases are the subjects, objects and prepositional arguments of each verb.

A left-to-right reading of the chunks after the clause patterns of ClausIE (Del Corro and Gemulla, WWW 2013)
with ReVerb's verb phrases (Fader et al., EMNLP 2011). Where the pattern does not tell, the clause gets no
subject, and so no fact.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from itertools import pairwise

from provgraph.extraction.model_free.chunks import PhraseChunk
from provgraph.extraction.model_free.phrases import noun_list
from provgraph.extraction.model_free.sentence import Phrase, Sentence
from provgraph.extraction.model_free.subjects import Adjunct, SubjectReader
from provgraph.extraction.model_free.word_classes import LINKING, REPORTING, SELF_SUFFICIENT


@dataclass
class Clause:
    """`verb` is the verb phrase or the participle; `complement` an adjective that belongs to its relation.

    `shared_from` is the token where the arguments begin that a verb has in common with the next one, or 0.
    """

    verb: PhraseChunk
    subjects: list[Phrase]
    objects: list[Phrase] = field(default_factory=list)
    adjuncts: list[Adjunct] = field(default_factory=list)
    leading: list[Adjunct] = field(default_factory=list)
    complement: Phrase | None = None
    subordinate: str = ""
    distance: int = 0
    prefix: Phrase | None = None
    end: int = 0
    shared_from: int = 0


class ClauseReader:
    """Reads the clauses of one sentence."""

    def __init__(self, sentence: Sentence) -> None:
        self._sentence = sentence
        self._kinds = sentence.kinds
        self._subjects = SubjectReader(sentence)

    def clauses(self) -> list[Clause]:
        """All clauses that have a subject, in the order of their verbs."""
        found = []
        for index, chunk in enumerate(self._sentence.chunks):
            if chunk.kind == "v":
                subjects = self._subjects.of_finite(index)
            elif chunk.kind in "lg":
                subjects = self._subjects.of_participle(index)
            else:
                continue
            if subjects:
                found.append(self._clause(index, subjects))
        for clause, following in reversed(list(pairwise(found))):
            self._share_arguments(clause, following)
        return found

    def _share_arguments(self, clause: Clause, following: Clause) -> None:
        """Traders buy and sell stocks; she lived and worked in Rome."""
        bare = not (clause.objects or clause.adjuncts or clause.complement)
        joined = self._kinds[clause.end] == "U" and self._sentence.chunks[clause.end + 1] is following.verb
        last = self._sentence.tokens[clause.verb.end - 1]
        alike = (last.tag == "L") == (self._sentence.tags[following.verb.end - 1] == "L")
        if not bare or not joined or not alike or last.lower in SELF_SUFFICIENT:
            return
        clause.objects, clause.adjuncts, clause.end = following.objects, following.adjuncts, following.end
        clause.shared_from = following.shared_from or following.verb.end

    def _clause(self, index: int, subjects: list[Phrase]) -> Clause:
        clause = Clause(self._sentence.chunks[index], subjects, leading=self._subjects.leading)
        clause.subordinate = self._subordinate(index)
        clause.distance = clause.verb.start - subjects[-1].end
        clause.prefix = self._prefix(index)
        clause.end = self._read_arguments(clause, index + 1)
        judged = (
            self._kinds[clause.end] == "v" and self._sentence.tokens[clause.verb.end - 1].lower in REPORTING
        )
        alone = (
            not clause.objects and not clause.adjuncts and self._kinds[clause.end] in ",.Uv" and not judged
        )
        if alone and self._is_object_relative(index):
            clause.objects = self._subjects.antecedent(self._relative_before(index))
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

    def _read_arguments(self, clause: Clause, position: int) -> int:
        """Fill in the arguments; gives the index of the chunk after the last of them."""
        kinds = self._kinds
        position = self._read_complement(clause, position)
        while True:
            kind = kinds[position]
            if kind == "n":
                after = self._read_noun(clause, position)
            elif kind in "ITzoK":
                after = self._read_preposition(clause, position)
            elif kind == "(":
                after = self._after_bracket(position)
            else:
                after = position + (kind == "," and self._goes_on_after_comma(position))
            if after == position:
                return position
            position = after

    def _read_noun(self, clause: Clause, position: int) -> int:
        """An object, or a bare date; stays at `position` where it is the subject of what follows."""
        members, after = noun_list(self._sentence, position)
        if self._sentence.is_date(members[0]) and (clause.objects or clause.adjuncts):
            clause.adjuncts.append(Adjunct(-1, members))
            return after
        if clause.objects or clause.adjuncts or self._kinds[after] == "v":
            return position
        clause.objects = members
        return after

    def _read_preposition(self, clause: Clause, position: int) -> int:
        first = self._sentence.chunks[position].start
        noun = self._preposition_end(position)
        if noun == position:
            return position + (self._kinds[position] == "K")
        members, after = noun_list(self._sentence, noun)
        more_of = self._kinds[position] == "o" and self._sentence.tags[first - 1] == "R"
        if more_of or (self._kinds[position] == "z" and self._kinds[after] == "v"):
            return position
        clause.adjuncts.append(Adjunct(first, members))
        return after

    def _preposition_end(self, position: int) -> int:
        """The index of the noun phrase after one or two prepositions ("referred to as"), else `position`."""
        kinds = self._kinds
        if kinds[position + 1] == "n" and kinds[position] != "K":
            return position + 1
        return position + 2 if kinds[position + 1] in "Izo" and kinds[position + 2] == "n" else position

    def _read_complement(self, clause: Clause, position: int) -> int:
        """Is similar to X: the adjective joins the relation."""
        start = position
        verb = self._sentence.tokens[clause.verb.end - 1]
        if verb.tag not in "BbX" and verb.lower not in LINKING:
            return position
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
        return relative > 0 and self._kinds[index] == "v" and self._subjects.word(relative) != "whose"

    def _subordinate(self, index: int) -> str:
        """The conjunction that governs this clause: "if", "that", "because" … or ""."""
        for position in range(index - 1, -1, -1):
            if self._kinds[position] in "v:.":
                return ""
            if self._kinds[position] in "ZQ":
                return self._subjects.word(position)
        return ""
