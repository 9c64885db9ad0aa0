"""Writes the part of the trained network that reads for answers as the package reads it, its weights in eight bits:
`python training/comprehension/export.py --network network.pt --to services/provgraph/comprehension/comprehension.onnx`.
"""

from __future__ import annotations

import argparse
import tempfile
from pathlib import Path

import onnx
import torch
from network import Comprehension
from onnxruntime.quantization import QuantType, quantize_dynamic


class Spans(torch.nn.Module):
    """The scores of spans alone: what was learnt of claims beside them is not run."""

    def __init__(self, network: Comprehension) -> None:
        super().__init__()
        self._network = network

    def forward(self, ids: torch.Tensor, types: torch.Tensor, mask: torch.Tensor) -> torch.Tensor:
        return self._network(ids, types, mask)[0]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    arguments.add_argument("--network", type=Path, required=True)
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    network = Comprehension(dropout=0.0, attention="eager").eval()
    network.load_state_dict(torch.load(options.network))
    numbers = torch.randint(1000, 20000, (2, 24))
    with tempfile.TemporaryDirectory() as folder:
        whole = Path(folder) / "whole.onnx"
        torch.onnx.export(
            Spans(network),
            (numbers, torch.zeros_like(numbers), torch.ones_like(numbers)),
            str(whole),
            input_names=["ids", "types", "mask"],
            output_names=["spans"],
            dynamic_axes={n: {0: "pairs", 1: "pieces"} for n in ("ids", "types", "mask", "spans")},
            opset_version=17,
            dynamo=False,
        )
        quantize_dynamic(whole, options.to, weight_type=QuantType.QInt8, per_channel=True)
    # where it was made is nobody's business
    model = onnx.load(options.to)
    for node in model.graph.node:
        node.doc_string = ""
    onnx.save(model, options.to)


if __name__ == "__main__":
    main()
