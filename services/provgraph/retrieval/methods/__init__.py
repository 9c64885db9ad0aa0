"""The ways of ranking, one module each; `registry` lists them, `method` says what one is."""
