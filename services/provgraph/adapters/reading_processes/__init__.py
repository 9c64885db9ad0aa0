"""Files are read in child processes: with little memory, with deadlines, without secrets, killed where need be."""
