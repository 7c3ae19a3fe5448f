#!/usr/bin/env python3
"""How cost grows: CPU of the whole process for ten times as much, again and again.

    Benchmarks/growth.py [--quick] [--only WORD] [--limits] [--binary FILE]

Each row is one command; its columns are sizes, the last one the exponent of the growth
between the two largest: 1 is in proportion, 2 is the square. --limits takes each way in of
the manual's table ("Sizes" in safety.md) at its limit instead, in five shapes, and prints
time and peak memory.
"""

import argparse
import io
import json
import math
import os
import shutil
import statistics
import sys
import tempfile
import time
import zipfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import fill  # noqa: E402
import ways  # noqa: E402
import processes  # noqa: E402
from measures import Bench  # noqa: E402
from processes import Failure, Meter, Provider, Terminal, build  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
KB, MB = 1 << 10, 1 << 20
SHAPES = {
    "prose": "The river runs past the old mill, where people met on Sunday mornings.\n",
    "digits": "0123456789", "one letter": "a", "short lines": "a\n", "brackets": "[(<{",
}
CALENDAR = "BEGIN:VCALENDAR\r\nVERSION:2.0\r\n{}END:VCALENDAR\r\n"
TODO = "BEGIN:VTODO\r\nUID:{}\r\nSUMMARY:Call the {}th person\r\nEND:VTODO\r\n"


