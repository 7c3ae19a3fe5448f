#!/usr/bin/env python3
"""Prints the sizes of the folders of Sources, for decision 41: files, lines, lines of code (without
blank lines and comments), and for a target the seconds that the last release build spent on it.

A folder above 8,000 lines is shown by its folders. The seconds come from the times of the objects in
.build/release: two targets are compiled at a time, so one begins when what it imports and one of the
two before it have ended; they begin in the order in which their interfaces appear. They need a build from nothing, on an idle machine with two cores.
"""

import os
import re
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
LIMIT = 8_000


def swift_files(folder):
    for place, _, names in os.walk(folder):
        yield from (os.path.join(place, name) for name in names if name.endswith(".swift"))


def sizes(files):
    files, lines, code = list(files), 0, 0
    for name in files:
        with open(name, encoding="utf-8") as file:
            text = file.read()
        lines += text.count("\n")
        code += sum(1 for line in text.split("\n") if re.match(r"\s*(?!//)\S", line))
    return len(files), lines, code


def targets():
    """The folder and the imports of each target by its name."""
    rows = subprocess.run([ROOT + "/scripts/targets"], capture_output=True, text=True).stdout
    return {
        name: (path, imports)
        for kind, name, path, *imports in map(str.split, rows.splitlines())
        if kind in ("target", "executableTarget") and path.startswith("Sources/")
    }


def seconds(known):
    release, ends, begin = ROOT + "/.build/release", {}, []
    for name in known:
        folder = f"{release}/{name}.build"
        if os.path.isdir(folder) and os.path.exists(f"{release}/Modules/{name}.swiftmodule"):
            files = os.listdir(folder)
            times = {file: os.stat(f"{folder}/{file}").st_mtime for file in files}
            ends[name] = max((times[file] for file in files if file.endswith(".o")), default=0)
            begin += times.values()
    free, spent = [min(begin, default=0)] * 2, {}
    order = {name: os.stat(f"{release}/Modules/{name}.swiftmodule").st_mtime for name in ends}
    for name in sorted(ends, key=order.get):
        ready = max([ends[other] for other in known[name][1] if other in ends], default=0)
        slot = free.index(min(free))
        spent[name] = ends[name] - max(ready, free[slot])
        free[slot] = ends[name]
    return spent


def main():
    known = targets()
    spent = seconds(known)
    by_path = {path: name for name, (path, _) in known.items()}
    print(f"{'folder':34} {'files':>5} {'lines':>7} {'code':>7} {'s':>5}")

    def row(folder, files):
        name = by_path.get(folder)
        time = f"{spent[name]:5.0f}" if name in spent else ""
        count, lines, code = sizes(files)
        print(f"{folder[8:] or 'Sources':34} {count:5} {lines:7,} {code:7,} {time}")

    os.chdir(ROOT)
    for first in sorted(os.listdir("Sources")):
        folder = "Sources/" + first
        files = list(swift_files(folder))
        if not files:
            continue
        row(folder, files)
        if sizes(files)[1] <= LIMIT:
            continue
        for second in sorted(os.listdir(folder)):
            if os.path.isdir(f"{folder}/{second}"):
                row(f"{folder}/{second}", swift_files(f"{folder}/{second}"))
    row("Sources/", swift_files("Sources"))


main()
