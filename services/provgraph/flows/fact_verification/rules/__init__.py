"""The judge without a model: claim and evidence are read alike, and compared part by part."""
