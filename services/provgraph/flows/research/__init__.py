"""An assistant over papers: which of them are alike, what they share, and answers from them that name them."""
