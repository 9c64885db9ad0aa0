"""Services that die at random moments during an ingest, and what must be the same in the end."""
