"""SPARQL as users write it: read without a store, narrowed to a dataset, and its results written."""
