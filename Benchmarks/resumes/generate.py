#!/usr/bin/env python3
"""Prints invented résumés with what must never leave, one JSON object a line.

    Benchmarks/resumes/generate.py [--seed TEXT] [--count N] [--from N] [--twins]

Each has the job advert that goes with it; `--twins` prints pairs that differ only in
who the person is. What the members mean: documents.py. The frozen sample of the tests,
Tests/TestSupport/Fixtures/redaction/resumes.jsonl, is `--seed frozen --count 100`.
"""

import argparse
import json
import os
import sys

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import documents  # noqa: E402


def packed(document):
    """The words that stay, by class: one text each, the words parted by blanks."""
    stay = {}
    for word, kind in document["stay"]:
        stay.setdefault(kind, []).append(word)
    return dict(document, stay={kind: " ".join(found) for kind, found in sorted(stay.items())})


def main():
    parser = argparse.ArgumentParser(description="invented résumés with what must never leave")
    parser.add_argument("--seed", default="1")
    parser.add_argument("--count", type=int, default=100)
    parser.add_argument("--from", dest="first", type=int, default=0)
    parser.add_argument("--twins", action="store_true", help="pairs that differ only in the person")
    options = parser.parse_args()
    for number in range(options.first, options.first + options.count):
        if options.twins:
            pair, advert = documents.twins(options.seed, number)
            made = {"pair": [packed(document) for document in pair], "advert": advert}
        else:
            document = documents.resume(options.seed, number)
            made = dict(packed(document), advert=documents.advert(
                options.seed, number, document["country"]))
        print(json.dumps(made, ensure_ascii=False, separators=(",", ":")))


if __name__ == "__main__":
    main()
