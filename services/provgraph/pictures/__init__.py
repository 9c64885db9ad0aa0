"""Pictures of graphs: laid out, drawn as SVG and as PNG. Knows nothing of RDF, stores, or what a graph is about."""
