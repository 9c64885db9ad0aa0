"""Reads an evidence text: its sentences' statements, and who or what they speak of."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final

from provgraph.language.sentences import sentence_spans
from provgraph.reading.datelines import after_dateline
from provgraph.reading.reader import FAILURES
from provgraph.reading.syntax import Parser
from provgraph.verdicts.compared import with_compared_sides
from provgraph.verdicts.judgement import EvidenceText
from provgraph.verdicts.light_verbs import light_statements
from provgraph.verdicts.lives import death_statements, life_statements
from provgraph.verdicts.masking import bare_title, parse_masked, titles_of
from provgraph.verdicts.noun_statements import (
    changed_statements,
    compound_statements,
    dated_statements,
    elliptic_statements,
    employed_statements,
    placed_statements,
    titled_statements,
)
from provgraph.verdicts.openings import opening_statements
from provgraph.verdicts.portions import with_portions
from provgraph.verdicts.referents import Referents
from provgraph.verdicts.sentence_meaning import SentenceMeaning
from provgraph.verdicts.texts import TextMeaning

_MAX_WORDS: Final = 120
_SOUNDS: Final = re.compile(
    r"-LSB-.{0,120}?-RSB-|\[[^\[\]]{0,80}[ˈːɪəʊɛɔɑʃθð][^\[\]]{0,80}\]|(?<=\s)/[^/\s]*[ˈːɪəʊɛɔɑʃθð][^/]*/"
)
"""How a name is pronounced, which no parser can read."""
_BESIDES: Final = (
    life_statements, compound_statements, dated_statements, placed_statements, changed_statements, light_statements,
    titled_statements, opening_statements, death_statements, elliptic_statements,
    employed_statements,
)  # fmt: skip


def text_meaning(evidence: EvidenceText, parser: Parser, names: Sequence[str] = ()) -> TextMeaning:
    """Reads an evidence text; sentences that cannot be read are left out. `names` are titles that may stand in it."""
    spans = list(sentence_spans(evidence.text) if evidence.sentences is None else evidence.sentences)
    spans = [(after_dateline(evidence.text, start, end), end) for start, end in spans]
    title = bare_title(evidence)
    plain = _SOUNDS.sub(lambda match: " " * len(match.group()), evidence.text)
    parsed = [
        with_portions(sentence)
        for sentence in parse_masked(plain, spans, parser, [*names, title, *titles_of(evidence.text)])
    ]
    meaning = TextMeaning(evidence, parsed)
    for number, sentence in enumerate(parsed):
        if len(sentence.tokens) > _MAX_WORDS:
            continue
        try:
            sentence_meaning = SentenceMeaning(sentence, evidence.text, number)
            besides = [statement for read in _BESIDES for statement in read(sentence_meaning)]
            meaning.statements += with_compared_sides(
                sentence_meaning, [*sentence_meaning.statements, *besides]
            )
            meaning.meanings.append(sentence_meaning)
        except FAILURES:
            continue
    Referents(meaning).resolve()
    return meaning
