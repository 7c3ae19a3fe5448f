#!/usr/bin/env python3
"""Calendars: recurrence beside python-dateutil, lists beside todoman and khal.

    Benchmarks/calendars.py [--rules N] [--items N] [--seed N] [--binary FILE]

Needs Debian's python3-dateutil; todoman and khal where they are installed.
Everything happens in a temporary folder.
"""

import argparse
import datetime
import json
import os
import random
import shutil
import statistics
import subprocess
import sys
import tempfile
import time

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
DAYS = ["MO", "TU", "WE", "TH", "FR", "SA", "SU"]
WINDOW = (datetime.date(2026, 1, 1), datetime.date(2027, 1, 1))

EVENT = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//bench//EN\r
BEGIN:VEVENT\r
UID:{uid}\r
DTSTAMP:20260101T000000Z\r
DTSTART:{start}\r
DURATION:PT30M\r
SUMMARY:{uid}\r
{rule}END:VEVENT\r
END:VCALENDAR\r
"""

TODO = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//bench//EN\r
BEGIN:VTODO\r
UID:{uid}\r
DTSTAMP:20260101T000000Z\r
DUE:{due}\r
SUMMARY:task {uid}\r
STATUS:NEEDS-ACTION\r
PRIORITY:5\r
END:VTODO\r
END:VCALENDAR\r
"""


def environment(home, cache):
    return {
        "PATH": os.environ.get("PATH", "/usr/bin:/bin"), "HOME": cache, "LANG": "C.UTF-8",
        "LC_ALL": "C.UTF-8", "NO_COLOR": "1", "TZ": "UTC", "CHAT_HOME": home,
        "XDG_CACHE_HOME": cache, "XDG_CONFIG_HOME": cache, "XDG_DATA_HOME": cache,
    }


def some(generator, values, most):
    return sorted(generator.sample(values, generator.randint(1, most)))


def rule(generator):
    """A rule that RFC 5545 allows and python-dateutil gets right: the start is
    made to be its first time, and clocks are UTC."""
    frequency = generator.choice(["DAILY", "WEEKLY", "MONTHLY", "YEARLY"])
    parts = [f"FREQ={frequency}"]
    if generator.random() < 0.5:
        parts.append(f"INTERVAL={generator.randint(2, 5)}")
    if frequency == "WEEKLY" and generator.random() < 0.8:
        parts.append("BYDAY=" + ",".join(some(generator, DAYS, 4)))
        if generator.random() < 0.4:
            parts.append("WKST=" + generator.choice(["MO", "SU"]))
    if frequency == "MONTHLY":
        kind = generator.random()
        if kind < 0.4:
            parts.append("BYMONTHDAY=" + ",".join(
                str(day) for day in some(generator, [1, 2, 13, 15, 28, 29, 30, 31, -1, -2], 3)))
        elif kind < 0.7:
            ordinal = generator.choice([1, 2, 3, 4, 5, -1, -2])
            parts.append(f"BYDAY={ordinal}{generator.choice(DAYS)}")
        else:
            parts.append("BYDAY=" + ",".join(some(generator, DAYS, 5)))
            parts.append(f"BYSETPOS={generator.choice([1, 2, 3, -1, -2])}")
    if frequency == "YEARLY":
        kind = generator.random()
        months = ",".join(str(month) for month in some(generator, list(range(1, 13)), 4))
        if kind < 0.4:
            parts.append(f"BYMONTH={months}")
            parts.append(f"BYDAY={generator.choice([1, 2, 3, -1])}{generator.choice(DAYS)}")
        elif kind < 0.6:
            parts.append("BYYEARDAY=" + ",".join(
                str(day) for day in some(generator, [1, 60, 100, 200, 365, 366, -1], 3)))
        elif kind < 0.8:
            parts.append("BYWEEKNO=" + ",".join(
                str(week) for week in some(generator, [1, 20, 52, 53, -1], 2)))
            parts.append(f"BYDAY={generator.choice(DAYS)}")
        else:
            parts.append(f"BYMONTH={months}")
            parts.append(f"BYMONTHDAY={generator.choice([1, 15, 29, 31, -1])}")
    if frequency == "DAILY" and generator.random() < 0.4:
        parts.append("BYMONTH=" + ",".join(
            str(month) for month in some(generator, list(range(1, 13)), 3)))
    end = generator.random()
    if end < 0.3:
        parts.append(f"COUNT={generator.randint(1, 60)}")
    elif end < 0.5:
        until = datetime.date(2026, 1, 1) + datetime.timedelta(days=generator.randint(0, 500))
        parts.append(f"UNTIL={until:%Y%m%d}T120000Z")
    return ";".join(parts)


