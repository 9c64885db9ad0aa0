"""Trains the student on silver files and writes the package's weights:
`python training/train.py --silver FILE… --to weights.npz --minutes 60`."""

from __future__ import annotations

import argparse
import json
import math
import random
import time
from pathlib import Path

import numpy as np
import silver
import torch
from network import Student, exported
from torch.nn import functional

WORDS_A_BATCH = 1600


def loss_of(student: Student, batch: silver.Batch) -> torch.Tensor:
    x = student.encode(batch.rows, batch.mask)
    arcs = student.arcs(x, batch.mask)
    heads = (batch.heads - 1).clamp(min=0)
    relations = torch.where(batch.heads == 0, -100, batch.relations)

    def cross(scores: torch.Tensor, target: torch.Tensor) -> torch.Tensor:
        return functional.cross_entropy(scores.flatten(0, 1), target.flatten(), ignore_index=-100)

    return (
        cross(student.tag(x), batch.tags)
        + cross(arcs, batch.heads)
        + cross(student.labels(x, heads), relations)
        + cross(student.entity(x), batch.entities)
    )


@torch.no_grad()
def measured(student: Student, sentences: list[silver.Sentence], labels: silver.Labels) -> str:
    """Shares of words right, before trees are enforced."""
    student.eval()
    counts = np.zeros(5)
    for batch in silver.batches(sentences, labels, 3000, None):
        x = student.encode(batch.rows, batch.mask)
        heads = student.arcs(x, batch.mask).argmax(-1)
        relations = student.labels(x, (heads - 1).clamp(min=0)).argmax(-1)
        arcs = (heads == batch.heads) & batch.mask
        named = (relations == batch.relations) | (batch.heads == 0)
        tags = (student.tag(x).argmax(-1) == batch.tags) & batch.mask
        entities = (student.entity(x).argmax(-1) == batch.entities) & batch.mask
        counts += [int(v.sum()) for v in (batch.mask, tags, arcs, arcs & named, entities)]
    student.train()
    tag, uas, las, entity = 100 * counts[1:] / max(counts[0], 1)
    return f"tag {tag:.2f} uas {uas:.2f} las {las:.2f} entity words {entity:.2f} ({len(sentences)} sentences)"


def train(
    student: Student, options: argparse.Namespace, sentences: list[silver.Sentence], labels: silver.Labels
) -> None:
    chance = random.Random(options.seed)
    learning = [sentence for sentence in sentences if not sentence.held_out]
    held = [sentence for sentence in sentences if sentence.held_out]
    parts = {
        "text": [s for s in held if s.source not in {"question", "made"}],
        "questions": [s for s in held if s.source == "question"],
        "made questions": [s for s in held if s.source == "made"],
    }
    optimiser = torch.optim.AdamW(student.parameters(), lr=options.rate, betas=(0.9, 0.98), weight_decay=0.01)
    mean = torch.optim.swa_utils.AveragedModel(
        student, multi_avg_fn=torch.optim.swa_utils.get_ema_multi_avg_fn(0.998)
    )
    started, step, total, done = time.time(), 0, 0.0, 0.0
    while done < 1:
        for batch in silver.batches(learning, labels, WORDS_A_BATCH, chance):
            done = (time.time() - started) / (60 * options.minutes)
            for group in optimiser.param_groups:
                group["lr"] = options.rate * rate_at(done)
            loss = loss_of(student, batch)
            optimiser.zero_grad(set_to_none=True)
            loss.backward()
            torch.nn.utils.clip_grad_norm_(student.parameters(), 1.0)
            optimiser.step()
            mean.update_parameters(student)
            step, total = step + 1, total + loss.item()
            if step % 200 == 0:
                print(f"{step} steps, {100 * done:.0f} % of the time, loss {total / 200:.3f}", flush=True)
                total = 0.0
            if step % 1000 == 0 or done >= 1:
                for name, part in parts.items():
                    if part:
                        print(f"  {name}: {measured(mean.module, part, labels)}", flush=True)
                write(mean.module, labels, options.to)
            if done >= 1:
                break


def rate_at(done: float) -> float:
    """Up within the first twentieth of the time, then down to nothing as a cosine."""
    return done / 0.05 if done < 0.05 else 0.5 * (1 + math.cos(math.pi * min(1.0, (done - 0.05) / 0.95)))


def write(student: Student, labels: silver.Labels, path: Path) -> None:
    names = {key: list(getattr(labels, key)) for key in ("tags", "relations", "entities")}
    header = np.frombuffer(json.dumps(names).encode(), np.uint8)
    np.savez_compressed(path, labels=header, **exported(student))


def labels_in(path: Path) -> silver.Labels:
    names = json.loads(bytes(np.load(path)["labels"]))
    return silver.Labels(*(tuple(names[key]) for key in ("tags", "relations", "entities")))


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--silver", type=Path, nargs="+", required=True)
    arguments.add_argument("--to", type=Path, required=True)
    arguments.add_argument("--minutes", type=float, default=60)
    arguments.add_argument("--rate", type=float, default=2e-3)
    arguments.add_argument("--start", type=Path, help="weights to go on from; their labels stay")
    arguments.add_argument("--seed", type=int, default=1)
    options = arguments.parse_args()
    torch.set_num_threads(1)
    torch.manual_seed(options.seed)
    sentences = silver.read(options.silver)
    labels = labels_in(options.start) if options.start else silver.labels_of(sentences)
    print(len(sentences), "sentences", labels, flush=True)
    student = Student(len(labels.tags), len(labels.relations), len(labels.entities))
    if options.start:
        arrays = np.load(options.start)
        student.load_state_dict(
            {key: torch.from_numpy(arrays[key].astype(np.float32)) for key in student.state_dict()}
        )
    train(student, options, sentences, labels)


if __name__ == "__main__":
    main()
