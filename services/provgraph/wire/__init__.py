"""Pydantic messages: what goes over HTTP and SSE. The JSON Schemas in `schemas/` are made from these."""
