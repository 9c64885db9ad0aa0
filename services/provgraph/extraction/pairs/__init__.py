"""Question-answer pairs of a passage, and the facts that are drawn from them, by rules or by a language model."""
