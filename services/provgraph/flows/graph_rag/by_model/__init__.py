"""Answering by language model: the model proposes, the program verifies and records."""
