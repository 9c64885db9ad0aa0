"""`WorkQueue` on a NATS server with JetStream, which any number of processes share."""
