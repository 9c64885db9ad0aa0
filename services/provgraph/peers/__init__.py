"""What services of ProvGraph that run apart say to each other, on both ends of the line."""
