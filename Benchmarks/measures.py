"""The measures: each runs the program and its floor by turns and keeps the
medians, so that a busy machine slows both.
"""

import os
import re
import shutil
import statistics
import subprocess
import time
from dataclasses import dataclass, field

import fill
from processes import Failure, Terminal, ended, resident, switches

# Calls that wait for the disk in one answer, where strace is not there to
# count them: the log begun (itself and its folder), the user's row, the turn
# that ends, and the log folded into the file (both).
DOCUMENTED_SYNCS = 6


@dataclass
class Result:
    """One row. `bounds` says what the budget holds for: the ratio, `ours`
    alone, or the difference to the floor."""

    what: str
    ours: float
    unit: str
    budget: float = None
    floor: float = None
    bounds: str = "ratio"  # or "ours", or "difference"
    before: str = ""  # what it was before it was last worked on, and why it may not grow

    @property
    def ratio(self):
        return self.ours / self.floor if self.floor else None

    @property
    def verdict(self):
        if self.budget is None:
            return ""
        measured = {
            "ratio": self.ratio, "ours": self.ours,
            "difference": self.ours - (self.floor or 0)}[self.bounds]
        if measured <= self.budget:
            return "ok"
        # A limit in milliseconds says nothing of a machine on which the floor
        # alone needs most of it.
        is_busy = self.bounds == "ours" and self.floor and self.floor > self.budget / 2
        return "busy" if is_busy else "over"

    @property
    def limit(self):
        if self.budget is None:
            return "–"
        return {
            "ratio": f"≤ {self.budget:g}×", "ours": f"≤ {self.budget:g} {self.unit}",
            "difference": f"≤ floor + {self.budget:g} {self.unit}"}[self.bounds]

    def facts(self):
        return {
            "what": self.what, "ours": self.ours, "floor": self.floor, "unit": self.unit,
            "ratio": self.ratio, "before": self.before, "budget": self.budget,
            "bounds": self.bounds, "verdict": self.verdict}


@dataclass
class Bench:
    """What every measure works with."""

    binary: str
    programs: dict
    folder: str
    variables: dict
    meter: object
    provider: object
    is_quick: bool
    big: dict = field(default_factory=dict)

    def times(self, usual):
        return max(3, usual // 4) if self.is_quick else usual

    @property
    def home(self):
        return self.variables["CHAT_HOME"]

    def path(self, name):
        return os.path.join(self.folder, name)

    def at(self, home):
        """Works in another folder from here on."""
        self.variables["CHAT_HOME"] = home

    def ask(self, form, path):
        """The words for one answer, and curl's for the same stream."""
        self.provider.forget()
        self.variables["OPENAI_BASE_URL"] = self.provider.url(f"{path}/v1")
        self.variables["ANTHROPIC_BASE_URL"] = self.provider.url(path)
        provider, last = {
            "responses": ("openai", "v1/responses"), "messages": ("claude", "v1/messages"),
            "chat": ("local", "v1/chat/completions")}[form]
        ours = [
            self.binary, "--provider", provider, "-m", "bench", "-p",
            "Tell me at length why the sky is blue"]
        body = self.path(f"body-{form}.json")
        curl = [
            shutil.which("curl") or "curl", "-N", "-s", "-H", "Content-Type: application/json",
            "--data-binary", "@" + body, self.provider.url(f"{path}/{last}")]
        if not os.path.exists(body):
            # The same request for both: the first answer says what it was.
            self.meter.run(ours)
            request = self.provider.answered()["request"]
            with open(body, "w") as file:
                file.write(request)
        return ours, curl


def percentile(values, share):
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(len(ordered) * share))]


def start(bench):
    database = bench.path("floor.db")
    floor = [bench.programs["floor"], database]
    ours, base = [], []
    for _ in range(bench.times(40)):
        ours.append(bench.meter.run([bench.binary, "--version"]).cpu)
        base.append(bench.meter.run(floor).cpu)
    return [Result(
        "chat --version, CPU", statistics.median(ours) * 1e3, "ms", 0.7,
        statistics.median(base) * 1e3, before="1.3×")]


def count_syncs(bench, words):
    strace = shutil.which("strace")
    if not strace:
        return DOCUMENTED_SYNCS
    trace = bench.path("trace")
    bench.meter.run(
        [strace, "-f", "-qq", "-e", "trace=fsync,fdatasync", "-e", "signal=none", "-o", trace,
         *words])
    bench.provider.answered()
    with open(trace) as file:
        return len(re.findall(r"\b(?:fsync|fdatasync)\(", file.read()))


