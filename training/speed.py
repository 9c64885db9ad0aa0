"""How many sentences a second the built-in parser reads on one core: `python training/speed.py --data DATA`.

Processor time, of HotpotQA's passages: all at once, once more with their words known, and a passage at a time.
"""

from __future__ import annotations

import argparse
import json
import time
from collections.abc import Callable
from pathlib import Path

from provgraph.language.sentences import sentence_spans
from provgraph.reading.parser import BuiltInParser
from provgraph.reading.syntax import ParsedSentence


def measured(name: str, parse: Callable[[], list[ParsedSentence]]) -> None:
    started = time.process_time()
    sentences = parse()
    seconds = time.process_time() - started
    words = sum(len(sentence.tokens) for sentence in sentences)
    print(f"{name}: {len(sentences) / seconds:.0f} sentences/s, {words / seconds / 25:.0f} of 25 words")


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__)
    arguments.add_argument("--data", type=Path, required=True)
    path = arguments.parse_args().data / "multihop" / "hotpotqa_train_corpus.json"
    passages = ["".join(parts) for parts in json.loads(path.read_text("utf-8")).values()]
    text, parser = "\n\n".join(passages), BuiltInParser()
    spans, by_passage = sentence_spans(text), [(passage, sentence_spans(passage)) for passage in passages]
    parser.parse("Hello.", [(0, 6)])
    measured("all at once, words new", lambda: parser.parse(text, spans))
    measured("all at once, words known", lambda: parser.parse(text, spans))
    measured(
        "a passage at a time",
        lambda: [found for passage, own in by_passage for found in parser.parse(passage, own)],
    )


if __name__ == "__main__":
    main()
