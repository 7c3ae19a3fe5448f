#!/usr/bin/env python3
"""The outside eye: texts by somebody who had not seen the rules, through the real program.

    Benchmarks/outside/measure.py [--binary FILE] [--set resumes|unknown|stays] [--way redact|dry-run]
                                  [--seed TEXT --count N] [--trap NAME] [--share full|name|none] [--wrong]
    … --judge [FILE]      what the lines {"id": …, "text": …} of standard input still tell

Without --seed the frozen ones of the tests. Exits with 1 if anything was seen that must not
be, or lost that must stay. --share is what the owner has declared of the person."""

import argparse
import collections
import concurrent.futures
import json
import os
import re
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
sys.path.insert(0, HERE)
import generate  # noqa: E402
import scan  # noqa: E402

REPOSITORY = os.path.dirname(os.path.dirname(HERE))
SETS = os.path.join(REPOSITORY, "Tests", "TestSupport", "Fixtures", "redaction", "outside")
JOB = "Fabrikam seeks an operations manager in Tartu. You plan shifts and keep figures.\n" * 3
MARK = re.compile(r"⟦(\w+)\|([^⟧]*)⟧")


def lines(name):
    with open(os.path.join(SETS, name), encoding="utf8") as file:
        return [line.rstrip("\n") for line in file if not line.startswith("#") and line.strip()]


def rows(options):
    if options.seed:
        plan = generate.plan(options.count, options.seed)
        made = [generate.make(n, options.seed, *row) for n, row in enumerate(plan)]
    else:
        made = [json.loads(line) for line in lines("resumes.jsonl")]
    return [row for row in made if not options.trap or row["trap"] == options.trap]


class Home:
    """An empty home for one person."""

    def __init__(self, binary):
        self.folder = tempfile.TemporaryDirectory()
        self.binary = binary
        self.variables = {"HOME": self.folder.name, "CHAT_HOME": self.folder.name + "/c", "LANG": "C.UTF-8",
                          "PATH": os.environ["PATH"], "TERM": "dumb"}

    def run(self, *words, stdin=""):
        return subprocess.run([self.binary, *words], input=stdin, capture_output=True, text=True,
                              env=self.variables, timeout=120, cwd=self.folder.name)

    def declare(self, profile, share):
        for kind, value in profile:
            if share == "none" or share == "name" and kind != "name":
                continue
            done = self.run("profile", "add", kind, value)
            if done.returncode:
                sys.exit(f"profile add {kind} {value!r}: {done.stderr}")

    def redacted(self, text, way):
        if way == "redact":
            done = self.run("redact", "-", stdin=text)
        else:
            for name, words in (("resume.txt", text), ("job.txt", JOB)):
                with open(os.path.join(self.folder.name, name), "w", encoding="utf8") as file:
                    file.write(words)
            done = self.run("letter", "new", "--resume", "resume.txt", "--job", "job.txt", "--dry-run", "--yes")
        if done.returncode:
            return f"(exit {done.returncode}: {done.stderr.strip()[:200]})"
        if way == "redact":
            return done.stdout
        # The strings of the body, as the receiver reads them.
        found = []

        def walk(value):
            if isinstance(value, str):
                found.append(value)
            for one in value.values() if isinstance(value, dict) else value if isinstance(value, list) else []:
                walk(one)
        start = done.stdout.find("{")
        walk(json.JSONDecoder().raw_decode(done.stdout[start:])[0])
        return "\n".join(found)


def resumes(options):
    def one(row):
        home = Home(options.binary)
        home.declare(row["profile"], options.share)
        text = home.redacted(row["text"], options.way)
        return row, text
    with concurrent.futures.ThreadPoolExecutor(2) as pool:
        return judge(list(pool.map(one, rows(options))), options)


