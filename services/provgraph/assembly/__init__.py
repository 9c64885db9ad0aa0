"""One process of ProvGraph, put together from settings: the only place that knows every implementation of a port."""

from provgraph.assembly.assembling import assemble
from provgraph.assembly.process import Assembly

__all__ = ["Assembly", "assemble"]
