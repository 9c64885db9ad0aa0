"""Entities that are one: what documents and names say of it, read for a question and written over no fact."""
