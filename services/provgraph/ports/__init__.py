"""What the services need of the outside, as Protocols, and the values that pass through them."""
