#!/usr/bin/env python3
"""Writes scripts/link-order.txt: the functions that run until the prompt and in one answer.

    Benchmarks/order.py [--binary FILE]

The linker puts them side by side. A megabyte of the 19 MB of code runs at the start, but lies
in nearly all of its pages, and the kernel maps sixteen at a time. Names that no longer exist
are passed over, so the file is written again when the start has changed much. Needs valgrind.
"""

import argparse
import glob
import os
import re
import shutil
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

from processes import Provider, Terminal  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
TARGET = os.path.join(REPOSITORY, "scripts", "link-order.txt")
FUNCTION = re.compile(r"^c?fn=\(\d+\) ([^'\n]+)", re.M)


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument(
        "--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    binary = parser.parse_args().binary
    folder, provider = tempfile.mkdtemp(prefix="order-"), Provider()
    variables = {
        "PATH": os.environ["PATH"], "HOME": folder, "TERM": "xterm-256color", "LANG": "C.UTF-8",
        "NO_COLOR": "1", "TZ": "UTC", "OPENAI_API_KEY": "sk-none", "CHAT_HOME": folder + "/chat",
        "OPENAI_BASE_URL": provider.url("100/v1")}
    ask = ["--provider", "openai", "-m", "bench", "-p", "why is the sky blue?"]
    try:
        # Each part before what runs later.
        for number, words in enumerate((["--version"], [], ["reminders", "list"], ask)):
            traced = ["/usr/bin/valgrind", "-q", "--tool=callgrind",
                      f"--callgrind-out-file={folder}/trace-{number}", binary, *words]
            if words:
                subprocess.run(
                    traced, env=variables, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                    stderr=subprocess.DEVNULL, check=True)
            else:
                terminal = Terminal(traced, variables)
                terminal.ready()
                terminal.close()
        names = {}
        for path in sorted(glob.glob(f"{folder}/trace-*")):
            with open(path) as file:
                names.update(dict.fromkeys(FUNCTION.findall(file.read())))
        table = subprocess.run(
            ["nm", "--defined-only", binary], capture_output=True, text=True, check=True).stdout
        known = {line.split(" ", 2)[2] for line in table.splitlines()}
        with open(TARGET, "w") as file:
            file.writelines(name + "\n" for name in names if name in known)
    finally:
        provider.close()
        shutil.rmtree(folder, ignore_errors=True)


main()
