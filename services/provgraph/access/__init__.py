"""Who may see what: principals and their tokens, what each role may do, and the store as one principal sees it."""
