"""Whether a sentence says the statement that a question makes with a candidate in the place of what is asked: judged as
any claim is, by the sentence, by it with a noun for a pronoun, and by its clause without a verb said in full.
"""

from __future__ import annotations

import re
from typing import Final

from provgraph.derivation.answer_statements import answered_statement
from provgraph.derivation.asking import Asking
from provgraph.derivation.candidates import AnswerCandidate
from provgraph.derivation.matching import PREPOSITIONS
from provgraph.derivation.names import holds
from provgraph.derivation.pronouns_put import with_noun_put
from provgraph.derivation.proposals import PHRASE
from provgraph.derivation.ranked import RankedAnswer
from provgraph.reading.gapped_clauses import gapped_clause
from provgraph.reading.syntax import ParsedSentence, Parser
from provgraph.verdicts.judgement import EvidenceText, Judgement
from provgraph.verdicts.judging import judge

_SAYS: Final = 0.87
"""How sure it has to be that a sentence says the statement that a candidate makes of the question."""
_READ: Final = 0.45
_OF_A_NAME: Final = 0.5
"""What share of a name's words the question may have: who founded a firm may have given it a name."""
_AT_PRESENT: Final = re.compile(r" (?:today|now|currently|at present|first)(?=[ ?])")
"""Words that a sentence need not repeat."""
_LEAST_MET: Final = 0.25
"""How much of the question its sentence has to have, where it was not read as the answer."""
_BEFORE: Final = 2
"""Sentences before that of a candidate, for what its pronouns mean."""


def may_be_put(answer: RankedAnswer) -> bool:
    """Whether a candidate stands near anything of the question, says nothing of it, and is no phrase of another kind or
    before a name, nor what a pronoun stands for where that is not known to be of the kind."""
    candidate, measured = answer.candidate, answer.measured
    is_phrase = candidate.entity_type == PHRASE
    if is_phrase and (measured["hardly fits"] or _is_before_name(candidate.sentence, candidate.head)):
        return False
    if candidate.resolved and not measured["fits"]:
        return False
    is_near = measured["cover"] >= _LEAST_MET or measured["read"] >= _READ
    shared = measured["part in question"]
    return is_near and (shared <= _OF_A_NAME if candidate.label.istitle() else not shared)


def _is_before_name(sentence: ParsedSentence, at: int) -> bool:
    """Whether a name stands right behind, which says more: "the shipping line Northern Ferries"."""
    noun = sentence.tokens[at]
    after = sentence.tokens[at + 1] if at + 1 < len(sentence.tokens) else None
    if after is None or after.pos != "PROPN":
        return False
    name = (
        sentence.tokens[after.head] if after.relation in ("compound", "flat") and after.head >= 0 else after
    )
    return name.head == noun.index or noun.head == name.index


def _is_behind_another(asked: Asking, candidate: AnswerCandidate) -> bool:
    """Whether a question ends with a preposition, and the candidate stands behind another: "available to" is nothing
    that is "through schools"."""
    last = asked.text.rstrip(" ?").rpartition(" ")[2].casefold()
    tokens, head = candidate.sentence.tokens, candidate.sentence.tokens[candidate.head]
    while head.relation == "conj" and head.head >= 0:
        head = tokens[head.head]
    cases = {c.text.casefold() for c in candidate.sentence.children[head.index] if c.relation == "case"}
    return last in PREPOSITIONS and bool(cases) and last not in cases


def is_said(asked: Asking, candidate: AnswerCandidate, label: str, parser: Parser) -> bool:
    passage, sentence = candidate.passage, candidate.sentence
    before = passage.text[sentence.start : candidate.span.start]
    statement = answered_statement(_AT_PRESENT.sub("", asked.text), label, before, parser)
    if not statement or _is_behind_another(asked, candidate):
        return False
    spans = [
        (parsed_sentence.start, parsed_sentence.end)
        for parsed_sentence in passage.parsed
        if parsed_sentence.start <= sentence.start
    ]
    evidence = EvidenceText(passage.key, passage.text, passage.title, spans[-1 - _BEFORE :])
    verdict = judge(statement, [evidence], parser)
    if any(sentence.start <= place.start < sentence.end for place in verdict.deciding) and _is_sure(verdict):
        return True
    others = (with_noun_put(asked, passage, sentence), gapped_clause(passage.text, sentence))
    put = [each for each in others if holds(each, label)]
    return any(
        _is_sure(judge(statement, [EvidenceText(passage.key, each, passage.title)], parser)) for each in put
    )


def _is_sure(verdict: Judgement) -> bool:
    return verdict.label == "SUPPORTS" and verdict.confidence >= _SAYS
