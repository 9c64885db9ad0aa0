"""The student in torch: hashed embeddings, residual convolutions, one layer of attention, four heads.

`services/provgraph/reading/parser/network.py` computes the same with numpy; `exported` names its arrays.
"""

from __future__ import annotations

import numpy as np
import torch
from torch import nn
from torch.nn import functional

from provgraph.reading.parser.features import TABLES

WIDTH = 128
BLOCKS = ((1, "conv"), (2, "conv"), (0, "attention"), (1, "conv"), (4, "conv"), (0, "attention"), (1, "conv"))
"""Dilation and kind of each residual block; what a word sees after them is 18 words wide, and by attention all."""
HEADS, HEAD_WIDTH = 4, 24
ARC, LABEL = 80, 96
FARTHEST = 24
"""Distances beyond it count as this."""


class Attention(nn.Module):
    def __init__(self) -> None:
        super().__init__()
        self.inputs = nn.Linear(WIDTH, 3 * HEADS * HEAD_WIDTH)
        self.outputs = nn.Linear(HEADS * HEAD_WIDTH, WIDTH)
        self.distances = nn.Parameter(torch.zeros(HEADS, 2 * FARTHEST + 1))

    def forward(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        batch, length, _ = x.shape
        q, k, v = self.inputs(x).view(batch, length, 3, HEADS, HEAD_WIDTH).permute(2, 0, 3, 1, 4)
        scores = q @ k.transpose(-1, -2) / HEAD_WIDTH**0.5 + self.distances[:, distances(length)]
        scores = scores.masked_fill(~mask[:, None, None, :], -1e4)
        found = (scores.softmax(-1) @ v).transpose(1, 2).reshape(batch, length, -1)
        return self.outputs(found)


def neighbours(x: torch.Tensor, dilation: int) -> torch.Tensor:
    """Each word beside those `dilation` before and behind it: (batch, length, 3 * WIDTH)."""
    padded = functional.pad(x, (0, 0, dilation, dilation))
    length = x.shape[1]
    return torch.cat([padded[:, shift : shift + length] for shift in (0, dilation, 2 * dilation)], -1)


def distances(length: int) -> torch.Tensor:
    places = torch.arange(length)
    return (places[None, :] - places[:, None]).clamp(-FARTHEST, FARTHEST) + FARTHEST


class Student(nn.Module):
    def __init__(self, tags: int, relations: int, entities: int, dropout: float = 0.15) -> None:
        super().__init__()
        self.tables = nn.ModuleDict(
            {name: nn.Embedding(rows, width) for name, (rows, width) in TABLES.items()}
        )
        for table in self.tables.values():
            nn.init.normal_(table.weight, std=0.3)
        total = sum(width for _, width in TABLES.values())
        self.words = nn.Sequential(nn.Linear(total, 2 * WIDTH), nn.ReLU(), nn.Linear(2 * WIDTH, WIDTH))
        self.norms = nn.ModuleList(nn.LayerNorm(WIDTH) for _ in BLOCKS)
        self.blocks = nn.ModuleList(
            nn.Linear(3 * WIDTH, WIDTH) if kind == "conv" else Attention() for _, kind in BLOCKS
        )
        self.last = nn.LayerNorm(WIDTH)
        self.tag = nn.Linear(WIDTH, tags)
        self.entity = nn.Linear(WIDTH, entities)
        self.dependent = nn.Linear(WIDTH, ARC)
        self.head = nn.Linear(WIDTH, ARC)
        self.bilinear = nn.Linear(ARC, ARC)
        self.root = nn.Linear(WIDTH, 1)
        self.distances = nn.Parameter(torch.zeros(2 * FARTHEST + 1))
        self.label_dependent = nn.Linear(WIDTH, LABEL)
        self.label_head = nn.Linear(WIDTH, LABEL, bias=False)
        self.label_distances = nn.Parameter(torch.zeros(2 * FARTHEST + 1, LABEL))
        self.label = nn.Linear(LABEL, relations)
        self.dropout = dropout

    def drop(self, x: torch.Tensor) -> torch.Tensor:
        """Drops the same channels in all words of a sentence."""
        if not self.training:
            return x
        kept = torch.full((x.shape[0], 1, x.shape[2]), 1 - self.dropout)
        return x * (torch.bernoulli(kept) / (1 - self.dropout))

    def encode(self, rows: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """`rows` (batch, length, 6) → (batch, length, WIDTH); padding is zero."""
        parts = [self.tables["form"](rows[..., 0]) + self.tables["form"](rows[..., 1])]
        names = [name for name in TABLES if name != "form"]
        parts += [self.tables[name](rows[..., 2 + place]) for place, name in enumerate(names)]
        x = self.words(self.drop(torch.cat(parts, -1)))
        here = mask[..., None].to(x.dtype)
        for norm, block, (dilation, kind) in zip(self.norms, self.blocks, BLOCKS, strict=True):
            h = norm(x) * here
            if kind == "conv":
                x = x + self.drop(functional.relu(block(neighbours(h, dilation))))
            else:
                x = x + self.drop(block(h, mask))
        return self.drop(self.last(x))

    def arcs(self, x: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        """(batch, dependent, 1 + head); the first column is the root's."""
        dependent, head = functional.relu(self.dependent(x)), functional.relu(self.head(x))
        scores = self.bilinear(dependent) @ head.transpose(1, 2) + self.distances[distances(x.shape[1])]
        scores = scores.masked_fill(~mask[:, None, :], -1e4)
        return torch.cat([self.root(x), scores], -1)

    def labels(self, x: torch.Tensor, heads: torch.Tensor) -> torch.Tensor:
        """`heads` (batch, length), indices of words; → scores of relations."""
        at_head = torch.gather(self.label_head(x), 1, heads[..., None].expand(-1, -1, LABEL))
        places = torch.arange(x.shape[1])
        distance = (heads - places).clamp(-FARTHEST, FARTHEST) + FARTHEST
        return self.label(functional.relu(self.label_dependent(x) + at_head + self.label_distances[distance]))


def exported(student: Student) -> dict[str, np.ndarray]:
    """The arrays of the package's file, as float16."""
    return {name: value.detach().numpy().astype(np.float16) for name, value in student.state_dict().items()}
