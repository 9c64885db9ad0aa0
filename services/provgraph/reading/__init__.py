"""What a sentence says: text in, propositions with roles, values and polarity out. Knows nothing of stores or HTTP."""
