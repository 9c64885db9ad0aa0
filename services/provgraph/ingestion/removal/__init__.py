"""What a document taught, taken back: deletion, revision and replacement. Decisions are made inside one transaction."""