def recurrence(binary, folder, count, seed):
    from dateutil.rrule import rrulestr

    generator = random.Random(seed)
    home = os.path.join(folder, "rules")
    collection = os.path.join(home, "calendars", "rules")
    os.makedirs(collection)
    expected = {}
    window = [datetime.datetime.combine(day, datetime.time()) for day in WINDOW]
    while len(expected) < count:
        start = datetime.datetime(2024, 1, 1) + datetime.timedelta(
            days=generator.randint(0, 900), minutes=15 * generator.randint(0, 95))
        text = rule(generator)
        times = rrulestr(text.replace("Z", ""), dtstart=start)
        first = next(iter(times), None)
        if first is None:
            continue
        if first != start and "UNTIL" not in text:
            # A start that the rule does not give is a case of its own.
            start = first
            times = rrulestr(text, dtstart=start)
        elif first != start:
            continue
        uid = f"rule-{len(expected):05d}"
        found = times.between(window[0], window[1], inc=True)
        expected[uid] = (text, start, [t for t in found if t < window[1]])
        with open(os.path.join(collection, uid + ".ics"), "w", newline="") as file:
            file.write(EVENT.format(
                uid=uid, start=f"{start:%Y%m%dT%H%M%SZ}", rule=f"RRULE:{text}\r\n"))
    begin = time.monotonic()
    output = subprocess.run(
        [binary, "calendar", "list", "--from", str(WINDOW[0]), "--to", str(WINDOW[1]), "--json"],
        env=environment(home, folder), capture_output=True, check=True, stdin=subprocess.DEVNULL)
    seconds = time.monotonic() - begin
    got = {}
    for item in json.loads(output.stdout):
        got.setdefault(item["uid"], []).append(
            datetime.datetime.fromisoformat(item["start"]).replace(tzinfo=None))
    different = [
        (uid, *facts) for uid, facts in expected.items()
        if [t for t in got.get(uid, []) if window[0] <= t < window[1]] != facts[2]]
    occurrences = sum(len(facts[2]) for facts in expected.values())
    print(f"recurrence: {count:,} random rules (seed {seed}), {occurrences:,} times in a year: "
          f"{len(different)} different from python-dateutil, {seconds:.2f} s")
    for uid, text, start, times in different[:5]:
        print(f"  {text} from {start}: dateutil {len(times)}, ours {len(got.get(uid, []))}")
    return not different


def median_time(words, env, runs=5):
    times = []
    for number in range(runs + 1):
        begin = time.monotonic()
        done = subprocess.run(
            words, env=env, stdout=subprocess.DEVNULL, stderr=subprocess.PIPE,
            stdin=subprocess.DEVNULL)
        if done.returncode != 0:
            return None, done.stderr.decode(errors="replace").strip()[-200:]
        # The first run fills caches, also those of the others.
        if number > 0:
            times.append(time.monotonic() - begin)
    return statistics.median(times), ""


def row(name, seconds, floor, why=""):
    if seconds is None:
        print(f"  {name:34} not measured: {why}")
    else:
        print(f"  {name:34} {seconds * 1e3:8.0f} ms   {seconds / floor:6.2f} × cat")


