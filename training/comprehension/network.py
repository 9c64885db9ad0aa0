"""The network that is trained: a small transformer encoder with a head for the two ends of an answer and one for the
verdict on a claim. It begins as all-MiniLM-L6-v2 (Wang et al. 2020; Apache 2.0)."""

from __future__ import annotations

from pathlib import Path

import torch
from safetensors.torch import load_file
from torch import nn
from transformers import BertConfig, BertModel

WIDTH, LAYERS, HEADS, INNER = 384, 6, 12, 1536
NEVER = -1e4


class Comprehension(nn.Module):
    """Numbers, types and mask of pairs in (pairs × pieces); scores of starts and ends (pairs × pieces × 2), and of
    supported, refuted and neither (pairs × 3) out."""

    def __init__(self, dropout: float = 0.05, attention: str = "sdpa") -> None:
        super().__init__()
        config = BertConfig(
            hidden_size=WIDTH,
            num_hidden_layers=LAYERS,
            num_attention_heads=HEADS,
            intermediate_size=INNER,
            hidden_dropout_prob=dropout,
            attention_probs_dropout_prob=dropout,
            attn_implementation=attention,
        )
        self.b = BertModel(config, add_pooling_layer=False)
        self.span = nn.Linear(WIDTH, 2)
        self.cls = nn.Linear(WIDTH, WIDTH)
        self.verdict = nn.Linear(WIDTH, 3)

    def forward(
        self, numbers: torch.Tensor, types: torch.Tensor, mask: torch.Tensor
    ) -> tuple[torch.Tensor, torch.Tensor]:
        hidden = self.b(input_ids=numbers, token_type_ids=types, attention_mask=mask).last_hidden_state
        return self.span(hidden), self.verdict(torch.tanh(self.cls(hidden[:, 0])))

    def begin(self, folder: Path) -> None:
        """From the encoder's published weights, `model.safetensors` in `folder`."""
        self.b.load_state_dict(load_file(folder / "model.safetensors"), strict=False)
