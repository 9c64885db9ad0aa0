"""The mean of two networks' weights, which keeps more of what was learnt first than the second alone does (Wortsman et
al. 2022): `python training/comprehension/mean.py --of further.pt --with network.pt --share 0.8 --to mean.pt`.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import torch


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("--of", type=Path, required=True)
    arguments.add_argument("--with", dest="other", type=Path, required=True)
    arguments.add_argument("--share", type=float, default=0.8, help="of the first in the mean")
    arguments.add_argument("--to", type=Path, required=True)
    options = arguments.parse_args()
    first, second = torch.load(options.of), torch.load(options.other)
    share = options.share
    torch.save({name: share * first[name] + (1 - share) * second[name] for name in first}, options.to)


if __name__ == "__main__":
    main()
