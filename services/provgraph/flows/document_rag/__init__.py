"""Answers from documents without the detour over facts: question → chunks → the best of them → text, all traced."""
