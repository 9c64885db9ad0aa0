"""Extraction by a language model: it proposes facts with quotes, the program verifies each against the text."""
