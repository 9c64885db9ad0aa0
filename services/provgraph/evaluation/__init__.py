"""Measures any flow of a service over a data set: questions in; answers, metrics, tables, plots and comparisons out.

It speaks to the service as a client does, and knows nothing of HTTP or of the command line.
"""
