"""A text in, its propositions out: `read` is what extraction, answering and verdicts call.

reading = read(text, parser, title="Graz")
for proposition in reading.propositions: print(proposition)
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from provgraph.language.sentences import sentence_spans
from provgraph.reading.coreference import Coreference
from provgraph.reading.datelines import after_dateline
from provgraph.reading.document_titles import plain_title, topic_title
from provgraph.reading.propositions import Proposition, Span, TextReading
from provgraph.reading.relations import vocabulary
from provgraph.reading.self_reference import self_reference
from provgraph.reading.sentence_reading import SentenceReader
from provgraph.reading.syntax import ParsedSentence, Parser

FAILURES = (ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError)
"""What a sentence that cannot be read raises; it costs that sentence only."""


def read(
    text: str, parser: Parser, title: str = "", sentences: Sequence[tuple[int, int]] | None = None
) -> TextReading:
    """What `text` says, sentence by sentence; `sentences` are the spans to read, all where none are given."""
    spans = list(sentence_spans(text) if sentences is None else sentences)
    spans = [(after_dateline(text, start, end), end) for start, end in spans]
    return read_parsed(text, parser.parse(text, spans), title)


def read_parsed(text: str, parsed: Sequence[ParsedSentence], title: str = "") -> TextReading:
    """What sentences say that were parsed already."""
    failures: Counter[str] = Counter()
    propositions: list[Proposition] = []
    coreference = Coreference(topic_title(title, text), self_reference(text, title))
    name = plain_title(title)
    for sentence in parsed:
        try:
            propositions += coreference.sentence(
                SentenceReader(sentence, text, vocabulary(), title=name).propositions()
            )
        except FAILURES as error:
            failures[type(error).__name__] += 1
    spans = tuple(
        Span(parsed_sentence.start, parsed_sentence.end, text[parsed_sentence.start : parsed_sentence.end])
        for parsed_sentence in parsed
    )
    return TextReading(spans, tuple(propositions), coreference.mentions(), failures)
