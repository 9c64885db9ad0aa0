"""What the store holds, read back: collections, documents, and the sources of every fact."""