def saved_answer(bench):
    ours, curl = bench.ask("responses", "100")
    syncs = count_syncs(bench, ours)
    walls, floors, output = [], [], bench.path("syncs-out")
    bench.meter.run(ours), bench.provider.answered()
    for _ in range(bench.times(30)):
        walls.append(bench.meter.run(ours).wall)
        bench.provider.answered()
        floor = bench.meter.run(curl).wall
        bench.provider.answered()
        bench.meter.run([bench.programs["syncs"], bench.path("synced"), str(syncs)], output)
        with open(output) as file:
            floors.append(floor + int(file.read()) / 1e9)
    return [Result(
        f"answer of 100 deltas, {syncs} syncs, wall", statistics.median(walls) * 1e3, "ms", 3,
        statistics.median(floors) * 1e3)]


def long_answers(bench):
    results, peaks = [], []
    count = 20_000
    for form in ("responses", "chat", "messages"):
        ours, curl = bench.ask(form, str(count))
        ours_cpu, curl_cpu = [], []
        for _ in range(bench.times(10)):
            cost = bench.meter.run(ours)
            bench.provider.answered()
            ours_cpu.append(cost.cpu)
            peaks.append(cost.peak)
            curl_cpu.append(bench.meter.run(curl).cpu)
            bench.provider.answered()
        results.append(Result(
            f"{count:,} deltas, {form}, CPU", statistics.median(ours_cpu) * 1e3, "ms", 6,
            statistics.median(curl_cpu) * 1e3))
    results.append(Result(
        f"peak memory after {count:,} deltas", max(peaks), "MiB", 64, bounds="ours"))
    return results


def paced_deltas(bench):
    results = []
    for path, times, what in (
        ("20000/whole", 10, "20,000 deltas at once, CPU"),
        ("2000/slow", 4, "2,000 deltas one by one, CPU"),
    ):
        ours, curl = bench.ask("responses", path)
        ours_cpu, curl_cpu = [], []
        for _ in range(bench.times(times)):
            ours_cpu.append(bench.meter.run(ours).cpu)
            bench.provider.answered()
            curl_cpu.append(bench.meter.run(curl).cpu)
            bench.provider.answered()
        results.append(Result(
            what, statistics.median(ours_cpu) * 1e3, "ms", 6, statistics.median(curl_cpu) * 1e3))
    return results


def prompt_answer(bench):
    return deltas_at_the_prompt(bench, "") + deltas_at_the_prompt(bench, "markdown")


def deltas_at_the_prompt(bench, kind):
    count = 20_000
    _, curl = bench.ask("responses", f"{count}/{kind}" if kind else str(count))
    ours, base, sizes = [], [], []
    for _ in range(bench.times(8)):
        terminal = Terminal(
            [bench.binary, "-n", "--provider", "openai", "-m", "bench"], bench.variables)
        try:
            terminal.ready()
            terminal.answer("Tell me at length why the sky is blue", f"{count:,} out".encode())
            sizes.append(terminal.memory())
        finally:
            ours.append(terminal.close().cpu)
        bench.provider.answered()
        base.append(bench.meter.run(curl).cpu)
        bench.provider.answered()
    what = f"{count:,} deltas" + (" of Markdown" if kind else "")
    return [
        Result(
            f"{what} at the prompt, CPU", statistics.median(ours) * 1e3, "ms", 6,
            statistics.median(base) * 1e3),
        Result(
            f"memory at the prompt after {'them' if kind else what}", max(sizes), "MiB", 64,
            bounds="ours")]


def first_text(bench):
    results = []
    for form in ("responses", "chat", "messages"):
        ours, curl = bench.ask(form, "3/pause")
        delays = {"ours": [], "curl": []}
        for _ in range(bench.times(20)):
            for name, words in (("ours", ours), ("curl", curl)):
                shown = bench.meter.first_output(words, b"Hello")
                delays[name].append((shown - bench.provider.answered()["sent"]) / 1e6)
        results.append(Result(
            f"first text, {form}, after it was sent", statistics.median(delays["ours"]), "ms", 5,
            statistics.median(delays["curl"]), bounds="difference"))
    return results


def prompt_memory(bench):
    sizes = []
    for _ in range(bench.times(4)):
        terminal = Terminal([bench.binary], bench.variables)
        try:
            terminal.ready()
            sizes.append(terminal.memory())
        finally:
            terminal.close()
    return [Result("memory at the prompt", statistics.median(sizes), "MiB", 20, bounds="ours",
        before="28.0 MiB")]


