"""The disk itself: the order of synchronisation, a disk that is full for a
while, and many processes on one database.
"""

import os
import re
import shutil
import subprocess
import tempfile
import threading

from rig import Home, Program, demand

CALL = re.compile(r"^(\d+)\s+(?:<\.\.\. )?(\w+)(\(| resumed)(.*)")
WATCHED = "pwrite64,write,fsync,fdatasync,sendto,renameat2"


class Order:
    """Nothing is told (to the model, to the reader) before it is on the disk."""

    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder = binary, provider, folder

    def trace(self, number):
        home = Home(self.binary, self.provider, tempfile.mkdtemp(dir=self.folder))
        path = os.path.join(home.path, "trace")
        result = subprocess.run(
            ["strace", "-f", "-y", "-qq", "-s", "256", "-e", "signal=none", "-e",
             "trace=" + WATCHED, "-o", path, *home.words("-p", f"tool n{number:06}")],
            stdin=subprocess.DEVNULL, capture_output=True, env=home.variables, timeout=60)
        demand(result.returncode == 0, f"ended with {result.returncode}: {result.stderr!r}")
        calls, unfinished = [], {}
        with open(path) as file:
            for thread, call, kind, rest in (
                    match.groups() for match in map(CALL.match, file) if match):
                # A write counts from its beginning, a synchronisation from its end.
                if "sync" in call and "<unfinished" in rest:
                    unfinished[thread] = (call, rest)
                elif kind == "(":
                    calls.append((call, rest))
                elif "sync" in call:
                    calls.append(unfinished.pop(thread))
        return calls

    def run(self, rounds):
        if not shutil.which("strace"):
            return "strace is not installed"
        told = 0
        for number in range(rounds):
            log_is_dirty, item_is_synced, requests, items = True, False, 0, 0
            for call, rest in self.trace(number):
                if call == "pwrite64" and "chat.db-wal>" in rest:
                    log_is_dirty = True
                elif call in ("fsync", "fdatasync") and "chat.db-wal>" in rest:
                    log_is_dirty = False
                elif call == "fsync" and ".tmp>" in rest:
                    item_is_synced = True
                elif call == "write" and ".tmp>" in rest:
                    demand(not log_is_dirty, "the tool ran before its call was on the disk")
                    item_is_synced = False
                elif call == "renameat2":
                    items += 1
                    demand(item_is_synced, "a reminder was named before it was on the disk")
                elif call == "sendto" and "POST" in rest:
                    requests += 1
                    told += 1
                    demand(not log_is_dirty, f"request {requests} left before the disk had it")
            demand((requests, items) == (2, 1), f"{requests} requests, {items} items in the trace")
        return f"{told} requests, {rounds} reminders"


class FullDisk:
    """A disk that is full for a while, under the running program."""

    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder = binary, provider, folder

    def run(self, rounds):
        probe = subprocess.run(
            ["unshare", "-rm", "true"], stderr=subprocess.DEVNULL) if shutil.which(
                "unshare") else None
        if probe is None or probe.returncode:
            return "no user namespaces here"
        for number in range(rounds):
            self.one(number * 10)
        return f"{rounds} times full, and usable again without a restart"

    def one(self, number):
        home = Home(self.binary, self.provider, tempfile.mkdtemp(dir=self.folder))
        place = home.variables["CHAT_HOME"]
        os.mkdir(place, 0o700)
        script = 'mount -t tmpfs -o size=1m,mode=700 tmpfs "$CHAT_HOME" && exec "$@"'
        program = Program(
            [shutil.which("unshare"), "-rm", "/bin/sh", "-c", script, "sh", *home.words()],
            home.variables)
        program.ready()
        inside = f"/proc/{program.pid}/root{place}"

        def ask(verb, number, pattern):
            program.type(f"{verb} n{number:06}\r")
            demand(
                program.wait_for(pattern), f"{verb}: on the screen: {program.text[-300:]!r}")
            program.ready()

        ask("plain", number, f"END-n{number:06}".encode())
        with open(f"{inside}/filler", "wb", buffering=0) as file:
            try:
                while file.write(b"x" * 512):
                    pass
            except OSError:
                pass  # Full.
        ask("plain", number + 1, rb"(?i)! .*(full|space)")
        token = f"n{number + 1:06}"
        demand(token not in self.provider.asked, "sent without being kept")
        os.unlink(f"{inside}/filler")
        ask("tool", number + 2, f"END-n{number + 2:06}".encode())
        demand(os.listdir(f"{inside}/calendars/reminders"), "no reminder afterwards")
        program.type("\x04")
        demand(program.end(5) is not None and program.status == 0, "does not leave")
        program.close()


class Crowd:
    """Processes that answer at the same time, in one database."""

    def __init__(self, binary, provider, folder, random):
        self.provider = provider
        self.home = Home(binary, provider, tempfile.mkdtemp(dir=folder))
        self.failures = []

    def worker(self, first, count):
        for number in range(first, first + count):
            verb, token = ("tool", "plain")[number % 2], f"n{number:06}"
            result = self.home.run("-p", f"{verb} {token}")
            if result.returncode or f"END-{token}".encode() not in result.stdout:
                self.failures.append(f"{verb} {token}: {result.stderr.decode()!r}")

    def run(self, count):
        workers = [
            threading.Thread(target=self.worker, args=(index * count, count)) for index in range(6)]
        for worker in workers:
            worker.start()
        for worker in workers:
            worker.join()
        demand(not self.failures, f"{len(self.failures)} failed: {self.failures[:2]}")
        turns, files = self.home.turns(), self.home.reminders()
        demand(len(turns) == 6 * count, f"{len(turns)} turns of {6 * count}")
        for number in range(6 * count):
            token = f"n{number:06}"
            mine = [turn for turn in turns if token in turn[1]["user"]]
            demand(
                len(mine) == 1 and mine[0][0] == "done" and f"END-{token}" in mine[0][1]["assistant"],
                f"{token} is kept as {mine}")
            wanted = 0 if number % 2 else 1
            demand(files.get(f"soak {token}", 0) == wanted, f"reminders of {token}: {files}")
        return f"6 processes, {len(turns)} turns, {len(files)} reminders"
