"""What OpenAI's clients send, as far as it is followed: the model, the conversation, whether to stream.

How a model is to be sampled is for models that are; it is passed over. What would change the answer is refused.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Annotated, Any, Final

from pydantic import BaseModel, BeforeValidator, Field

from provgraph.errors import InvalidInput, NotFound, NotProvided
from provgraph.flows.runner.answers import REFUSAL
from provgraph.wire.flow_requests import MAX_QUESTION, MAX_TURNS, TurnRequest
from provgraph.wire.text import Text

OWNER: Final = "provgraph"
MOST_MESSAGES: Final = 200
_TEXT_PARTS: Final = ("text", "input_text", "output_text", "refusal")


def _joined_text(content: Any) -> Any:
    """The text of a message that comes in parts, as clients that can send pictures write it."""
    if content is None:
        return ""
    if not isinstance(content, list):
        return content
    kinds = {part.get("type") for part in content if isinstance(part, dict)}
    if not all(isinstance(part, dict) for part in content) or not kinds <= set(_TEXT_PARTS):
        raise ValueError("only parts of type text are read here")
    return "\n".join(str(part.get("text", "")) for part in content)


class Message(BaseModel):
    """One message of a conversation."""

    role: str = "user"
    content: Annotated[Text, BeforeValidator(_joined_text)] = ""


class StreamOptions(BaseModel):
    include_usage: bool = False


class ChatRequest(BaseModel):
    """A conversation whose last message is the question."""

    model: Text
    messages: list[Message] = Field(min_length=1, max_length=MOST_MESSAGES)
    stream: bool = False
    stream_options: StreamOptions | None = None
    n: int | None = None
    tool_choice: Any = None
    response_format: dict[str, Any] | None = None

    @property
    def answer_format(self) -> dict[str, Any]:
        return self.response_format or {}


class ResponsesRequest(BaseModel):
    """`input` is the question, or a conversation whose last message is."""

    model: Text
    input: Text | Annotated[list[Message], Field(max_length=MOST_MESSAGES)]
    previous_response_id: str | None = None
    stream: bool = False
    background: bool | None = None
    tool_choice: Any = None
    text: dict[str, Any] | None = None

    @property
    def answer_format(self) -> dict[str, Any]:
        form = (self.text or {}).get("format")
        return form if isinstance(form, dict) else {}

    @property
    def messages(self) -> list[Message]:
        if isinstance(self.input, str):
            return [Message(role="user", content=self.input)]
        return self.input


def question_of(messages: Sequence[Message]) -> str:
    """The last message of the user. Raises `InvalidInput` where there is none."""
    asked = next((message for message in reversed(messages) if message.role == "user"), None)
    if asked is None or not asked.content.strip():
        raise InvalidInput("There is no question: the last message of role 'user' is empty or missing.")
    return asked.content.strip()


def history_of(messages: Sequence[Message]) -> list[TurnRequest]:
    """The questions before the last, each with the first words of what it was answered."""
    last = max((i for i, each in enumerate(messages) if each.role == "user"), default=0)
    turns: list[TurnRequest] = []
    for message in messages[:last]:
        text = message.content.strip()[:MAX_QUESTION]
        if message.role == "user" and text:
            turns.append(TurnRequest(question=text))
        elif message.role == "assistant" and turns and not turns[-1].answer:
            turns[-1] = TurnRequest(question=turns[-1].question, answer=first_words(text))
    return turns[-MAX_TURNS:]


def first_words(answer: str) -> str:
    """The short answer, which stands before the sentences that prove it; nothing of a refusal."""
    if answer.startswith(REFUSAL):
        return ""
    return answer.strip().partition("\n")[0].partition(". ")[0].rstrip(".")


def require_followed(request: ChatRequest | ResponsesRequest) -> None:
    """Raises `NotProvided` for what would change the answer and is not done here."""
    if isinstance(request, ChatRequest) and request.n not in (None, 1):
        raise NotProvided("One answer is given to a question. Leave 'n' out.")
    if isinstance(request, ResponsesRequest) and request.background:
        raise NotProvided("Answers are not made in the background here. Leave 'background' out.")
    if request.answer_format.get("type", "text") != "text":
        raise NotProvided(
            "Answers are the words of documents, in no JSON schema of yours. Leave the response format out; the proof "
            f"is JSON, under {OWNER!r}."
        )
    if request.tool_choice not in (None, "auto", "none"):
        raise NotProvided("No tools are called here. Leave 'tool_choice' out, or make it 'auto'.")


_PREFIX: Final = f"{OWNER}/"


@dataclass(frozen=True)
class ModelName:
    """`flow` is the last part of the flow's address, as "graph-rag"."""

    collection: str
    flow: str


def model_name(model: str, flows: Sequence[str]) -> ModelName:
    """What a model's name stands for; the first of `flows` is the default. Raises `NotFound` for any other name."""
    collection, _, flow = model.removeprefix(_PREFIX).partition(":")
    if not model.startswith(_PREFIX) or not collection or (flow and flow not in flows):
        raise NotFound(
            f"There is no model {model[:100]!r}. Name {_PREFIX}COLLECTION, or {_PREFIX}COLLECTION:FLOW with one of "
            f"{', '.join(flows)}. GET /v1/models lists them."
        )
    return ModelName(collection, flow or flows[0])


def models(collections: Iterable[str], flows: Sequence[str]) -> list[str]:
    """The names of all models, each collection's default flow first."""
    return [
        f"{_PREFIX}{collection}{f':{flow}' if number else ''}"
        for collection in collections
        for number, flow in enumerate(flows)
    ]


def listing(names: Iterable[str]) -> dict[str, Any]:
    """The reply that lists models."""
    return {"object": "list", "data": [described(name) for name in names]}


def described(name: str) -> dict[str, Any]:
    return {"id": name, "object": "model", "created": 0, "owned_by": OWNER}
