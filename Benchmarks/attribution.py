#!/usr/bin/env python3
"""Counts how often the speaker of a quotation is found: labelled chapters and generated
scenes through the real program.

    Benchmarks/attribution.py [--binary FILE] [--found] [--wrong | --kept-back]
                              [FILE …]

FILE is a JSON file as in Benchmarks/stories: {source, text, cast, quotes: [{start, end,
speaker, kind, speech}]} or an array of them; without one, the labelled texts and the
generated scenes, with `--kept-back` the texts that nobody tunes on. The cast is given;
`--found` lets the program find it and compares names and aliases without articles. `--wrong`
prints each quotation that went wrong.
"""

import argparse
import collections
import concurrent.futures
import glob
import json
import os
import subprocess
import sys
import tempfile
import time

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
KINDS = ("explicit", "anaphoric", "implicit")
TIERS = ("sure", "likely", "guess")
# Ends what hangs; a novel takes a second.
GUARD = 60


def texts(files):
    for path in files:
        with open(path, encoding="utf-8") as file:
            found = json.load(file)
        for number, text in enumerate(found if isinstance(found, list) else [found]):
            yield f"{os.path.basename(path)} {number + 1}", text


class Program:
    """`chat story attribute` with a home of its own."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.environment = {"PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8",
                            "CHAT_HOME": os.path.join(folder, "chat")}

    def run(self, *arguments):
        done = subprocess.run(
            [self.binary, "story", "attribute", *arguments, "--json"], env=self.environment,
            capture_output=True, timeout=GUARD, check=False)
        if done.returncode:
            sys.exit(done.stderr.decode(errors="replace"))
        return json.loads(done.stdout)

    def attribute(self, number, text, is_found):
        path = os.path.join(self.folder, f"{number}.txt")
        with open(path, "wb") as file:
            file.write(text["text"].encode())
        options = []
        if is_found:
            cast = self.run(path, "--show-cast")
        else:
            cast = [dict(member, narrator=member["name"] == text.get("narrator"))
                    for member in text["cast"]]
            with open(path + ".cast", "w", encoding="utf-8") as file:
                json.dump(cast, file)
            options += ["--cast", path + ".cast"]
        return self.run(path, *options), cast


def names(member):
    """Without articles and case; the narrator is "I" too."""
    found = [member["name"], *(member.get("aliases") or [])]
    if member.get("narrator"):
        found.append("I")
    words = [name.lower().split() for name in found]
    return {" ".join(name[1:] if len(name) > 1 and name[0] in ("the", "a", "an") else name)
            for name in words}


def judge(label, text, answers, cast, is_found, wrong):
    """(kind, tier or None, right) of each labelled quotation."""
    by_start = {answer["start"]: answer for answer in answers}
    gold = {member["name"]: names(member) for member in text["cast"]}
    mine = {member["name"]: names(member) for member in cast}
    source = text["text"].encode()
    for quote in text["quotes"]:
        if quote.get("speaker") is None or not quote.get("speech", True):
            continue
        answer = by_start.get(quote["start"])
        if answer is not None and answer["end"] != quote["end"]:
            answer = None
        speaker = answer and answer["speaker"]
        right = speaker == quote["speaker"] or bool(
            is_found and speaker
            and mine.get(speaker, set()) & gold.get(quote["speaker"], set()))
        if wrong and not right:
            said = " ".join(source[quote["start"]:quote["end"]].decode().split())[:60]
            print(f"{label}: {quote['speaker']}, not {speaker}: {said}"
                  f" ({answer['evidence'] if answer else 'not found'})")
        yield quote.get("kind", "implicit"), answer and answer["tier"], right


def measure(program, every, is_found, wrong=False):
    def one(item):
        number, (label, text) = item
        answers, cast = program.attribute(number, text, is_found)
        return list(judge(label, text, answers, cast, is_found, wrong))

    counts = collections.Counter()
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        for rows in pool.map(one, enumerate(every)):
            for kind, tier, right in rows:
                for name in ("all", kind, tier or "lost"):
                    counts[name] += 1
                    counts[name, True] += right
    return counts


def percent(part, whole):
    return f"{100 * part / whole:5.1f}" if whole else "    –"


def row(name, counts):
    every = counts["all"]
    cells = [percent(counts["all", True], every)]
    cells += [percent(counts[kind, True], counts[kind]) for kind in KINDS]
    cells += [f"{percent(counts[tier, True], counts[tier])} of {percent(counts[tier], every)}"
              for tier in TIERS]
    cells.append(percent(every - counts["lost"], every))
    print(f"{name:24}" + "  ".join(cells), flush=True)


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--binary")
    arguments.add_argument("--found", action="store_true")
    arguments.add_argument("--wrong", action="store_true")
    arguments.add_argument("--kept-back", action="store_true")
    arguments.add_argument("files", nargs="*")
    options = arguments.parse_args()
    if options.kept_back and options.wrong:
        arguments.error("of the texts that are kept back only the sums are looked at")
    binary = options.binary or os.path.join(REPOSITORY, ".build", "release", "chat")
    if not os.path.exists(binary):
        sys.exit(f"{binary} is missing: make build, or --binary FILE")
    files = options.files or sorted(
        glob.glob(os.path.join(HERE, "stories", "kept-back" if options.kept_back else "labelled",
                               "*.json"))
        + ([] if options.kept_back else [os.path.join(HERE, "stories", "generated.json")]))
    every = list(texts(files))
    with tempfile.TemporaryDirectory() as folder:
        program = Program(os.path.abspath(binary), folder)
        began = time.monotonic()
        print(f"{'percent right':24}  all  expl.  anaph.  impl.  sure             likely"
              "           guess           found")
        row("cast found" if options.found else "cast given",
            measure(program, every, options.found, wrong=options.wrong))
        print(f"{len(every)} texts in {time.monotonic() - began:.1f} s", file=sys.stderr)


main()
