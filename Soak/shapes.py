"""Answers of ten megabytes in shapes that no answer has, on a terminal."""

import os
import re
import tempfile
import time

from rig import Home, Program, demand

MEMORY = 100 << 10  # KB at most, whatever the answer
FIRST = 1.0  # Seconds until the first of it is on the screen
PIECE = 4_096

# A shape is what is repeated.
SHAPES = {
    "one letter": "a", "digits": "0123456789", "short lines": "a\n", "empty lines": "\n",
    "paragraphs": "a\n\n", "words": "word " * 12 + "\n", "one line of words": "word ", "addresses": "a@",
    "open brackets": "[", "links": "[a](b) ", "stars": "*a **", "combining marks": "e\u0301\u0301",
    "quotes": "> ", "items": "- a\n", "nested items": "- ", "table": "| a | b |\n|---|---|\n",
    "rows": "| a | b |\n", "code": "```\na\n", "indented code": "    a\n", "spaces": " ",
    "HTML": "<p>\n", "ampersands": "&amp;", "wide": "漢字", "emoji": "👩‍👩‍👧",
    "definitions": "[a]: b\n", "backticks": "`a", "escapes": "\x1b[31m", "headings": "# a\n",
}


def pieces(number, size):
    """That many bytes of the shape, as a provider sends them."""
    unit = list(SHAPES.values())[number]
    text = unit * (PIECE // len(unit.encode()))
    for _ in range(size // len(text.encode())):
        yield text


class Shapes:
    """One process for each shape: what it holds at most, and when the first rows came."""

    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder = binary, provider, folder

    def run(self, megabytes):
        self.provider.shape = lambda number: pieces(number, megabytes << 20)
        rows = [self.measure(number, name) for number, name in enumerate(SHAPES)
                if os.environ.get("SOAK_SHAPE", name) == name]
        most = max(rows, key=lambda row: row[1])
        slow = max(rows, key=lambda row: row[3])
        detail = (f"{most[1] / 1024:.0f} MB at most ({most[0]}), first rows after "
                  f"{max(row[2] for row in rows) * 1e3:.0f} ms at most, {slow[3]:.1f} s at most ({slow[0]})")
        demand(most[1] <= MEMORY, detail)
        demand(all(row[2] <= FIRST for row in rows), detail)
        return detail

    def measure(self, number, name):
        home = Home(self.binary, self.provider, tempfile.mkdtemp(dir=self.folder))
        os.makedirs(home.file(), mode=0o700, exist_ok=True)
        with open(home.file("config.json"), "w") as file:
            file.write('{"title": false}')
        program = Program(home.words(), home.variables)
        program.ready()
        program.type(f"shape n{number}\r")
        start, first = time.monotonic(), None
        # Only the end is looked at: the whole would be in memory here as well.
        while not re.search(rb"END-n\d+|chat accepts", program.seen[-400:]):
            demand(program.read(60), f"{name}: nothing for a minute after {program.text[-300:]!r}")
            if first is None and len(program.seen) > 200:
                first = time.monotonic() - start
            program.seen = program.seen[-400:] if first else program.seen
        took = time.monotonic() - start
        first = first or took
        with open(f"/proc/{program.pid}/status") as file:
            peak = next(int(line.split()[1]) for line in file if line.startswith("VmHWM"))
        program.close()
        if os.environ.get("SOAK_VERBOSE"):
            print(f"{name:20} {peak / 1024:6.0f} MB  first {first * 1e3:4.0f} ms  {took:5.1f} s", flush=True)
        return name, peak, first, took
