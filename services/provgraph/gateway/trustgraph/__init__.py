"""The wire of TrustGraph's published clients, so that they work here as they are: WebSocket, REST, bulk transfer.

An adapter and nothing more: it translates to the services, and none of them knows of it. What each command of
`trustgraph-cli` finds here is listed in `docs/trustgraph.md`.
"""
