#!/usr/bin/env python3
"""The texts and résumés of `texts-N.jsonl` and `resumes-N.jsonl`, which name what must go and what
must stay, through the real program.

    Benchmarks/outside/blind.py BINARY 15|16|17 odd|even|all [--wrong]
    … --judge FILE      of lines {"set": "texts-17", "number": 1, "text": …}, already redacted

Prints how much of `hide` was left and of `keep` was taken: of texts by `chat redact` without a
profile, of résumés by `chat redact` and in what a letter would send. A name is left if a word of it
is, outside of what is to stay."""

import json
import os
import re
import subprocess
import sys
import tempfile

HERE = os.path.dirname(os.path.abspath(__file__))
SETS = os.path.join(HERE, "..", "..", "Tests", "TestSupport", "Fixtures", "redaction", "outside")
JOB = "Fabrikam seeks an operations manager in Tartu. You plan shifts and keep figures.\n" * 3
TITLES = ("der", "von", "van", "dr", "frau", "herr", "mrs", "del")
NAMES = {"birthdate": "birth-date", "birth": "birth-date", "id": "identifier"}


def rows(name, half):
    with open(os.path.join(SETS, name), encoding="utf8") as file:
        for number, line in enumerate(file, 1):
            if half == "all" or (number % 2 == 1) == (half == "odd"):
                yield number, json.loads(line)


def run(binary, folder, *words, stdin=""):
    variables = {"HOME": folder, "CHAT_HOME": folder + "/c", "LANG": "C.UTF-8", "TERM": "dumb",
                 "PATH": os.environ["PATH"]}
    return subprocess.run([binary, *words], input=stdin, capture_output=True, text=True,
                          env=variables, cwd=folder, timeout=120)


def closed(text):
    """Without bullets, bars and gaps, which a letter sets anew."""
    return " ".join(" ".join(re.sub(r"^[\s\-•*–|\d.)]+|[\s|]+$", "", line).split())
                    for line in text.splitlines())


def is_left(kind, value, text, keeps):
    text = " ".join(text.split())
    for keep in sorted((" ".join(keep.split()) for keep in keeps), key=len, reverse=True):
        text = text.replace(keep, " ~ ")

    def has(word):
        return re.search(r"(?<!\w)" + re.escape(word) + r"(?!\w)", text) is not None
    if value in text:
        return True
    if kind == "address":
        return any(has(word) for word in re.findall(r"[\w/-]*\d[\w/-]*", value.split(",")[0]))
    return kind == "name" and any(
        has(word) for word in re.findall(r"[\w'’-]{3,}", value)
        if word[0].isupper() and word.lower() not in TITLES)


def strings(value):
    if isinstance(value, str):
        return value + "\n"
    inner = value.values() if isinstance(value, dict) else value if isinstance(value, list) else []
    return "".join(map(strings, inner))


def sent(binary, folder, text):
    for name, words in (("resume.txt", text), ("job.txt", JOB)):
        with open(os.path.join(folder, name), "w", encoding="utf8") as file:
            file.write(words)
    done = run(binary, folder, "letter", "new", "--resume", "resume.txt", "--job", "job.txt", "--dry-run")
    if done.returncode:
        return None
    body = strings(json.JSONDecoder().raw_decode(done.stdout[done.stdout.find("{"):])[0])
    return body[body.find("<resume>\n"):body.find("</resume>\n")]


def judged(row, text):
    return ([item for item in row["hide"] if is_left(*item, text, row["keep"])],
            [keep for keep in row["keep"] if closed(keep) not in closed(text)])


def judge(lines):
    """The misses, and in the last line: left, of, taken, of."""
    counts, known = [0, 0, 0, 0], {}
    for item in map(json.loads, lines):
        name, number = item["set"], item["number"]
        row = known.setdefault(name, dict(rows(name + ".jsonl", "all")))[number]
        seen, gone = judged(row, item["text"])
        counts = [sum(pair) for pair in zip(counts, map(len, (seen, row["hide"], gone, row["keep"])))]
        if seen or gone:
            print(f"{name} {number}: left {seen}, taken {gone}")
    print(*counts)


def measure(binary, name, half, way, wrong):
    left = hidden = taken = kept = telling = count = refused = 0
    for number, row in rows(name, half):
        with tempfile.TemporaryDirectory() as folder:
            for kind, value in row.get("profile", []):
                run(binary, folder, "profile", "add", NAMES.get(kind, kind), value)
            text = (sent(binary, folder, row["text"]) if way == "letter"
                    else run(binary, folder, "redact", "-", stdin=row["text"]).stdout)
        if text is None:
            refused += 1
            if wrong:
                print(f"{name} {number}: refused")
            continue
        seen, gone = judged(row, text)
        count, telling = count + 1, telling + bool(seen)
        left, hidden = left + len(seen), hidden + len(row["hide"])
        taken, kept = taken + len(gone), kept + len(row["keep"])
        if wrong and (seen or gone):
            print(f"{name} {number}: left {seen}, taken {gone}")
    print(f"{name} {half}, {way}: {telling} of {count} tell something; {left} of {hidden} left, "
          f"{taken} of {kept} taken" + f"; {refused} refused" * (refused > 0))


if __name__ == "__main__":
    if sys.argv[1] == "--judge":
        with open(sys.argv[2], encoding="utf8") as texts:
            judge(texts)
        sys.exit()
    program, number, half = os.path.abspath(sys.argv[1]), sys.argv[2], sys.argv[3]
    for source, manner in (("texts", "redact"), ("resumes", "redact"), ("resumes", "letter")):
        measure(program, f"{source}-{number}.jsonl", half, manner, "--wrong" in sys.argv)