def idle(bench):
    """Wake-ups of a chat that has answered and of `alerts run`, with a routine that is not due."""
    step, seconds = 0.25, 15 if bench.is_quick else 60
    bench.ask("responses", "20")
    subprocess.run(
        [bench.binary, "routine", "add", "every day at 3", "sum up my day", "--name", "Idle",
         "--model", "openai/bench"],
        env=bench.variables, stdout=subprocess.DEVNULL, check=True)
    terminal = Terminal(
        [bench.binary, "-n", "--provider", "openai", "-m", "bench"], bench.variables)
    daemon = bench.meter.start(
        [bench.binary, "alerts", "run"], subprocess.DEVNULL, subprocess.DEVNULL)
    with ended(daemon):
        try:
            terminal.ready()
            terminal.answer("Tell me at length why the sky is blue", b"20 out")
            # Threads that have worked end after five seconds.
            time.sleep(8)
            pids = {"chat": terminal.pid, "alerts run": daemon.pid}
            before = {name: switches(pid) for name, pid in pids.items()}
            woken = dict.fromkeys(pids, 0)
            for _ in range(int(seconds / step)):
                time.sleep(step)
                for name, pid in pids.items():
                    now = switches(pid)
                    woken[name] += now != before[name]
                    before[name] = now
            memory = resident(daemon.pid)
        finally:
            terminal.close()
    bench.provider.answered()
    return [
        Result(f"idle {name}, wake-ups", count * 60 / seconds, "/min",
               2 if name == "alerts run" else 6, bounds="ours")
        for name, count in woken.items()
    ] + [Result("idle alerts run, memory", memory, "MiB", 30, bounds="ours")]


def binary_size(bench):
    size = os.path.getsize(bench.binary) / (1 << 20)
    return [Result("binary, stripped", size, "MiB", 17, bounds="ours",
        before="24.1 MiB")]


def big_database(bench, last=None):
    """A folder whose database holds a million messages; filled once."""
    if last not in bench.big:
        home = bench.path(f"big-{last or 0}")
        before = bench.home
        bench.at(home)
        # The program makes the file itself; only the rows are ours.
        bench.meter.run([bench.binary, "conversations", "list"])
        bench.at(before)
        conversations = 100 if bench.is_quick else 1000
        identifiers = fill.database(
            os.path.join(home, "chat.db"), conversations, 1000, last)
        # The rows were written past the program; this has it index them, so
        # that no measure meets the work that an upgrade leaves once.
        bench.at(home)
        bench.meter.run([bench.binary, "conversations", "search", "nothing"])
        bench.at(before)
        bench.big[last] = (home, identifiers)
    return bench.big[last]


def prompts(bench, what, words, home, database_sql):
    """The time to the prompt, and the floor's at the same database."""
    ours, base = [], []
    before = bench.home
    bench.at(home)
    floor = [
        bench.programs["floor"], "--prompt", os.path.join(home, "chat.db"), database_sql]
    try:
        for _ in range(bench.times(20)):
            for command, kept in (([bench.binary, *words], ours), (floor, base)):
                terminal = Terminal(command, bench.variables)
                try:
                    kept.append(terminal.ready() * 1e3)
                finally:
                    terminal.close()
    finally:
        bench.at(before)
    return ours, base


LATEST = """SELECT p.body FROM turns t JOIN messages m ON m.turn = t.id
JOIN parts p ON p.message = m.id WHERE t.conversation =
(SELECT seq FROM conversations ORDER BY last_turn DESC LIMIT 1)
ORDER BY t.id DESC, m.seq DESC LIMIT 6"""


def prompt_ready(bench):
    results = []
    for last, name in ((None, "1,000,000 messages"), (100_000, "100,000 in the latest")):
        home, _ = big_database(bench, last)
        ours, base = prompts(bench, name, [], home, LATEST)
        if bench.is_quick:
            name = name.replace("1,000,000", "100,000")
        results.append(Result(
            f"prompt ready, {name}", statistics.median(ours), "ms", 60, statistics.median(base),
            bounds="ours"))
    return results


