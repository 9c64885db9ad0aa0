"""Answers from documents, each proved down to the characters it was read from."""

__version__ = "0.1.0"
