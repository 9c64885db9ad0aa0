"""Is this claim true, by these documents? claim → chunks → their facts as a local graph → verdict, all traced."""
