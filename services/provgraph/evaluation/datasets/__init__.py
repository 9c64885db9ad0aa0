"""Data sets in the formats that their authors publish, each read into the same questions and passages."""
