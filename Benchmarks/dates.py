#!/usr/bin/env python3
"""Grades the date language beside three libraries, on the same phrases, in one run.

    Benchmarks/dates.py [--binary FILE] [--json FILE] [--no-rivals] [FILE.tsv …]

A phrase is right when its start and its rule are; titles are counted apart.
What is accepted is said in Tests/ToolServersTests/Fixtures/dates/README.md.
"""

import argparse
import datetime
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)

import rivals  # noqa: E402

REPOSITORY = os.path.dirname(HERE)
FIXTURES = os.path.join(REPOSITORY, "Tests", "ToolServersTests", "Fixtures", "dates")
SETS = (
    "phrases-dev", "heldout", "american", "german-dev", "german-heldout",
    "english-6", "english-7", "american-6", "american-7", "german-6", "german-7",
)


def options():
    parser = argparse.ArgumentParser(description="the date language beside three libraries")
    parser.add_argument("sets", nargs="*", metavar="FILE.tsv")
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    parser.add_argument("--json", metavar="FILE", help="write the figures there too")
    parser.add_argument("--no-rivals", action="store_true", help="ours alone, no network")
    return parser.parse_args()


# ---- the sets -------------------------------------------------------------------


class Phrase:
    def __init__(self, columns, section):
        self.section = section
        self.text, start, rule, title = columns[:4]
        self.starts, self.rules, self.titles, self.hours = [start], [rule], [title], None
        for note in (columns[4] if len(columns) > 4 else "").split("; "):
            for word in [note] if note.startswith("alttitle:") else note.split():
                name, _, value = word.partition(":")
                if name == "alt":
                    self.starts += value.split("|")
                elif name == "altr":
                    self.rules += value.split("|")
                elif name == "alttitle":
                    self.titles += value.split("|")
                elif name == "fuzzy":
                    self.hours = [int(hour) for hour in value.split("-")]


def read(path):
    """(what the phrases are read against, the phrases)."""
    said = {"now": "2026-03-04T10:15", "zone": "Europe/Berlin", "locale": "en_GB"}
    phrases, section = [], "all"
    with open(path, encoding="utf-8") as file:
        for line in file.read().split("\n"):
            columns = line.split("\t")
            if line.startswith("# "):
                name, _, value = line[2:].partition(":")
                said[name] = value.strip()
                section = said.get("section", section)
            elif len(columns) >= 4 and columns[0] != "phrase":
                phrases.append(Phrase(columns, section))
    return said, phrases


# ---- grades ---------------------------------------------------------------------


def is_start_right(phrase, start):
    for wanted in phrase.starts:
        if wanted == "-":
            if start is None:
                return True
        elif start and (start[:16] == wanted or "T" not in wanted and start[:10] == wanted):
            return True
    if phrase.hours and start and "T" in start and start[:10] == phrase.starts[0][:10]:
        minutes = int(start[11:13]) * 60 + int(start[14:16])
        return phrase.hours[0] * 60 <= minutes <= phrase.hours[1] * 60
    return False


def parts(rule):
    """A rule as a set of parts; UNTIL by its day."""
    found = {}
    for part in re.sub(r"^RRULE:", "", rule or "").split(";"):
        name, _, value = part.partition("=")
        if not value or part == "INTERVAL=1" or name == "WKST":
            continue
        if name == "UNTIL" and value.endswith("Z"):
            utc = datetime.datetime.strptime(value, "%Y%m%dT%H%M%SZ")
            # The process's zone is the set's; see `main`.
            value = utc.replace(tzinfo=datetime.timezone.utc).astimezone().strftime("%Y%m%d")
        found[name] = {value[:8]} if name == "UNTIL" else set(value.split(","))
    return found


def is_rule_right(phrase, rule):
    for wanted in phrase.rules:
        wanted, given = parts(wanted), parts(rule)
        if "BYHOUR" not in wanted:
            given.pop("BYHOUR", None)
            if "BYMINUTE" not in wanted:
                given.pop("BYMINUTE", None)
        elif "BYMINUTE" not in wanted:
            given.pop("BYMINUTE", None)
        given.pop("BYSECOND", None)
        if wanted == given:
            return True
    return False


def folded(title):
    return " ".join((title or "").lower().split()).rstrip(" .,!;:")


def is_title_right(phrase, title):
    return title is not None and folded(title) in {folded(wanted) for wanted in phrase.titles}


class Score:
    def __init__(self):
        self.count = self.when = self.titles = self.crashes = 0
        self.milliseconds = 0.0

    def add(self, phrase, answer):
        self.count += 1
        self.when += is_start_right(phrase, answer.start) and is_rule_right(
            phrase, answer.rule)
        self.titles += is_title_right(phrase, answer.title)


# ---- the parsers ----------------------------------------------------------------


