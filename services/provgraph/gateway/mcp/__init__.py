"""ProvGraph for agents: the Model Context Protocol over stdio and HTTP, by the official SDK.

Each tool is one call of the service's own routes, with the rights of whoever calls.
"""
