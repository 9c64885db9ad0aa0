"""Collections in and out as archives, backups of everything, and facts as nanopublications."""
