"""Question → candidate edges, chunks and documents, scored; owns the keyword indexes."""
