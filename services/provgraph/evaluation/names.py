"""What a measuring chooses from, by name."""

from __future__ import annotations

from typing import Final

PASSAGE_RAG: Final = "passage-rag"
"""The system that is asked beside the flows, to compare them with."""
MANNERS: Final = ("lenient", "strict")
"""How a judge grades."""