def typing_echo(bench):
    home, identifiers = big_database(bench, 100_000)
    before = bench.home
    bench.at(home)
    floor = [bench.programs["floor"], "--prompt", os.path.join(home, "chat.db"), LATEST]
    ours, base = [], []
    try:
        for command, kept in (([bench.binary, "-r", identifiers[-1]], ours), (floor, base)):
            terminal = Terminal(command, bench.variables)
            try:
                terminal.ready()
                # Words over several rows, then in front of all of them.
                for number in range(bench.times(800)):
                    kept.append(terminal.echo(b" " if number % 6 == 5 else b"a") * 1e3)
                terminal.echo(b"\x01")
                for _ in range(bench.times(200)):
                    kept.append(terminal.echo(b"x") * 1e3)
                # Ctrl-D leaves an empty line only.
                os.write(terminal.master, b"\x05\x15")
            finally:
                terminal.close()
    finally:
        bench.at(before)
    return [
        Result("typing echo, p50", percentile(ours, 0.5), "ms", None, percentile(base, 0.5)),
        Result(
            "typing echo, p99", percentile(ours, 0.99), "ms", 5, percentile(base, 0.99),
            bounds="ours")]


LIST = "SELECT * FROM conversations ORDER BY last_turn DESC LIMIT 50"
# The word of every message, a beginning of it, several words, one that is in
# few messages.
SEARCHES = ("sentence", "sente", "usual sentence number", "999")
FIND = """SELECT rowid, text FROM search WHERE search MATCH 'sentence'
ORDER BY rowid DESC LIMIT 20"""
SHOW = """SELECT m.role, p.body FROM turns t JOIN messages m ON m.turn = t.id
JOIN parts p ON p.message = m.id WHERE t.conversation =
(SELECT seq FROM conversations ORDER BY last_turn DESC LIMIT 1)
ORDER BY t.id, m.seq, p.seq"""


