"""Reads a text as a whole for the characters that answer a question.

One small network (six layers, 384 wide), trained by `training/comprehension`, that needs no key, no download and no
graphics card. It proposes; what it proposes is one measure among others (`derivation/spans_read.py`).
"""
