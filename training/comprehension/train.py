"""Trains the network on examples and keeps its weights:
`python training/comprehension/train.py --examples FILE… --encoder DIR --to network.pt --minutes 60`.

Batches of questions and of claims alternate; the learning rate falls with the time that is left.
"""

from __future__ import annotations

import argparse
import json
import random
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch
from network import NEVER, Comprehension
from tokenizers import Tokenizer
from torch.nn import functional

LONGEST, TOGETHER, RATE, WARM_UP, HELD_OUT = 192, 32, 1e-4, 150, 1000
STEP = 16
"""Batches are padded to multiples of it: a new length costs time."""
HIDDEN, MASK = 0.04, 103
"""The share of pieces of a question that are hidden in training, by the number of the piece that stands for them: it is
not learnt by heart."""
NOT_SUPPORTED = 3


@dataclass(frozen=True)
class Example:
    """A pair as numbers; `first` and `last` are the pieces of the answer, 0 where there is none; `label` of a claim."""

    numbers: list[int]
    types: list[int]
    first: int = 0
    last: int = 0
    label: int = -1


def questions(rows: Sequence[dict[str, Any]], tokenizer: Tokenizer) -> Iterator[Example]:
    encoded = tokenizer.encode_batch([(row["question"], row["text"]) for row in rows])
    for row, each in zip(rows, encoded, strict=True):
        marks = zip(each.offsets, each.type_ids, each.special_tokens_mask, strict=True)
        inside = [
            i for i, ((start, end), kind, special) in enumerate(marks)
            if kind == 1 and not special and start < row["end"] and end > row["start"] >= 0
        ]  # fmt: skip
        if inside or row["start"] < 0:
            first, last = (inside[0], inside[-1]) if inside else (0, 0)
            yield Example(each.ids, each.type_ids, first, last)


def claims(rows: Sequence[dict[str, Any]], tokenizer: Tokenizer) -> Iterator[Example]:
    encoded = tokenizer.encode_batch([(row["claim"], row["text"]) for row in rows])
    for row, each in zip(rows, encoded, strict=True):
        yield Example(each.ids, each.type_ids, label=row["label"])


Batch = tuple[torch.Tensor, torch.Tensor, torch.Tensor]


