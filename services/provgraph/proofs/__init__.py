"""An answer with all that proves it in one file, for who has no access to the service. See docs/proofs.md."""
