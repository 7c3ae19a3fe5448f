#!/usr/bin/env python3
"""Counts what a letter tells of its writer: invented résumés through the real program,
and what is left of their people in what would leave and in what a server got.

    Benchmarks/redaction.py [--binary FILE] [--count N] [--seed TEXT] [--frozen] [--wrong]
                            [--twins N] [--ways redact,dry-run,sent] [--format pdf]

Without options 200 new ones; `--frozen` the hundred of the tests. Three ways each:
`chat redact`, `chat letter new --dry-run`, and `chat letter new --yes` to a server on
loopback that keeps what it gets. Exits with 1 if anything of a person left, or if what
must stay did not.
"""

import argparse
import collections
import concurrent.futures
import json
import os
import shutil
import subprocess
import sys
import tempfile
import threading
import time

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
sys.path.insert(0, os.path.join(HERE, "resumes"))

import documents  # noqa: E402
import leaks  # noqa: E402
import paper  # noqa: E402

FROZEN = os.path.join(REPOSITORY, "Tests", "TestSupport", "Fixtures", "redaction", "resumes.jsonl")
WAYS = ("redact", "dry-run", "sent")
SHAPES = ("email", "phone", "url")
# Ends what hangs; nothing here takes a second.
GUARD = 60


class Loopback:
    """Benchmarks/server.py; what was asked is kept by the name in its path."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "server.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, text=True)
        self.port = int(self.process.stdout.readline())
        self.bodies, self.lock = collections.defaultdict(list), threading.Lock()
        threading.Thread(target=self.read, daemon=True).start()

    def read(self):
        for line in self.process.stdout:
            answered = json.loads(line)
            with self.lock:
                self.bodies[answered["path"].split("/")[3]].append(answered["request"])

    def variables(self, name):
        """160 words: a short letter. The server takes the path apart."""
        return {"OPENAI_BASE_URL": f"http://127.0.0.1:{self.port}/160/whole/{name}",
                "OPENAI_API_KEY": "sk-test-0123456789abcdef"}

    def take(self, name):
        """The last line of the server may still be on its way."""
        end = time.monotonic() + 5
        while time.monotonic() < end:
            with self.lock:
                if self.bodies[name]:
                    return self.bodies.pop(name)
            time.sleep(0.001)
        return []

    def stop(self):
        self.process.stdin.close()
        self.process.wait()


class Home:
    """A person with the program: a home of their own and their profile."""

    def __init__(self, binary, server, folder, document, advert):
        self.binary, self.document = binary, document
        self.folder = os.path.join(folder, document["id"])
        os.makedirs(self.folder, mode=0o700)
        self.variables = {
            "PATH": os.environ["PATH"], "HOME": self.folder, "LANG": "C.UTF-8", "TZ": "UTC",
            "CHAT_HOME": os.path.join(self.folder, "chat"), "NO_COLOR": "1",
            "CHAT_MODEL": "openai/bench",
            "DBUS_SESSION_BUS_ADDRESS": "", **server.variables(document["id"])}
        self.resume = self.write(document.get("file") or f"resume.{document['format']}",
                                 document["text"])
        self.job = self.write("job.txt", advert["text"])
        self.tell_profile()

    def write(self, name, text):
        path = os.path.join(self.folder, name)
        with open(path, "wb") as file:
            file.write(paper.pdf(text.splitlines()) if name.endswith(".pdf") else text.encode())
        return path

    def tell_profile(self):
        """The basics of a JSON Resume, and one by one what those have no place for."""
        values = collections.defaultdict(list)
        for kind, value in self.document["profile"]:
            values[kind].append(value)
        if not values:
            return
        basics = {kind: values[kind][0] for kind in ("name", "email", "phone", "url") if values[kind]}
        if values["address"]:
            street, _, city = values["address"][0].rpartition(", ")
            basics["location"] = {"address": street, "city": city}
        path = self.write("basics.json", json.dumps({"basics": basics}))
        self.must("profile", "import", path)
        for kind in ("name", "url", "birthdate"):
            for value in values[kind][0 if kind == "birthdate" else 1:]:
                self.must("profile", "add", "birth-date" if kind == "birthdate" else kind, value)

    def run(self, *words, stdin=b""):
        return subprocess.run([self.binary, *words], env=self.variables, input=stdin,
                              capture_output=True, timeout=GUARD)

    def must(self, *words, stdin=b""):
        result = self.run(*words, stdin=stdin)
        if result.returncode != 0:
            raise RuntimeError(f"{self.document['id']}: chat {' '.join(words[:3])}: exit "
                               f"{result.returncode}: {' '.join(result.stderr.decode()[:300].split())}")
        return result.stdout.decode()

    def letter(self, *words):
        return self.run("letter", "new", "--resume", self.resume, "--job", self.job, *words)


class Counts:
    def __init__(self):
        self.lock = threading.Lock()
        self.documents, self.leaking, self.refused = (collections.Counter() for _ in range(3))
        self.kinds = collections.Counter()
        self.recall = collections.defaultdict(lambda: [0, 0])
        self.lost = collections.defaultdict(lambda: [0, 0])
        self.seconds, self.unrestored, self.wrong, self.faults = collections.Counter(), 0, [], []

    def add(self, way, document, advert, body):
        scan = leaks.scan_of(document, advert if way != "redact" else None)
        hits = scan.hits(body)
        mine = [hit for hit in hits if not hit[0].startswith("unknown") and self.counts(way, document, hit[0])]
        strange = {hit[2] for hit in hits if hit[0].startswith("unknown")}
        have = collections.Counter(documents.tokens(leaks.views(body).get("text", body)))
        with self.lock:
            self.documents[way] += 1
            self.leaking[way] += bool(mine)
            for kind, reading, text in mine:
                self.kinds[way, kind, reading] += 1
                self.wrong.append(f"{document['id']} {way}: {kind} {text!r} ({reading})")
            for kind, text in document["unknown"]:
                group = kind if kind in SHAPES else "other"
                shown = text.rsplit(", ", 1)[0] if kind == "address" else text
                self.recall[way, group][1] += 1
                self.recall[way, group][0] += shown not in strange
                if shown in strange:
                    self.wrong.append(f"{document['id']} {way}: unknown {kind} {text!r}")
            for word, kind in document["stay"]:
                self.lost[way, kind][1] += 1
                if have[word]:
                    have[word] -= 1
                    continue
                self.lost[way, kind][0] += 1
                self.wrong.append(f"{document['id']} {way}: lost {kind} {word!r}")
            if way != "redact" and advert["company"] not in leaks.views(body).get("text", body):
                self.faults.append(f"{document['id']} {way}: the company {advert['company']} is not in it")

    @staticmethod
    def counts(way, document, kind):
        """A text alone has no header: only what its owner declared can be demanded."""
        if way != "redact":
            return True
        return document["share"] == "full" and kind.startswith("own") and kind != "own id"


def one(binary, server, folder, counts, ways, document, advert):
    home = None
    try:
        home = Home(binary, server, folder, document, advert)
        for way in ways:
            start = time.monotonic()
            if way == "redact":
                if document["format"] == "pdf":
                    continue
                places = os.path.join(home.folder, "map.json")
                body = home.must("redact", home.resume, "--map", places)
                if home.must("redact", "--restore", places, stdin=body.encode()) != document["text"]:
                    counts.unrestored += 1
                    counts.wrong.append(f"{document['id']}: does not come back as it was")
                bodies = [body]
            else:
                result = home.letter("--dry-run") if way == "dry-run" else home.letter("--yes")
                if result.returncode == 3:
                    with counts.lock:
                        counts.refused[way] += 1
                        counts.wrong.append(f"{document['id']} {way}: refused: {' '.join(result.stderr.decode()[:300].split())}")
                    continue
                if result.returncode not in (0, 6):
                    raise RuntimeError(f"{document['id']} {way}: exit {result.returncode}: "
                                       f"{' '.join(result.stderr.decode()[:300].split())}")
                bodies = [result.stdout.decode()] if way == "dry-run" else server.take(document["id"])
                if not bodies:
                    raise RuntimeError(f"{document['id']} {way}: nothing was asked: {' '.join(result.stderr.decode()[:300].split())}")
                # What is asked again is another look at the same, not more words.
                bodies = ["\n".join(bodies)] if way == "redact" else bodies[:1] + [
                    body for body in bodies[1:] if leaks.scan_of(document, advert).hits(body)]
            counts.seconds[way] += time.monotonic() - start
            for body in bodies:
                counts.add(way, document, advert, body)
    except (RuntimeError, subprocess.TimeoutExpired) as error:
        with counts.lock:
            counts.faults.append(str(error))
    finally:
        if home:
            shutil.rmtree(home.folder, ignore_errors=True)


def twins(binary, server, folder, count, seed, pool, shows):
    """How many pairs send the same bytes."""
    def pair(number):
        made, advert = documents.twins(seed, number)
        found = []
        for document in made:
            # One after the other at the same place: nothing else differs.
            home = Home(binary, server, os.path.join(folder, f"twins-{number}"),
                        dict(document, id="home", country=document["id"]), advert)
            found.append(home.letter("--dry-run"))
            shutil.rmtree(home.folder, ignore_errors=True)
        return number, found

    same, differ = 0, []
    for number, (a, b) in pool.map(pair, range(count)):
        if a.returncode == b.returncode == 0 and a.stdout == b.stdout:
            same += 1
        else:
            at = next((i for i, (x, y) in enumerate(zip(a.stdout, b.stdout)) if x != y), 0)
            differ.append(f"twins {number}: exit {a.returncode}, {b.returncode}: "
                          f"{a.stdout[max(0, at - 30):at + 50]!r} or {b.stdout[max(0, at - 30):at + 50]!r}"
                          f" {a.stderr.decode()[:200]}")
    print(f"{'pairs that send the same bytes':32} {same} of {count}")
    if shows:
        print("\n".join("    " + line for line in differ))
    return same == count


def report(counts, ways):
    print(f"{'':24}" + "".join(f"{way:>14}" for way in ways))

    def row(name, cell):
        print(f"{name:24}" + "".join(f"{cell(way):>14}" for way in ways))

    row("documents", lambda way: counts.documents[way])
    row("with any leak", lambda way: counts.leaking[way])
    row("refused by the gate", lambda way: counts.refused[way])
    for group in (*SHAPES, "other"):
        row(f"unknown {group}", lambda way: "{} of {}".format(*counts.recall[way, group]))
    kinds = sorted({kind for _, kind in counts.lost})
    for kind in kinds:
        row(f"lost: {kind}", lambda way: "{} of {}".format(*counts.lost[way, kind]))
    row("lost, share of words", lambda way: "{:.2%}".format(
        sum(counts.lost[way, kind][0] for kind in kinds)
        / max(1, sum(counts.lost[way, kind][1] for kind in kinds))))
    row("ms for each", lambda way: f"{1000 * counts.seconds[way] / max(1, counts.documents[way]):.0f}")
    for (way, kind, reading), count in sorted(counts.kinds.items()):
        print(f"    leak: {way}: {kind} as {reading}: {count}")
    if counts.unrestored:
        print(f"    {counts.unrestored} did not come back byte for byte")
    for fault in counts.faults[:20]:
        print(f"    {fault}")


def good(counts, ways):
    lost = sum(gone for gone, _ in counts.lost.values())
    words = sum(count for _, count in counts.lost.values())
    exact = sum(counts.lost[way, kind][0] for way in ways for kind in ("year", "skill", "version"))
    recall = all(
        counts.recall[way, group][0] >= share * counts.recall[way, group][1]
        for way in ways for group, share in (*((shape, 0.99) for shape in SHAPES), ("other", 0.95)))
    return not (sum(counts.leaking.values()) or sum(counts.refused.values()) or counts.faults
                or counts.unrestored or exact or lost > 0.005 * words) and recall


def frozen():
    with open(FROZEN, encoding="utf-8") as file:
        for line in file:
            document = json.loads(line)
            document["stay"] = [
                [word, kind] for kind, words in document["stay"].items() for word in words.split()]
            yield document, document["advert"]


def generated(seed, count, form):
    for number in range(count):
        document = documents.resume(seed, number, form=form)
        yield document, documents.advert(seed, number, document["country"])


def main():
    parser = argparse.ArgumentParser(description="what letters tell of their writers")
    parser.add_argument("--binary", default=os.path.join(REPOSITORY, ".build", "release", "chat"))
    parser.add_argument("--count", type=int, default=200)
    parser.add_argument("--seed", default="1")
    parser.add_argument("--frozen", action="store_true", help="the hundred of the tests")
    parser.add_argument("--twins", type=int, default=0, metavar="N", help="pairs that must send the same")
    parser.add_argument("--ways", default=",".join(WAYS))
    parser.add_argument("--format", choices=documents.FORMATS, help="all of them in this one")
    parser.add_argument("--wrong", action="store_true", help="print each word and leak")
    options = parser.parse_args()
    if not os.access(options.binary, os.X_OK):
        sys.exit(f"redaction: {options.binary} is missing; name one with --binary")
    folder, server, counts = tempfile.mkdtemp(prefix="redaction-"), Loopback(), Counts()
    ways = options.ways.split(",")
    source = frozen() if options.frozen else generated(options.seed, options.count, options.format)
    fine = True
    try:
        with concurrent.futures.ThreadPoolExecutor(os.cpu_count()) as pool:
            jobs = [pool.submit(one, options.binary, server, folder, counts, ways, *pair)
                    for pair in source]
            for job in jobs:
                job.result()
            if jobs:
                report(counts, ways)
                fine = good(counts, ways)
                if options.wrong:
                    print("\n".join("    " + line for line in counts.wrong))
            if options.twins:
                fine = twins(options.binary, server, folder, options.twins, options.seed, pool,
                               options.wrong) and fine
    finally:
        server.stop()
        shutil.rmtree(folder, ignore_errors=True)
    sys.exit(0 if fine else 1)


if __name__ == "__main__":
    main()