def ours(binary, said, phrases, home):
    """Every phrase through one process, and what one phrase cost in it, the
    start of the process taken off."""
    environment = {"PATH": os.environ.get("PATH", ""), "HOME": home, "CHAT_HOME": home,
                   "LANG": "C.UTF-8", "TZ": said["zone"]}
    file = os.path.join(home, "phrases.txt")
    words = [binary, "reminders", "parse", "--file", file, "--json", "--now", said["now"],
             "--tz", said["zone"], "--locale", said["locale"]]

    def run(texts):
        with open(file, "w", encoding="utf-8") as target:
            target.writelines(text + "\n" for text in texts)
        begin = time.perf_counter()
        done = subprocess.run(words, capture_output=True, text=True, env=environment,
                              stdin=subprocess.DEVNULL, timeout=120)
        if done.returncode != 0:
            sys.exit(f"dates: {' '.join(words)}: {done.stderr.strip()}")
        return done.stdout, time.perf_counter() - begin

    run(["warm"])
    _, start = run(["one"])
    output, whole = run([phrase.text for phrase in phrases])
    answers = json.loads(output)
    if len(answers) != len(phrases):
        sys.exit(f"dates: {len(phrases)} phrases, {len(answers)} answers")
    each = max(whole - start, 0) / len(phrases) * 1000
    return [rivals.Answer(answer.get("start"), answer.get("rrule"), answer.get("title"))
            for answer in answers], each


def ask(function, texts):
    """The answers of a library, the number of its crashes, milliseconds each."""
    answers, crashes = [], 0
    function("warm up tomorrow at 5pm")
    begin = time.perf_counter()
    for text in texts:
        try:
            answers.append(function(text))
        except Exception:  # Whatever it throws, it did not understand.
            crashes += 1
            answers.append(rivals.Answer())
    return answers, crashes, (time.perf_counter() - begin) / max(len(texts), 1) * 1000


def date_words(phrase):
    """The phrase without its title, as if somebody had found it before."""
    at = phrase.text.lower().find(phrase.titles[0].lower()) if phrase.titles[0] else -1
    if at < 0:
        return phrase.text
    rest = phrase.text[:at] + " " + phrase.text[at + len(phrase.titles[0]):]
    return rivals.left(rest, []) or phrase.text


# ---- the table ------------------------------------------------------------------


def share(part, whole):
    return f"{part * 100 // whole if whole else 0:3d} %"


def table(name, said, phrases, columns):
    sections = list(dict.fromkeys(phrase.section for phrase in phrases))
    width = max(len(section) for section in [*sections, "start and rule"]) + 2
    print(f"{name}: {len(phrases)} phrases, {said['now']} {said['zone']} {said['locale']}")
    print("  " + "start and rule".ljust(width) + "    n"
          + "".join(column.rjust(15) for column in columns))
    figures = {}
    for section in [*sections, "total"]:
        cells = []
        for column, (answers, _, _, _) in columns.items():
            score = Score()
            for phrase, answer in zip(phrases, answers):
                if section in ("total", phrase.section):
                    score.add(phrase, answer)
            cells.append(share(score.when, score.count).rjust(15))
            figures.setdefault(column, {})[section] = {
                "n": score.count, "when": score.when, "titles": score.titles}
        print("  " + section.ljust(width) + f"{score.count:5d}" + "".join(cells))
    for label, cell in (
        ("titles", lambda column, found: share(figures[column]["total"]["titles"], len(phrases))
         if any(answer.title is not None for answer in found[0]) else "–"),
        ("date words only", lambda column, found: found[3] or "–"),
        ("crashes", lambda column, found: str(found[1])),
        ("ms a phrase", lambda column, found: f"{found[2]:.3f}"),
    ):
        print("  " + label.ljust(width + 5)
              + "".join(cell(column, found).rjust(15) for column, found in columns.items()))
    print()
    return figures


def measure(path, chosen, home):
    said, phrases = read(path)
    os.environ["TZ"] = said["zone"]
    time.tzset()
    clock = datetime.datetime.fromisoformat(said["now"])
    answers, each = ours(chosen.binary, said, phrases, home)
    columns = {"ours": (answers, 0, each, None)}
    for name, function in [] if chosen.no_rivals else rivals.rivals(clock, said["locale"]):
        answers, crashes, each = ask(function, [phrase.text for phrase in phrases])
        bare, _, _ = ask(function, [date_words(phrase) for phrase in phrases])
        right = sum(is_start_right(phrase, answer.start)
                    and is_rule_right(phrase, answer.rule)
                    for phrase, answer in zip(phrases, bare))
        columns[name] = (answers, crashes, each, share(right, len(phrases)))
    name = os.path.basename(path).removesuffix(".tsv")
    return name, {"sections": table(name, said, phrases, columns),
                  "milliseconds": {name: found[2] for name, found in columns.items()}}


def main():
    chosen = options()
    if not os.access(chosen.binary, os.X_OK):
        sys.exit(f"dates: {chosen.binary} is missing; make bench builds it")
    folder = tempfile.mkdtemp(prefix="dates-")
    try:
        why = None if chosen.no_rivals else rivals.fetch(os.path.join(folder, "lib"))
        if why:
            print(f"dates: {why}; those of the system are asked, if there are any")
        paths = chosen.sets or [os.path.join(FIXTURES, name + ".tsv") for name in SETS]
        results = dict(measure(path, chosen, folder) for path in paths)
        if chosen.json:
            with open(chosen.json, "w", encoding="utf-8") as file:
                json.dump(results, file, indent=1)
    finally:
        shutil.rmtree(folder, ignore_errors=True)


if __name__ == "__main__":
    main()