def judge(pairs, options):
    """Counts and names what is wrong; whether anything is."""
    leaks, words, kept, failed = [], 0, 0, []
    for row, text in pairs:
        if text.startswith("(exit "):
            failed.append((row, text))
            continue
        # A referee is known by the structure of the résumé, which only letters read.
        for hit in scan.hits(row, text, with_referee=options.way == "dry-run"):
            leaks.append((row, hit))
        # A letter leaves out the references and may shorten; what stays is counted for `redact`.
        gone, count, all_ = scan.lost(row, text) if options.way == "redact" else ([], 0, 0)
        words, kept = words + count, kept + all_
        for phrase in gone:
            print(f"lost\t{row['id']}\t{row['country']}\t{row['layout']}\t{row['trap']}\t{phrase}")
    for row, hit in leaks:
        print(f"seen\t{row['id']}\t{row['country']}\t{row['layout']}\t{row['trap']}\t{hit}")
        if options.wrong:
            print("\t" + row["text"].replace("\n", "\n\t"))
    for row, text in failed:
        print(f"failed\t{row['id']}\t{row['layout']}\t{row['trap']}\t{text}")
    people = len({row["id"] for row, _ in leaks})
    share = 100 * words / kept if kept else 0
    print(f"{len(pairs)} résumés: {people} tell something ({len(leaks)} hits), {len(failed)} failed; "
          f"{words} of {kept} words lost that must stay ({share:.2f} %)")
    for name, key in (("trap", "trap"), ("layout", "layout"), ("country", "country")):
        counts = collections.Counter(str(row[key]) for row, _ in leaks)
        if counts:
            print(f"  by {name}: " + ", ".join(f"{k} {n}" for k, n in counts.most_common(12)))
    return not leaks and not failed and words <= 0.005 * kept


def unknown(options):
    """How much of people nobody declared is found, by kind."""
    home, found, all_, missed = Home(options.binary), collections.Counter(), collections.Counter(), []
    for line in lines("unknown.txt"):
        country, marked = line.split("\t", 1)
        marked = marked.replace("\\n", "\n")
        text = home.redacted(MARK.sub(r"\2", marked), "redact")
        for kind, value in MARK.findall(marked):
            all_[kind] += 1
            if left(kind, value, text):
                missed.append(f"missed\t{country}\t{kind}\t{value}\t{marked!r}")
            else:
                found[kind] += 1
    print("\n".join(missed))
    for kind in sorted(all_):
        print(f"{kind}: {found[kind]} of {all_[kind]}")
    return all(found[k] >= (0.99 if k in ("email", "phone", "url") else 0.95) * n for k, n in all_.items())


def left(kind, value, text):
    """An address may leave a word of it, nothing else may leave anything."""
    if kind == "address":
        numbers = re.findall(r"\w*\d[\w/-]*", value)
        return any(re.search(r"(?<!\w)" + re.escape(n) + r"(?!\w)", text) for n in numbers)
    return value in text or len(value) > 8 and (value[:6] in text or value[-6:] in text)


def stays(options):
    home, gone, words, all_ = Home(options.binary), [], 0, 0
    for line in lines("stays.txt"):
        text = home.redacted(line + "\n", "redact").rstrip("\n")
        all_ += len(line.split())
        if text != line:
            words += max(1, len(set(line.split()) - set(text.split())))
            gone.append(f"lost\t{line}\t{text}")
    print("\n".join(gone))
    print(f"{words} of {all_} words gone, in {len(gone)} of {len(lines('stays.txt'))} lines")
    return words <= 0.005 * all_


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build/debug/chat"))
    parser.add_argument("--set", choices=["resumes", "unknown", "stays"], default="resumes")
    parser.add_argument("--way", choices=["redact", "dry-run"], default="redact")
    parser.add_argument("--share", choices=["full", "name", "none"], default="full")
    parser.add_argument("--seed")
    parser.add_argument("--count", type=int, default=0)
    parser.add_argument("--trap")
    parser.add_argument("--wrong", action="store_true")
    parser.add_argument("--judge", nargs="?", const=True)
    options = parser.parse_args()
    if options.judge:
        if options.judge is not True:
            with open(options.judge, encoding="utf8") as file:
                texts = [json.loads(line) for line in file]
        else:
            texts = [json.loads(line) for line in sys.stdin]
        known = {row["id"]: row for row in rows(options)}
        judge([(known[t["id"]], t["text"]) for t in texts], options)
        return
    sys.exit(not {"resumes": resumes, "unknown": unknown, "stays": stays}[options.set](options))


if __name__ == "__main__":
    main()
