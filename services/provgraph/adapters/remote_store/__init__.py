"""`QuadStore` and `SparqlEndpoint` on a server for SPARQL 1.1 and RDF 1.2: Oxigraph, or its like.

    store ─ reads ───▶ pattern_queries ─▶ connection ─ HTTP ─▶ the server
      ├─── writes ───▶ updates, receipts ─▶ connection
      ├─── decides ──▶ turns ─▶ connection          one process decides at a time
      └─── copies ───▶ copying ─▶ connection
    sparql ─ what users write ─▶ connection

What may go wrong on the way, and what is done about it, is written in docs/tech-specs/remote-store.md.
"""
