"""Vectors of chunks, entities and types: kept on disk, in step with the store, searched by inner product."""