def lists(binary, folder, count):
    home = os.path.join(folder, "lists")
    todos = os.path.join(home, "calendars", "reminders")
    events = os.path.join(home, "calendars", "calendar")
    os.makedirs(todos)
    os.makedirs(events)
    now = datetime.datetime.now(datetime.timezone.utc)
    for number in range(count):
        moment = now + datetime.timedelta(hours=number % 2000)
        with open(os.path.join(todos, f"todo-{number:06d}.ics"), "w", newline="") as file:
            file.write(TODO.format(uid=f"todo-{number:06d}", due=f"{moment:%Y%m%dT%H%M%SZ}"))
        with open(os.path.join(events, f"event-{number:06d}.ics"), "w", newline="") as file:
            file.write(EVENT.format(
                uid=f"event-{number:06d}", start=f"{moment:%Y%m%dT%H%M%SZ}",
                rule="" if number % 10 else "RRULE:FREQ=WEEKLY\r\n"))
    env = environment(home, folder)
    # The index does not trust files that were written a moment ago.
    time.sleep(2.5)

    todoman = os.path.join(folder, "todoman.py")
    with open(todoman, "w") as file:
        file.write(f"path = \"{home}/calendars/reminders\"\ndate_format = \"%Y-%m-%d\"\n"
                   f"time_format = \"%H:%M\"\ndefault_list = \"reminders\"\n"
                   f"cache_path = \"{folder}/todoman.sqlite\"\n")
    khal = os.path.join(folder, "khal.conf")
    with open(khal, "w") as file:
        file.write(f"[calendars]\n[[bench]]\npath = {events}\n[sqlite]\npath = {folder}/khal.db\n"
                   "[locale]\ntimeformat = %H:%M\ndateformat = %Y-%m-%d\n"
                   "longdateformat = %Y-%m-%d\ndatetimeformat = %Y-%m-%d %H:%M\n"
                   "longdatetimeformat = %Y-%m-%d %H:%M\n")

    def cat(path):
        return median_time(["sh", "-c", f"cat {path}/* > /dev/null"], env)[0]

    print(f"lists of {count:,} items, medians of five, warm:")
    floor = cat(todos)
    row("cat of the reminders", floor, floor)
    row("chat reminders list", *arguments(median_time([binary, "reminders", "list"], env), floor))
    row("chat reminders list today",
        *arguments(median_time([binary, "reminders", "list", "today"], env), floor))
    row("todo list", *arguments(
        installed("todoman", ["todoman", "--config", todoman, "list"], env), floor))
    floor = cat(events)
    day = f"{now:%Y-%m-%d}"
    week = f"{now + datetime.timedelta(days=7):%Y-%m-%d}"
    row("cat of the events", floor, floor)
    row("chat calendar list, a week", *arguments(
        median_time([binary, "calendar", "list", "--from", day, "--to", week], env), floor))
    row("khal list, a week", *arguments(
        installed("khal", ["khal", "--config", khal, "list", day, week], env), floor))


def arguments(measured, floor):
    return measured[0], floor, measured[1]


def installed(program, words, env):
    if shutil.which(program) is None:
        return None, f"{program} is not installed"
    return median_time(words, env, runs=3)


def main():
    parser = argparse.ArgumentParser(description="recurrence and lists beside others")
    parser.add_argument("--rules", type=int, default=2000)
    parser.add_argument("--items", type=int, default=10_000)
    parser.add_argument("--seed", type=int, default=random.randrange(1 << 31))
    parser.add_argument(
        "--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    chosen = parser.parse_args()
    folder = tempfile.mkdtemp(prefix="bench-calendars-")
    try:
        try:
            equal = recurrence(chosen.binary, folder, chosen.rules, chosen.seed)
        except ImportError:
            print("recurrence: not measured, python3-dateutil is not installed")
            equal = True
        lists(chosen.binary, folder, chosen.items)
    finally:
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if equal else 1)


if __name__ == "__main__":
    main()
