"""The HTTP face: one app of all routes, its doors, and the problem responses."""
