"""Connections of clients whom nobody knows yet: how many there may be, and how long each may wait or dally."""
