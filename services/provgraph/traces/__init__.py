"""Traces of past questions: read, listed, compared, explained, drawn, and purged."""
