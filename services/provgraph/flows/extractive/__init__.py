"""Transparent answers: passages by counted words, sentences by what they hold, and everything counted is shown."""