def stored(bench):
    home, identifiers = big_database(bench)
    results = []
    before = bench.home
    bench.at(home)
    database = os.path.join(home, "chat.db")
    try:
        for what, words, sql in (
            ("conversations list", ["conversations", "list"], LIST),
            ("conversations show, 1,000 messages", ["conversations", "show"], SHOW),
        ):
            ours, base = [], []
            for _ in range(bench.times(40)):
                ours.append(bench.meter.run([bench.binary, *words]).wall * 1e3)
                base.append(
                    bench.meter.run([bench.programs["floor"], database, sql]).wall * 1e3)
            results.append(Result(
                f"{what}, p95", percentile(ours, 0.95), "ms", 50, percentile(base, 0.95),
                bounds="ours"))
        ours, base = [], []
        for _ in range(bench.times(20)):
            for word in SEARCHES:
                words = ["conversations", "search", *word.split()]
                ours.append(bench.meter.run([bench.binary, *words]).wall * 1e3)
                base.append(
                    bench.meter.run([bench.programs["floor"], database, FIND]).wall * 1e3)
        results.append(Result(
            "conversations search, p95", percentile(ours, 0.95), "ms", 50,
            percentile(base, 0.95), bounds="ours"))
    finally:
        bench.at(before)
    middle = identifiers[len(identifiers) // 2]
    ours, base = prompts(bench, "resume", ["-r", middle], home, LATEST)
    results.append(Result(
        "resume by id, p95", percentile(ours, 0.95), "ms", 50, percentile(base, 0.95),
        bounds="ours"))
    return results


ITEMS = """SELECT i.id, i.kind, i.title, b.text FROM items i
JOIN revisions r ON r.item = i.id AND r.number = i.revision JOIN bodies b ON b.id = r.body
WHERE i.trashed IS NULL ORDER BY i.updated DESC, i.id DESC LIMIT 50"""
FIND_ITEMS = """SELECT rowid, text FROM bodies_search WHERE bodies_search MATCH 'sentence'
ORDER BY rowid DESC LIMIT 20"""
# What is in every item, and what is in one of a thousand.
LIBRARY = (
    ("library list", ITEMS, (
        ["list"], ["list", "--kind", "letter"], ["list", "--tag", "rare"],
        ["list", "--kind", "idea", "--tag", "garden"])),
    ("library search", FIND_ITEMS, (
        ["search", "sentence"], ["search", "sente"], ["search", "usual", "size", "number"],
        ["search", "thousandth"], ["search", "--kind", "letter", "sentence"],
        ["search", "zeppelin"])),
    ("an item by a part of its title", ITEMS, (["show", "{far} about the thousandth"],)),
)


def library(bench):
    count = 10_000 if bench.is_quick else 100_000
    home, before = bench.path("library"), bench.home
    bench.at(home)
    results = []
    output = bench.path("library-out")
    try:
        # The program makes the file itself; only the rows are ours.
        bench.meter.run([bench.binary, "library", "list"])
        database = os.path.join(home, "chat.db")
        fill.library(database, count)
        for what, sql, commands in LIBRARY:
            ours, base = [], []
            for _ in range(bench.times(20)):
                for command in commands:
                    words = [word.format(far=count * 7 // 10) for word in command]
                    ours.append(
                        bench.meter.run([bench.binary, "library", *words], output).wall * 1e3)
                    with open(output) as file:
                        # Every title, and with `show` every text.
                        shown = re.search("bridge|A sentence of", file.read()) is not None
                        if shown != (words[-1] != "zeppelin"):
                            raise Failure(f"library {' '.join(words)} shows the wrong items")
                    base.append(
                        bench.meter.run([bench.programs["floor"], database, sql]).wall * 1e3)
            # Titles are compared without case and accents, all of them.
            budget = 50 if what.startswith("library") else None
            results.append(Result(
                f"{what}, {count:,} items, p95", percentile(ours, 0.95), "ms", budget,
                percentile(base, 0.95), bounds="ours"))
    finally:
        bench.at(before)
    return results


def reminders(bench):
    counts = [1_000] if bench.is_quick else [1_000, 10_000]
    return [result for count in counts for result in listed(bench, count)]


def listed(bench, count):
    home, before = bench.path(f"reminders-{count}"), bench.home
    bench.at(home)
    # The folder the program would use is the one it says it uses.
    paths = fill.reminders(os.path.join(home, "calendars", "reminders"), count)
    # The index does not trust files that were written a moment ago.
    time.sleep(2.5)
    ours, base, today = [], [], []
    output = bench.path("reminders-out")
    try:
        for _ in range(bench.times(8)):
            ours.append(
                bench.meter.run([bench.binary, "reminders", "list"], output).wall * 1e3)
            base.append(bench.meter.run(["/bin/cat", *paths]).wall * 1e3)
            today.append(bench.meter.run([bench.binary, "today", "--line"]).wall * 1e3)
    finally:
        bench.at(before)
    with open(output) as file:
        if sum("th person" in line for line in file) < count:
            raise Failure("the list does not show every reminder")
    return [
        Result(
            f"list of {count:,} reminders, wall", statistics.median(ours), "ms", 2,
            statistics.median(base), before="7.3×" if count == 1_000 else ""),
        Result(
            f"today --line, {count:,} reminders, wall", statistics.median(today), "ms", 25,
            statistics.median(base), bounds="ours")]


# A million bytes of each: what a text without an end of word, of line or of name costs.
TEXTS = {
    "prose": "The river runs past the old mill, where people met on Sunday mornings. ",
    "digits": "0123456789", "letters": "abcdefghij", "a@": "a@",
    "names": "Anna Berg Peter Schmidt Rosa Jenkins Will Baker Grace Rose Maria Lopez ",
}


def redaction(bench):
    home, before = bench.path("redaction"), bench.home
    bench.at(home)
    results = []
    try:
        bench.meter.run([bench.binary, "profile", "set", "name", "Rosa Jenkins"])
        bench.meter.run([bench.binary, "profile", "set", "email", "rosa.jenkins@example.org"])
        peaks = []
        for what, unit in TEXTS.items():
            path = bench.path("redacted.txt")
            with open(path, "w") as file:
                file.write((unit * (1_000_000 // len(unit) + 1))[:1_000_000])
            costs = [
                bench.meter.run([bench.binary, "redact", path]) for _ in range(bench.times(5))]
            peaks += [cost.peak for cost in costs]
            results.append(Result(
                f"redacting 1 MB of {what}, CPU",
                statistics.median(cost.cpu for cost in costs) * 1e3, "ms", 500, bounds="ours"))
        results.append(Result(
            "peak memory after redacting 1 MB", max(peaks), "MiB", 32, bounds="ours"))
    finally:
        bench.at(before)
    return results


MEASURES = [
    ("start", start), ("saved answer", saved_answer), ("long answers", long_answers),
    ("paced deltas", paced_deltas), ("answer at the prompt", prompt_answer),
    ("first text", first_text), ("binary size", binary_size), ("prompt memory", prompt_memory),
    ("idle", idle),
    ("prompt ready", prompt_ready), ("typing echo", typing_echo),
    ("stored conversations", stored), ("library", library), ("reminders", reminders),
    ("redaction", redaction),
]
