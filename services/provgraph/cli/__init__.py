"""The command line. Every command is a client of the service, wherever it runs."""

from provgraph.cli.program import main

__all__ = ["main"]
