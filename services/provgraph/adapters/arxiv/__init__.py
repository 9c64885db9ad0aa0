"""arXiv's search, by its Atom API (https://info.arxiv.org/help/api/user-manual.html)."""
