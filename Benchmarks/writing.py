#!/usr/bin/env python3
"""Counts what the offline proofreader changes: nothing where nothing is wrong,
and what share of the mistakes it finds.

    Benchmarks/writing.py [--binary FILE] [--wrong] [--no-dictionary] [--language LANGUAGE]

The sets and how they were made: Tests/ToolServersTests/Fixtures/writing/README.md.
Each text goes through `chat write proofread - --offline` as a text of its own, and what
comes out once more: the second pass has to change nothing.
"""

import argparse
import collections
import concurrent.futures
import difflib
import os
import re
import shutil
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
FIXTURES = os.path.join(REPOSITORY, "Tests", "ToolServersTests", "Fixtures", "writing")
# Too short to be offered: left alone as well.
REFUSED = 3


def rows(name):
    with open(os.path.join(FIXTURES, name), encoding="utf-8") as file:
        lines = file.read().splitlines()[1:]
    return [[cell.replace("\\n", "\n") for cell in line.split("\t")] for line in lines]


def blocks(name):
    with open(os.path.join(FIXTURES, name), encoding="utf-8") as file:
        parts = re.split(r"^=== (.*)\n", file.read(), flags=re.MULTILINE)[1:]
    return [[kind, text.rstrip("\n")] for kind, text in zip(parts[::2], parts[1::2])]


class Program:
    def __init__(self, options, folder):
        self.words = [options.binary, "write", "proofread", "-", "--offline"]
        if options.language:
            self.words += ["--language", options.language]
        self.variables = {
            "PATH": os.environ["PATH"], "HOME": folder, "LANG": "C.UTF-8",
            "CHAT_HOME": os.path.join(folder, "chat"), "NO_COLOR": "1",
        }
        if options.no_dictionary:
            self.variables["PATH"] = folder

    def proofread(self, text):
        result = subprocess.run(
            self.words, env=self.variables, input=text.encode(), capture_output=True)
        if result.returncode == REFUSED:
            return text
        if result.returncode != 0:
            sys.exit(f"writing: exit {result.returncode} for {text!r}: {result.stderr.decode()}")
        return result.stdout.decode()

    def twice(self, text):
        once = self.proofread(text)
        return once, once if once == text else self.proofread(once)


def difference(old, new):
    """Only what differs, as `[-old-]{+new+}` with a word around it."""
    old, new = re.findall(r"\w+|\s+|.", old, re.DOTALL), re.findall(r"\w+|\s+|.", new, re.DOTALL)
    parts = []
    for tag, a, b, c, d in difflib.SequenceMatcher(None, old, new, autojunk=False).get_opcodes():
        if tag != "equal":
            before = "".join(old[max(0, a - 4):a])
            parts.append(f"{before}[-{''.join(old[a:b])}-]{{+{''.join(new[c:d])}+}}")
    return " … ".join(parts).replace("\n", "\\n")


def clean(name, texts, program, pool, shows):
    answers = list(pool.map(program.twice, (text for _, text in texts)))
    changed = [(kind, text, once) for (kind, text), (once, _) in zip(texts, answers)
               if once.rstrip("\n") != text.rstrip("\n")]
    print(f"{name:28} {len(texts):4} texts   {len(changed):3} changed   {unstable(answers)}")
    if shows:
        for kind, text, once in changed:
            print(f"    {kind}: {difference(text, once)}")


def unstable(answers):
    count = sum(once != again for once, again in answers)
    return f"{count} changed again by a second pass"


def errors(name, program, pool, shows):
    cases = rows(name)
    answers = list(pool.map(program.twice, (case[2] for case in cases)))
    table = collections.defaultdict(lambda: [0, 0, 0])
    failures = []
    for (kind, needs, wrong, right), (once, _) in zip(cases, answers):
        once = once.rstrip("\n")
        verdict = 0 if once == right else 1 if once == wrong else 2
        for group in (f"  {kind}", f"needs {needs}", "all"):
            table[group][verdict] += 1
        if verdict:
            failures.append((kind, verdict, wrong, once, right))
    print(f"{name:28} {len(cases):4} texts   {unstable(answers)}")
    print(f"  {'class':18} {'n':>4}  fixed         missed  otherwise")
    for group, (fixed, missed, other) in sorted(table.items(), key=lambda entry: entry[0].strip()):
        count = fixed + missed + other
        print(f"  {group:18} {count:4}  {fixed:4} {fixed / count:7.1%}  {missed:6}  {other:9}")
    if shows:
        for kind, verdict, wrong, once, right in failures:
            made = "is missed" if verdict == 1 else f"became {difference(wrong, once)}"
            print(f"    {kind}: {difference(wrong, right)} {made}")


def main():
    parser = argparse.ArgumentParser(description="what the offline proofreader changes")
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    parser.add_argument("--wrong", action="store_true", help="print each text that is not right")
    parser.add_argument(
        "--no-dictionary", action="store_true", help="without hunspell: the rules alone")
    parser.add_argument("--language", help="instead of the one that is guessed")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK):
        sys.exit(f"writing: {options.binary} is missing; name one with --binary")
    folder = tempfile.mkdtemp(prefix="writing-")
    try:
        program = Program(options, folder)
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            for name in ("clean-en.tsv", "clean-de.tsv"):
                clean(name, rows(name), program, pool, options.wrong)
            for name in ("technical-en.txt", "technical-de.txt"):
                clean(name, blocks(name), program, pool, options.wrong)
            errors("errors-en.tsv", program, pool, options.wrong)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
