"""Whether texts support or refute a claim, element by element. Pure: knows nothing of stores, flows or HTTP."""
