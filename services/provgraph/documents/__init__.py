"""Bytes → pages → chunks. Knows nothing of RDF, stores, HTTP or extraction."""
