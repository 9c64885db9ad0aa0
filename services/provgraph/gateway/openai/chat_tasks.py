"""What chat windows ask a model of a chat itself: a title, tags, follow-ups, words to search for.

Open WebUI asks these with the model of the chat, unless it is given another. Documents answer none of them: the reply
is made of the chat's own words, and leaves no session. A form that the reader of such prompts does not know is a
question like any other.
"""

from __future__ import annotations

import json
import re
from typing import Any, Final
from uuid import uuid4

from provgraph.gateway.openai.replies import ReplyContext

_HISTORY: Final = ("<chat_history>", "</chat_history>")
_FORM: Final = re.compile(r'\{\s*"(\w+)"\s*:\s*(["\[])')
_FIRST_QUESTION: Final = re.compile(r"^USER:\s*(.+)", re.MULTILINE)
_TITLE_LENGTH: Final = 60


def task_answer(prompt: str) -> str | None:
    """The JSON that a prompt about a chat asks for, None for any other prompt.

    A title is the first question of the chat, shortened; of anything else there is nothing.
    """
    if not prompt.startswith("### Task:"):
        return None
    history, ended, _ = prompt.partition(_HISTORY[0])[2].partition(_HISTORY[1])
    form = _FORM.search(prompt)
    if not ended or form is None:
        return None
    name, opening = form.groups()
    if name != "title":
        return json.dumps({name: [] if opening == "[" else ""})
    question = _FIRST_QUESTION.search(history.strip())
    return json.dumps({name: _shortened(question[1] if question else history)}, ensure_ascii=False)


def _shortened(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= _TITLE_LENGTH else f"{line[:_TITLE_LENGTH].rpartition(' ')[0]} …"


def task_completion(answer: str, context: ReplyContext) -> dict[str, Any]:
    """The answer as a chat completion, without a proof."""
    message: dict[str, Any] = {"role": "assistant", "content": answer, "refusal": None, "annotations": []}
    return {
        "id": f"chatcmpl-{uuid4()}",
        "object": "chat.completion",
        "created": context.created,
        "model": context.model,
        "choices": [{"index": 0, "message": message, "finish_reason": "stop", "logprobs": None}],
        "usage": {"prompt_tokens": 0, "completion_tokens": 0, "total_tokens": 0},
    }
