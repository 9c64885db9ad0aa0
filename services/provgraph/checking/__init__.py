"""Checks what is stored against the rules that make it evidence. Reads only; mends nothing."""
