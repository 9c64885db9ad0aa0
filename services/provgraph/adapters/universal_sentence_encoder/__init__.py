"""Google's multilingual Universal Sentence Encoder, computed in numpy from the weights of an installed package."""
