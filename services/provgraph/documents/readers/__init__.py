"""One module per file format; each gives `OpenDocument`s and knows nothing of the others."""
