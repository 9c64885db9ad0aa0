"""What all ways of answering share: events, sessions, their record and their messages, and what a model is asked."""
