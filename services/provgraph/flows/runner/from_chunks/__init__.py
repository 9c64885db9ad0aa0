"""What ways of answering from chunks share: which chunks answer, and what is said of them, by rules or by model."""
