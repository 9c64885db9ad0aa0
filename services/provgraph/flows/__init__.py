"""The ways of asking, one package each, over one runner."""
