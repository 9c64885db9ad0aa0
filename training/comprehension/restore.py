"""The network again as `train.py` goes on from it, from the weights that the package has in eight bits:
`python training/comprehension/restore.py --model services/provgraph/comprehension/comprehension.onnx --to network.pt`.

What was learnt of claims is not in the package and begins anew.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import numpy as np
import onnx
import torch
from network import Comprehension
from onnx import numpy_helper

PREFIX = "_network."
STEPS = 6
"""Between a product of matrices and the sum with its bias."""


def weights_of(model: onnx.ModelProto) -> dict[str, torch.Tensor]:
    """By their names in the network: what was kept whole, the embeddings, and the matrices, each told by its bias."""
    stored = {each.name: numpy_helper.to_array(each) for each in model.graph.initializer}
    weights = {n.removeprefix(PREFIX): v for n, v in stored.items() if n.startswith(PREFIX) and v.ndim == 1}
    for name in ("word", "token_type", "position"):
        base = f"{PREFIX}b.embeddings.{name}_embeddings.weight"
        small = stored[f"{base}_quantized"].astype(np.float32) - float(stored[f"{base}_zero_point"])
        weights[base.removeprefix(PREFIX)] = small * float(stored[f"{base}_scale"])
    following = {name: node for node in model.graph.node for name in node.input}
    for node in model.graph.node:
        if node.op_type == "MatMulInteger":
            base = node.input[1].removesuffix("_quantized")
            matrix = stored[node.input[1]].astype(np.float32) * stored[f"{base}_scale"]
            weights[_bias(node, following).replace(".bias", ".weight")] = matrix.T.copy()
    return {name: torch.tensor(value) for name, value in weights.items()}


def _bias(node: onnx.NodeProto, following: dict[str, onnx.NodeProto]) -> str:
    for _ in range(STEPS):
        node = following[node.output[0]]
        bias = [name for name in node.input if name.startswith(PREFIX) and name.endswith(".bias")]
        if node.op_type == "Add" and bias:
            return bias[0].removeprefix(PREFIX)
    raise ValueError(f"No bias behind {node.name}.")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("--model", type=Path, required=True)
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    network = Comprehension()
    left = network.load_state_dict(weights_of(onnx.load(options.model)), strict=False)
    print("not in the package:", *left.missing_keys)
    torch.save(network.state_dict(), options.to)


if __name__ == "__main__":
    main()
