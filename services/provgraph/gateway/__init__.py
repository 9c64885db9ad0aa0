"""The HTTP face: one app of all routes, its access control, and the problem responses."""
