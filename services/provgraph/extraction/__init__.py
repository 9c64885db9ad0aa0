"""Chunks → facts, with the provenance of each; deletion and re-ingest."""
