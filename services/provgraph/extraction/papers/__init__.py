"""Collections of papers: what a search or a folder gives, read with their bibliography, and what is missing."""
