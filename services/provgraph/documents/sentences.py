"""The sentences of a text, as answers quote them and search compares them: table rows are sentences too."""

from __future__ import annotations

from provgraph.documents.tables import row_spans
from provgraph.language.sentences import sentence_spans


def quotable_spans(text: str) -> list[tuple[int, int]]:
    """Sentences, and rows of tables, whole whatever stops stand in them."""
    if "|" not in text:
        return sentence_spans(text)
    whole = list(row_spans(text))
    apart = (span for span in sentence_spans(text) if not any(s < span[1] and span[0] < e for s, e in whole))
    return sorted([*whole, *apart])
