#!/usr/bin/env python3
"""Grades what the program makes of plain messages, by class.

    Benchmarks/understanding.py [--binary FILE] [--wrong] [FILE.tsv …]

A set has either `class message` (all of it for the model) or the columns of
commands (Tests/ToolServersTests/Fixtures/messages/README.md). Nothing is stored
and no model is asked: `reminders parse --json` says what would be done.
"""

import argparse
import collections
import json
import os
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
FIXTURES = os.path.join(REPOSITORY, "Tests", "ToolServersTests", "Fixtures", "messages")
SETS = (
    "for-model-1", "for-model-2", "for-model-3", "for-model-4", "for-model-5", "for-model-6", "for-model-7",
    "commands-1", "commands-2", "commands-3", "commands-4", "commands-5", "commands-6", "commands-7",
    "commands-8", "commands-9", "commands-10", "commands-11",
    "commands-de-1", "commands-de-2", "commands-de-3", "commands-de-4", "commands-de-5", "commands-de-6",
    "commands-de-7", "commands-de-8", "commands-de-9", "commands-de-10", "commands-de-11",
    "examples", "examples-de", "kinds-messages", "kinds-messages-de",
)


def parsed(binary, messages, locale):
    """One object for each message, from one run for those of one line."""
    fixed = ["--json", "--now", "2026-03-04T10:15", "--tz", "Europe/Berlin", "--locale", locale]
    answers = {}
    with tempfile.TemporaryDirectory() as folder:
        variables = dict(os.environ, CHAT_HOME=folder)
        path = os.path.join(folder, "phrases")
        lines = [m for m in messages if "\n" not in m and m.strip()]
        with open(path, "w", encoding="utf-8") as file:
            file.write("\n".join(lines) + "\n")

        def run(*words):
            return json.loads(subprocess.run(
                [binary, "reminders", "parse", *fixed, *words], env=variables, check=True,
                capture_output=True, text=True).stdout)

        found = run("--file", path)
        assert len(found) == len(lines), (len(found), len(lines))
        answers.update(zip(lines, found))
        for message in messages:
            if message not in answers:
                answers[message] = run("--", message)
    return answers


def notes(text):
    found = {}
    for note in text.split("; "):
        name, _, value = note.partition(":")
        if value:
            found[name.strip()] = value.strip()
    return found


def plain(title):
    words = (title or "").lower().strip(" .!\"").split()
    while words and words[0] in ("the", "my", "a", "an", "to", "der", "die", "das", "den", "meine"):
        words.pop(0)
    return " ".join(words)


def rule(text):
    parts = {}
    for part in (text or "").split(";"):
        name, _, value = part.partition("=")
        if name == "UNTIL":
            value = value[:8]
        if name == "BYDAY":
            value = ",".join(sorted(value.split(",")))
        if name and part not in ("INTERVAL=1",):
            parts[name] = value
    return parts


def start_fits(got, expected, extra):
    if expected == "-":
        return True
    accepted = [expected] + [a for a in extra.get("alt", "").split("|") if a]
    for value in accepted:
        if got == value or (got or "")[:16] == value or ("T" not in value and (got or "")[:10] == value):
            return True
    if "fuzzy" in extra and got and "T" in got:
        low, high = (int(h) for h in extra["fuzzy"].split("-"))
        return got[:10] == expected[:10] and low <= int(got[11:13]) <= high
    return False


def stored_right(answer, row, extra):
    start, rrule, title = row[5:8]
    rules = [rrule if rrule != "-" else ""] + [r for r in extra.get("altr", "").split("|") if r]
    got = rule(answer["rrule"])
    if got.get("FREQ") == "MONTHLY" and "BYMONTHDAY" not in got and "BYDAY" not in got:
        got["BYMONTHDAY"] = str(int(answer["start"][8:10]))
    if not any(got == rule(r) for r in rules):
        return False
    more = [value for value in extra.get("more", "").split("|") if value]
    if more and len(answer["items"]) > 1:
        starts = [item["start"] for item in answer["items"]]
        if sorted(starts) != sorted([start] + more):
            return False
    elif len(answer["items"]) > 1 or more and "altr" not in extra:
        return False
    elif not more and not start_fits(answer["start"], start, extra):
        return False
    elif start == "-" and answer["start"] and row[0] != "anchor":
        return False
    if "end" in extra and answer["end"] not in extra["end"].split("|"):
        return False
    titles = [title] + extra.get("alttitle", "").split("|")
    return "-" in titles or plain(answer["title"]) in [plain(t) for t in titles]


