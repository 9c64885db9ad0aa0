"""`QuadStore` and `SparqlEndpoint` on a server for SPARQL 1.1: of RDF 1.2, as Oxigraph, or of RDF 1.1, as most others.

    store ─ reads ───▶ pattern_queries ─▶ connection ─ HTTP ─▶ the server
      ├─── writes ───▶ updates, receipts ─▶ connection
      ├─── decides ──▶ turns ─▶ connection          one process decides at a time
      ├─── copies ───▶ copying ─▶ connection
      └─── opens ────▶ probe ─▶ connection          what a store of RDF 1.1 gives back
    sparql ─ what users write ─▶ connection
    rdf_1_1, quotations ─ triple terms as nodes, and what these stand for
    queries_1_1 ─ queries for triple terms as queries for their nodes
    staging ─ changes too large for one conditional update

What may go wrong on the way, and what is done about it, is written in docs/tech-specs/remote-store.md, what is done for
stores of RDF 1.1 in docs/tech-specs/sparql-1.1-stores.md.
"""
