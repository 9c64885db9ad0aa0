"""ProvGraph from Python: the client of a folder or an address, and what it gives.

`service` speaks HTTP, `connection` finds what serves a folder or serves it itself: the command line takes the same
road.
`provgraph.Client` and `provgraph.AsyncClient` are put together of `calls`, and give the values of `answers`.
"""
