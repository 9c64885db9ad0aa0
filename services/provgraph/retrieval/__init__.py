"""Question → candidate edges, chunks and documents, ranked; owns the keyword indexes. Knows no HTTP but in routes."""
