"""`python -m provgraph`."""

from provgraph.cli import main

main()
