"""Signed records of what was written and removed, and whether they hold. See docs/tech-specs/signed-records.md."""
