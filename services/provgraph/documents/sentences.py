"""The sentences of a text, as answers quote them and search compares them: table rows are sentences too."""

from __future__ import annotations

from provgraph.documents.tables import heads, rows
from provgraph.language.sentences import sentence_spans


def quotable_spans(text: str) -> list[tuple[int, int]]:
    """Sentences, and rows with labels, whole whatever stops stand in them; a head that they repeat is none."""
    if "|" not in text:
        return sentence_spans(text)
    whole = [(row.start, row.end) for row in rows(text)]
    taken = [*whole, *heads(text)]
    apart = (span for span in sentence_spans(text) if not any(s < span[1] and span[0] < e for s, e in taken))
    return sorted([*whole, *apart])
