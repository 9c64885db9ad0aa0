"""One store over several: each placed collection lies on a store of its own, all others on the main one."""