def padded(examples: Sequence[Example]) -> Batch:
    longest = -(-max(len(each.numbers) for each in examples) // STEP) * STEP
    numbers = torch.zeros(len(examples), longest, dtype=torch.long)
    types, mask = numbers.clone(), numbers.clone()
    for row, each in enumerate(examples):
        length = len(each.numbers)
        numbers[row, :length] = torch.tensor(each.numbers)
        types[row, :length] = torch.tensor(each.types)
        mask[row, :length] = 1
    return numbers, types, mask


def span_scores(network: Comprehension, batch: Batch) -> torch.Tensor:
    """Scores of the second text's pieces; the first mark of all stands for no answer."""
    scores, _ = network(*batch)
    allowed = (batch[1] == 1) & (batch[2] == 1)
    allowed[:, 0] = True
    return scores.float().masked_fill(~allowed[..., None], NEVER)


def hidden(batch: Batch) -> Batch:
    """The batch with some pieces of its questions hidden."""
    numbers, types, mask = batch
    asked = (types == 0) & (mask == 1) & (numbers > MASK)
    return torch.where(asked & (torch.rand(numbers.shape) < HIDDEN), MASK, numbers), types, mask


def loss(network: Comprehension, examples: Sequence[Example]) -> torch.Tensor:
    batch = padded(examples)
    with torch.autocast("cpu", torch.bfloat16):
        if examples[0].label < 0:
            scores = span_scores(network, hidden(batch))
            first, last = (torch.tensor([getattr(e, side) for e in examples]) for side in ("first", "last"))
            starts = functional.cross_entropy(scores[..., 0], first)
            return (starts + functional.cross_entropy(scores[..., 1], last)) / 2
        verdicts = network(*batch)[1].float()
    labels = torch.tensor([each.label for each in examples])
    chances = torch.log_softmax(verdicts, -1)
    known = -chances.gather(1, labels.clamp(max=2)[:, None])[:, 0]
    never_supported = -torch.log1p(-chances[:, 0].exp().clamp(max=0.9999))
    return torch.where(labels == NOT_SUPPORTED, never_supported, known).mean()


def batches(*kinds: Sequence[Example]) -> Iterator[list[Example]]:
    """Batches of like length without end; every example once in each round."""
    while True:
        found = []
        for examples in kinds:
            ordered = sorted(examples, key=lambda e: len(e.numbers) + 6 * random.random())
            found += [ordered[at : at + TOGETHER] for at in range(0, len(ordered), TOGETHER)]
        random.shuffle(found)
        yield from found


@torch.no_grad()
def measured(network: Comprehension, asked: Sequence[Example], claimed: Sequence[Example]) -> str:
    network.eval()
    exact = right = false_supports = found_supports = 0
    for at in range(0, len(asked), TOGETHER):
        some = asked[at : at + TOGETHER]
        best = span_scores(network, padded(some)).argmax(1)
        exact += sum(best[i].tolist() == [e.first, e.last] for i, e in enumerate(some))
    for at in range(0, len(claimed), TOGETHER):
        some = claimed[at : at + TOGETHER]
        for each, best in zip(some, network(*padded(some))[1].argmax(-1).tolist(), strict=True):
            right += best == each.label or (each.label == NOT_SUPPORTED and best > 0)
            false_supports += best == 0 < each.label
            found_supports += best == 0 == each.label
    network.train()
    answers = f"answers exact {exact / len(asked):.3f}"
    if not claimed:
        return answers
    true = sum(each.label == 0 for each in claimed)
    return (
        f"{answers}, verdicts right {right / len(claimed):.3f}, "
        f"supports found {found_supports / true:.3f}, false supports {false_supports / (len(claimed) - true):.3f}"
    )


Kinds = tuple[Sequence[Example], Sequence[Example]]
"""Questions and claims."""


def train(network: Comprehension, options: argparse.Namespace, kinds: Kinds, held: Kinds) -> None:
    plain = [p for name, p in network.named_parameters() if "bias" in name or "LayerNorm" in name]
    kept = {id(p) for p in plain}
    weights = [p for p in network.parameters() if id(p) not in kept and p.requires_grad]
    groups = [{"params": weights, "weight_decay": 0.01}, {"params": plain, "weight_decay": 0.0}]
    optimizer = torch.optim.AdamW(groups, lr=RATE)
    begun, shown = time.monotonic(), time.monotonic()
    network.train()
    for step, batch in enumerate(batches(*kinds)):
        done = (time.monotonic() - begun) / (60 * options.minutes)
        if done >= 1:
            break
        for parameters in optimizer.param_groups:
            parameters["lr"] = options.rate * min(1.0, step / WARM_UP) * (1 - done)
        loss(network, batch).backward()
        torch.nn.utils.clip_grad_norm_(network.parameters(), 1.0)
        optimizer.step()
        optimizer.zero_grad()
        if time.monotonic() - shown > 240:
            shown = time.monotonic()
            torch.save(network.state_dict(), options.to)
            print(f"{step} steps: {measured(network, *held)}", flush=True)
    torch.save(network.state_dict(), options.to)
    print(measured(network, *held))


def read(files: Sequence[Path], tokenizer: Tokenizer) -> tuple[list[Example], list[Example]]:
    asked: list[Example] = []
    claimed: list[Example] = []
    for path in files:
        rows = json.loads(path.read_text("utf-8"))
        asked += questions(rows.get("questions", []), tokenizer)
        claimed += claims(rows.get("claims", []), tokenizer)
    return asked, claimed


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--examples", type=Path, nargs="+", required=True)
    arguments.add_argument(
        "--held", type=Path, nargs="+", help="examples to measure with; without it the first of all"
    )
    arguments.add_argument("--encoder", type=Path, required=True, help="folder of all-MiniLM-L6-v2")
    arguments.add_argument("--from", dest="before", type=Path, help="weights to go on from")
    arguments.add_argument("--to", type=Path, required=True)
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--rate", type=float, default=RATE)
    arguments.add_argument(
        "--keep-words",
        action="store_true",
        help="leave the embeddings as they are, for words that no example has",
    )
    arguments.add_argument("--threads", type=int, default=1)
    options = arguments.parse_args()
    torch.manual_seed(1)
    random.seed(1)
    torch.set_num_threads(options.threads)
    tokenizer = Tokenizer.from_file(str(options.encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST, strategy="only_second")
    asked, claimed = read(options.examples, tokenizer)
    if options.held:
        asked_held, claimed_held = read(options.held, tokenizer)
        held = (
            random.sample(asked_held, HELD_OUT),
            random.sample(claimed_held, min(HELD_OUT, len(claimed_held))),
        )
    else:
        held = asked[:HELD_OUT], claimed[:HELD_OUT]
        asked, claimed = asked[HELD_OUT:], claimed[HELD_OUT:]
    network = Comprehension(dropout=0.0, attention="eager")  # twice as fast on processors without dropout
    if options.before:
        network.load_state_dict(torch.load(options.before))
    else:
        network.begin(options.encoder)
    if options.keep_words:
        network.b.embeddings.requires_grad_(False)
    train(network, options, (asked, claimed), held)


if __name__ == "__main__":
    main()
