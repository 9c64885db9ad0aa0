"""Vectors of sentences, for finding passages and choosing sentences by what they mean: kept on disk, in step with the
store."""
