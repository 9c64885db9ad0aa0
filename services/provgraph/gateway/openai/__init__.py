"""The routes that OpenAI's clients know: `/v1/models`, `/v1/chat/completions`, `/v1/responses`.

Each flow of each collection is a model; the sentences of an answer are cited as the API cites web pages, and the whole
proof stands under `provgraph`.
"""
