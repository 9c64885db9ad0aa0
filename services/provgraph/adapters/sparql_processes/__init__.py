"""`SparqlEndpoint` for the embedded store: each query in a child process, over a copy of the store.

A query cannot be cancelled inside a process, and a store on disk has one owner. So a query runs in a child that
is killed at the time limit, and reads a snapshot that is renewed when the store was written to.

    endpoint ─ turns, limits ─▶ process ─ frames ─▶ worker (in the child)
        └─▶ snapshots                                  └─▶ rdf: reads, runs, serialises
"""
