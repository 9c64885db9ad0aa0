"""The RDF side of everything: terms, names of things, names of graphs. Knows nothing of stores or services."""
