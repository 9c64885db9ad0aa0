"""Puts the parts together: the only place that knows every implementation, and that reads settings."""

from __future__ import annotations