def repeated(unit, size):
    return (unit * (size // len(unit) + 1))[:size]


# What is read in other files than plain text: the whole around the text.
def export(unit, size):
    return json.dumps([{"uuid": "1", "name": "t", "chat_messages": [
        {"sender": "human", "text": repeated(unit, size)}]}])


def settings(unit, size):
    return json.dumps({"theme": repeated(unit, max(size - 20, 1))})


def components(unit, size):
    count = max(1, min(size // 70, 14_000))
    return CALENDAR.format("".join(TODO.format(n, n) for n in range(count)))


def rules(unit, size):
    """A hundred rules of 10 KB: days that are added, or days of the year."""
    days = [f"2027{n // 28 % 12 + 1:02}{n % 28 + 1:02}T{n // 336 % 24:02}0000Z" for n in range(590)]
    years = [str(n % 366 + 1) for n in range(2_500)]
    rule = f"RDATE:{','.join(days)}" if len(unit) > 2 else f"RRULE:FREQ=YEARLY;BYYEARDAY={','.join(years)}"
    event = "BEGIN:VEVENT\r\nUID:1\r\nDTSTART:20270101T120000Z\r\nSUMMARY:s\r\n{}END:VEVENT\r\n"
    return CALENDAR.format(event.format(f"{rule}\r\n" * 100))


def archive(unit, size):
    """As many files as an archive may have."""
    whole = io.BytesIO()
    with zipfile.ZipFile(whole, "w") as file:
        for number in range(200_000):
            file.writestr(f"{number}", unit)
    return whole.getvalue()


# Name in the manual, limit in bytes, words of the command, the file's ending, what is in it.
TEXTS = [
    ("piped or attached text", 2 * MB, ["--provider", "openai", "-m", "bench", "-p", "what is this?", "--attach", "{file}"], "txt", repeated),
    ("text of a book, a story or a document", 16 * MB, ["story", "import", "{file}"], "md", repeated),
    ("text to redact", 16 * MB, ["redact", "{file}"], "txt", repeated),
    ("text to keep in the library", 10 * MB, ["library", "save", "T"], "stdin", repeated),
    ("text to proofread or rewrite", 2 * MB, ["write", "proofread", "{file}", "--offline"], "txt", repeated),
    ("résumé or advert", 2 * MB,
     ["letter", "new", "--resume", "{file}", "--job", "{file}", "--dry-run"], "txt", repeated),
    ("calendar file", 10 * MB, ["reminders", "list"], "ics", components),
    ("words about a time", 4 * KB, ["reminders", "parse", "{text}"], None, repeated),
    ("export to import", 1 << 30, ["conversations", "import", "{file}"], "json", export),
    ("configuration", MB, ["config"], "config", settings),
    ("rules of one event", 1000 * KB, ["calendar"], "ics", rules),
    ("archive (backup, EPUB)", MB, ["story", "import", "{file}"], "epub", archive),
]


class Growth:
    def __init__(self, bench, is_quick, only):
        self.bench, self.is_quick, self.only = bench, is_quick, only
        self.number = 0

    def home(self):
        """A fresh folder, which the program has set up."""
        self.number += 1
        home = self.bench.path(f"home-{self.number}")
        self.bench.at(home)
        self.bench.meter.run([self.bench.binary, "conversations", "list"])
        return home

    def cost(self, words, times=3, input="/dev/null"):
        """The medians; a refusal is as good as an answer, a signal is not."""
        words = ["/bin/sh", "-c", f'exec "$0" "$@" <{input}', self.bench.binary, *words]
        costs = [self.bench.meter.run(words, expected=range(8)) for _ in range(times)]
        return (statistics.median(cost.cpu for cost in costs),
                max(cost.peak for cost in costs))

    # MARK: rows

    def sizes(self, first, last):
        return [10 ** power for power in range(first, last if self.is_quick else last + 1)]

    def messages(self):
        rows = {"conversations list": [], "conversations search": [], "prompt ready": []}
        sizes = self.sizes(2, 6)
        for size in sizes:
            home = self.home()
            fill.database(os.path.join(home, "chat.db"), size // 100, 100)
            self.cost(["conversations", "search", "nothing"], 1)
            rows["conversations list"].append(self.cost(["conversations", "list"])[0])
            rows["conversations search"].append(
                self.cost(["conversations", "search", "usual", "sentence"])[0])
            rows["prompt ready"].append(statistics.median(self.prompt() for _ in range(3)))
        self.table("messages stored", sizes, rows)

    def prompt(self):
        terminal = Terminal([self.bench.binary], self.bench.variables)
        try:
            terminal.ready()
        finally:
            cpu = terminal.close().cpu
        return cpu

    def items(self):
        rows = {"library list": [], "library search": []}
        sizes = self.sizes(2, 5)
        for size in sizes:
            home = self.home()
            fill.library(os.path.join(home, "chat.db"), size)
            rows["library list"].append(self.cost(["library", "list"])[0])
            rows["library search"].append(self.cost(["library", "search", "usual", "size"])[0])
        self.table("items of the library", sizes, rows)

    def reminders(self):
        rows = {"reminders list": [], "today --line": [], "cat of the files": []}
        sizes = self.sizes(2, 5)
        for size in sizes:
            folder = os.path.join(self.home(), "calendars", "reminders")
            fill.reminders(folder, size)
            # The index does not trust files that were written a moment ago.
            time.sleep(2.5)
            self.cost(["reminders", "list"], 1)
            rows["reminders list"].append(self.cost(["reminders", "list"])[0])
            rows["today --line"].append(self.cost(["today", "--line"])[0])
            cat = ["/bin/sh", "-c", f"find {folder} -type f -exec cat {{}} +"]
            rows["cat of the files"].append(self.bench.meter.run(cat).cpu)
        self.table("reminders", sizes, rows)

    def deltas(self):
        rows = {"as fast as read": [], "at once": [], "one by one": []}
        sizes = self.sizes(2, 5)
        for size in sizes:
            for name, path in (
                ("as fast as read", f"{size}"), ("at once", f"{size}/whole"),
                ("one by one", f"{size}/slow"),
            ):
                # A pause before each would be minutes.
                if name == "one by one" and size > 1_000:
                    continue
                self.home()
                ours, _ = self.bench.ask("responses", path)
                costs = []
                for _ in range(3):
                    costs.append(self.bench.meter.run(ours).cpu)
                    self.bench.provider.answered()
                rows[name].append(statistics.median(costs))
        self.table("deltas of an answer", sizes, rows)

    def texts(self):
        rows = {}
        sizes = [KB * 10 ** power for power in range(3 if self.is_quick else 5)]
        for name, limit, words, ending, make in TEXTS:
            taken = [size for size in sizes if size <= limit]
            rows[name] = [
                self.text(words, ending, make(SHAPES["prose"], size))[0] for size in taken]
        self.table("bytes of a text", sizes, rows)

    def text(self, words, ending, text):
        home = self.home()
        path = self.bench.path(f"text.{ending}")
        if ending == "ics":
            path = os.path.join(home, "calendars", "reminders", "large.ics")
        elif ending == "config":
            path = os.path.join(home, "config.json")
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(text if isinstance(text, bytes) else text.encode())
        cost = self.cost(
            [word.format(file=path, text=text) for word in words], 1,
            path if ending == "stdin" else "/dev/null")
        self.bench.provider.forget()
        return cost

    def limits(self):
        print("| what comes in | limit | CPU | memory | shape |\n|---|---|---|---|---|")
        rows = [(name, limit, lambda text, row=row: self.text(row[0], row[1], text), row[2])
                for name, limit, *row in TEXTS]
        served = ways.Ways(self.bench, self.cost)
        rows += [(name, limit, lambda text, take=take: (self.home(), take(served, text))[1], repeated)
                 for name, limit, take in served.ROWS]
        for name, limit, take, make in rows:
            if self.only and self.only not in name:
                continue
            # A gigabyte would measure the disk.
            limit = min(limit, 64 * MB)
            costs = {shape: take(make(unit, limit - KB)) for shape, unit in SHAPES.items()}
            cpu, peak = (max(cost[place] for cost in costs.values()) for place in (0, 1))
            worst = max(costs, key=lambda shape: costs[shape])
            size = f"{limit // MB} MB" if limit >= MB else f"{limit // KB} KB"
            print(f"| {name} | {size} | {cpu:.2f} s | {peak:.0f} MB | {worst} |", flush=True)

    def table(self, what, sizes, rows):
        print(f"{what:40}" + "".join(f"{size:>11,}" for size in sizes) + "     grows")
        for name, values in rows.items():
            cells = "".join(f"{value * 1e3:8.0f} ms" for value in values)
            cells += " " * 11 * (len(sizes) - len(values))
            print(f"  {name:38}{cells}{exponent(values, sizes):>10}")
        print(flush=True)


def exponent(values, sizes):
    """Of the growth between the two largest; below 50 ms it is the start of the program."""
    if len(values) < 2 or values[-1] < 0.05:
        return "flat" if values and values[-1] < 0.05 else "–"
    step = math.log(sizes[len(values) - 1] / sizes[len(values) - 2])
    return f"{math.log(values[-1] / values[-2]) / step:.2f}"


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--quick", action="store_true", help="without the largest sizes")
    parser.add_argument("--only", metavar="WORD", help="messages, items, reminders, deltas or texts; with --limits, rows with it")
    parser.add_argument("--limits", action="store_true", help="each way in at its limit")
    parser.add_argument(
        "--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    chosen = parser.parse_args()
    if chosen.limits:
        ways.isolate()
    # A million messages are indexed at once here.
    processes.GUARD = 600
    folder = tempfile.mkdtemp(prefix="growth-")
    provider, failed = Provider(), False
    try:
        os.makedirs(os.path.join(folder, "home"))
        variables = {
            "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": os.path.join(folder, "home"),
            "TERM": "xterm-256color", "LANG": "C.UTF-8", "NO_COLOR": "1", "TZ": "UTC",
            "OPENAI_API_KEY": "sk-none", "ANTHROPIC_API_KEY": "sk-none", "CHAT_HOME": folder}
        meter = Meter(build(folder)["meter"], folder, variables)
        # Nothing leaves the machine, whatever is asked.
        variables["OPENAI_BASE_URL"] = provider.url("3/v1")
        variables["ANTHROPIC_BASE_URL"] = provider.url("3")
        growth = Growth(
            Bench(chosen.binary, {}, folder, variables, meter, provider, chosen.quick),
            chosen.quick, chosen.only)
        parts = ["limits"] if chosen.limits else [
            "messages", "items", "reminders", "deltas", "texts"]
        for part in parts:
            if chosen.only and chosen.only not in part and not chosen.limits:
                continue
            try:
                getattr(growth, part)()
            except (Failure, OSError) as error:
                failed = True
                print(f"growth: {part}: {error}", file=sys.stderr)
    finally:
        provider.close()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(1 if failed else 0)


main()
