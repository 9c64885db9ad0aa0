"""How well a network answers from whole documents that it was not trained on:
`python training/comprehension/measure.py --network network.pt --encoder DIR`.

Every sentence of the document is read with its neighbours, and the likeliest span of all is the answer if its chance
reaches a threshold. Told for several: answered rightly (exact, or F1 of words 0.8), answered, and unanswerable
questions answered.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path

import torch
from network import Comprehension
from tokenizers import Tokenizer
from train import LONGEST, NEVER, Example, padded
from written import Document

sys.path.insert(0, str(Path(__file__).parents[2] / "benchmarks"))

from short_answers import Asked, is_right
from written_documents import written_documents

THRESHOLDS = (0.0, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
LONGEST_ANSWER = 30


@torch.no_grad()
def best(network: Comprehension, tokenizer: Tokenizer, question: str, texts: list[str]) -> tuple[float, str]:
    """The likeliest span of all texts, and its chance in its own."""
    encoded = tokenizer.encode_batch([(question, text) for text in texts])
    batch = padded([Example(each.ids, each.type_ids) for each in encoded])
    with torch.autocast("cpu", torch.bfloat16):
        scores, _ = network(*batch)
    found = (-1.0, "")
    for text, each, own in zip(texts, encoded, scores.float(), strict=True):
        begins = each.type_ids.index(1)
        ends = len(each.ids) - 1
        sums = own[begins:ends, None, 0] + own[None, begins:ends, 1]
        allowed = torch.ones_like(sums).triu().tril(LONGEST_ANSWER - 1).bool()
        sums = sums.masked_fill(~allowed, NEVER)
        nothing = own[0].sum()
        chances = torch.cat([sums.flatten(), nothing[None]]).softmax(0)[:-1]
        place = int(chances.argmax())
        chance = float(chances[place])
        if chance > found[0]:
            first, last = divmod(place, ends - begins)
            start, end = each.offsets[begins + first][0], each.offsets[begins + last][1]
            found = (chance, text[start:end])
    return found


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__.partition("\n")[0] if __doc__ else None)
    arguments.add_argument("--network", type=Path, required=True)
    arguments.add_argument("--encoder", type=Path, required=True)
    arguments.add_argument("--most", type=int, default=60, help="documents that are read")
    arguments.add_argument("--show", action="store_true")
    options = arguments.parse_args()
    torch.set_num_threads(1)
    tokenizer = Tokenizer.from_file(str(options.encoder / "tokenizer.json"))
    tokenizer.no_padding()
    tokenizer.enable_truncation(LONGEST, strategy="only_second")
    network = Comprehension(dropout=0.0).eval()
    network.load_state_dict(torch.load(options.network))
    rows = written_documents(held=True)
    results: list[tuple[float, bool, bool]] = []
    for row in rows[: options.most]:
        document = Document(row)
        windows = dict.fromkeys(document.window(i) for i in range(len(document.spans)))
        texts = [f"{row['title']}. {document.text[start:end]}" for start, end in windows]
        posed = [(each["q"], each["answer"]) for each in row["questions"]]
        for question, gold in [*posed, *((each, "") for each in row["unanswerable"])]:
            chance, given = best(network, tokenizer, question, texts)
            right = bool(gold) and is_right(given, Asked(question, (gold,)))
            results.append((chance, bool(gold), right))
            if options.show:
                print(f"{chance:.2f} {'+' if right else '-'} {question} | {given} | {gold}")
    answerable = sum(has for _, has, _ in results)
    for least in THRESHOLDS:
        given = [(has, right) for chance, has, right in results if chance >= least]
        right = sum(right for _, right in given)
        print(
            f"{least}: {right / answerable:.3f} right, {right / max(len(given), 1):.3f} of given, "
            f"{sum(not has for has, _ in given) / (len(results) - answerable):.3f} of the unanswerable answered"
        )


if __name__ == "__main__":
    main()
