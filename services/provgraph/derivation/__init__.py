"""Short answers, derived step by step from what sentences say. Knows nothing of stores, sessions or HTTP."""
