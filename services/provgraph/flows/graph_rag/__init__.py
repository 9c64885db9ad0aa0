"""Question → session → grounding → retrieval → selection → answer, streamed and recorded."""
