"""The page: static files of the package, and the routes that serve them. It is a client of the service like others."""
