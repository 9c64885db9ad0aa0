"""Answers from the graph of question-answer pairs alone: question → edges, in three ways → wordings → the five best."""
