"""Implementations of the ports, one module each, and nothing else."""