def target_fits(answer, row, extra):
    target = plain(answer["action"]["target"])
    titles = [plain(t) for t in [row[7]] + extra.get("alttitle", "").split("|") if t]
    if row[7] == "-" or "-" in titles:
        return True
    if any(t and (t == target or target and (target in t or t in target)) for t in titles):
        return True
    return False


def grade_command(answer, row, mode):
    """right, wrong (a false act), asked or left."""
    expected = row[2 if mode == "online" else 3].split("|")
    did = answer["action"][mode]
    extra = notes(row[8] if len(row) > 8 else "")
    if did in ("ask", "model"):
        return "right" if did in expected or {"ask", "model"} & set(expected) else "left"
    if did not in expected:
        return "wrong"
    if did == "store":
        return "right" if stored_right(answer, row, extra) else "wrong"
    if did == "change":
        return "right" if target_fits(answer, row, extra) else "wrong"
    return "right"


def main():
    parser = argparse.ArgumentParser(description="what is made of plain messages, by class")
    parser.add_argument("sets", nargs="*", metavar="FILE.tsv")
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    parser.add_argument("--wrong", action="store_true", help="print each message that is not right")
    options = parser.parse_args()
    files = options.sets or [os.path.join(FIXTURES, name + ".tsv") for name in SETS]
    for path in files:
        with open(path, encoding="utf-8") as file:
            rows = [line.rstrip("\n").split("\t") for line in file][1:]
        rows = [[cell.replace("\\n", "\n") for cell in row] for row in rows if len(row) > 1]
        is_german = "-de" in os.path.basename(path)
        answers = parsed(options.binary, [row[1] for row in rows], "de_DE" if is_german else "en_GB")
        print(f"\n{os.path.basename(path)}: {len(rows)} messages")
        if len(rows[0]) < 4:
            for_model(rows, answers, options.wrong)
        else:
            commands(rows, answers, options.wrong)


def for_model(rows, answers, shows):
    table = collections.defaultdict(lambda: [0, 0, 0])
    for group, message in rows:
        action = answers[message]["action"]
        for name in (group, "all"):
            table[name][0] += 1
            table[name][1] += action["online"] != "model"
            table[name][2] += action["offline"] not in ("model", "ask")
        if shows and (action["online"] != "model" or action["offline"] not in ("model", "ask")):
            print(f"  {action['online']}/{action['offline']} {group}: {message!r} -> "
                  f"{action['target']} {answers[message]['start']}")
    print(f"  {'class':12} {'n':>4}  taken with a model  acted on without one")
    for name, (n, online, offline) in table.items():
        print(f"  {name:12} {n:4}  {online:4} {online / n:6.1%}        {offline:4} {offline / n:6.1%}")


def commands(rows, answers, shows):
    table = collections.defaultdict(lambda: collections.Counter())
    for row in rows:
        for mode in ("online", "offline"):
            verdict = grade_command(answers[row[1]], row, mode)
            for name in (row[0], "all"):
                table[name][mode, verdict] += 1
                table[name]["n"] += mode == "online"
            if shows and verdict != "right":
                answer = answers[row[1]]
                print(f"  {mode} {verdict} {row[0]}: {row[1]!r}\n      is {answer['action'][mode]} "
                      f"{answer['start']} {answer['rrule']} {answer['title']!r} "
                      f"target={answer['action']['target']} unused={answer['unused']}"
                      f" n={len(answer['items'])}\n      want {row[2:]}")
    print(f"  {'class':12} {'n':>4}  with a model: right left wrong   without: right left wrong")
    for name, counts in table.items():
        n = counts["n"]
        cells = [f"{counts[mode, v] / n:7.1%}" for mode in ("online", "offline")
                 for v in ("right", "left", "wrong")]
        print(f"  {name:12} {n:4}  " + " ".join(cells[:3]) + "   " + " ".join(cells[3:]))


if __name__ == "__main__":
    sys.exit(main())
