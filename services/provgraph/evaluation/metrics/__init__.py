"""What is measured of an answer. Each metric says what it is, in which unit, and where its definition comes from."""
