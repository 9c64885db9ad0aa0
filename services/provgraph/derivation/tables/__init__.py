"""Answers from tables: small programs over rows, scored and run, each cell cited. Pure."""
