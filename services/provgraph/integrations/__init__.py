"""ProvGraph inside other libraries' frames, each in a module of its own that needs the extra of its name."""
