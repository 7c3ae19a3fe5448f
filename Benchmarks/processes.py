"""Starting programs and saying what they cost: a process, the provider on
loopback, a program at a terminal of its own.
"""

import contextlib
import fcntl
import json
import os
import re
import select
import signal
import struct
import subprocess
import sys
import termios
import time
from dataclasses import dataclass

HERE = os.path.dirname(os.path.abspath(__file__))
GUARD = 60  # Seconds; only against a hang.


class Failure(Exception):
    """Something could not be measured; the text says what."""


@dataclass
class Cost:
    wall: float  # seconds
    cpu: float  # seconds, user and system
    peak: float  # MiB
    status: int


def build(folder):
    """The small C programs; returns their paths by name."""
    made = {}
    for name, libraries in (("floor", ["-ledit", "-lsqlite3", "-lcurl"]), ("syncs", []),
                            ("meter", [])):
        made[name] = os.path.join(folder, name)
        source = os.path.join(HERE, name + ".c")
        subprocess.run(
            [os.environ.get("CC", "cc"), "-O2", "-o", made[name], source, *libraries], check=True)
    return made


class Meter:
    def __init__(self, program, folder, environment):
        self.program = program
        self.report = os.path.join(folder, "report")
        self.environment = environment

    def run(self, words, output=None, expected=0):
        """One whole process; its output goes to /dev/null or `output`."""
        with open(output or os.devnull, "wb") as target:
            process = self.start([self.program, self.report, *words], target, subprocess.PIPE)
            with ended(process):
                try:
                    errors = process.communicate(timeout=GUARD)[1]
                except subprocess.TimeoutExpired:
                    raise Failure(f"{words[0]} hangs") from None
        with open(self.report) as report:
            wall, cpu, peak, status = map(int, report.read().split())
        if status not in (expected if isinstance(expected, range) else (expected,)):
            text = errors.decode(errors="replace").strip()
            raise Failure(f"{' '.join(words[:4])} … ended with {status}: {text[:300]}")
        return Cost(wall / 1e9, cpu / 1e9, peak / 1024, status)

    def first_output(self, words, mark):
        """When `mark` was first in the output: CLOCK_MONOTONIC, nanoseconds."""
        process = self.start(words, subprocess.PIPE, subprocess.DEVNULL)
        seen, moment = b"", None
        with ended(process):
            while select.select([process.stdout], [], [], GUARD)[0]:
                piece = os.read(process.stdout.fileno(), 65536)
                arrived = time.monotonic_ns()
                if not piece:
                    break
                seen += piece
                if moment is None and mark in seen:
                    moment = arrived
            process.wait(GUARD)
        if moment is None:
            raise Failure(f"{words[0]} never showed the text")
        return moment

    def start(self, words, output, errors):
        return subprocess.Popen(
            words, stdin=subprocess.DEVNULL, stdout=output, stderr=errors, env=self.environment,
            start_new_session=True)


@contextlib.contextmanager
def ended(process):
    """However it goes, the process and its children are gone afterwards."""
    try:
        yield
    finally:
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
        if process.stdout:
            process.stdout.close()


def resident(pid):
    """Resident memory now, in MiB."""
    with open(f"/proc/{pid}/status") as status:
        for line in status:
            if line.startswith("VmRSS:"):
                return int(line.split()[1]) / 1024
    raise Failure("no VmRSS")


def switches(pid):
    """How often each thread of a process has waited and was woken."""
    counts = {}
    for thread in os.listdir(f"/proc/{pid}/task"):
        try:
            with open(f"/proc/{pid}/task/{thread}/status") as status:
                line = next(line for line in status if line.startswith("voluntary_ctxt"))
        except (FileNotFoundError, ProcessLookupError):
            continue  # It has ended since.
        counts[thread] = int(line.split()[1])
    return counts


class Provider:
    """The loopback server of server.py, in a process of its own."""

    def __init__(self):
        self.process = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "server.py")], stdin=subprocess.PIPE,
            stdout=subprocess.PIPE, bufsize=0, start_new_session=True)
        self.port = int(self.process.stdout.readline())

    def url(self, path):
        return f"http://127.0.0.1:{self.port}/{path}"

    def answered(self):
        """What the server tells of the next answer it has given."""
        if not select.select([self.process.stdout], [], [], GUARD)[0]:
            raise Failure("the provider was not asked")
        return json.loads(self.process.stdout.readline())

    def forget(self):
        """Drops what a measure that has failed left unread."""
        while select.select([self.process.stdout], [], [], 0)[0]:
            self.process.stdout.readline()

    def close(self):
        self.process.stdin.close()
        try:
            self.process.wait(5)
        except subprocess.TimeoutExpired:
            self.process.kill()
            self.process.wait()


class Terminal:
    """A program at a pseudo-terminal, until its prompt is on the screen."""

    CONTROL = re.compile(rb"\x1b\[[0-9;?>]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>]")

    def __init__(self, words, environment):
        self.master, slave = os.openpty()
        fcntl.ioctl(slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 100, 0, 0))
        name = os.ttyname(slave)
        self.shown = b""
        self.start = time.monotonic_ns()
        self.pid = os.posix_spawn(
            words[0], words, environment, setsid=True,
            file_actions=[
                (os.POSIX_SPAWN_CLOSE, self.master),
                # The first terminal a session leader opens becomes its own.
                (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2)])
        os.close(slave)

    def ready(self):
        """Seconds from the start to the prompt."""
        self.wait_for(rb"(^|[\r\n])> *$", "no prompt")
        return (time.monotonic_ns() - self.start) / 1e9

    def answer(self, line, mark):
        """Sends a line; returns when `mark` and then a prompt were shown."""
        self.shown = b""
        os.write(self.master, line.encode() + b"\r")
        self.wait_for(re.escape(mark), f"no {mark}")
        self.wait_for(rb"(^|[\r\n])> *$", "no prompt after the answer")

    def echo(self, key):
        """Seconds from a key to the first byte that it brings."""
        while select.select([self.master], [], [], 0)[0]:
            os.read(self.master, 65536)
        start = time.monotonic_ns()
        os.write(self.master, key)
        if not select.select([self.master], [], [], GUARD)[0]:
            raise Failure(f"the key {key!r} showed nothing")
        os.read(self.master, 65536)
        return (time.monotonic_ns() - start) / 1e9

    def wait_for(self, pattern, complaint):
        while not re.search(pattern, self.CONTROL.sub(b"", self.shown)):
            if not select.select([self.master], [], [], GUARD)[0]:
                raise Failure(f"{complaint}; on the screen: {self.shown[-300:]!r}")
            try:
                piece = os.read(self.master, 65536)
            except OSError:
                raise Failure(f"ended early: {self.shown[-300:]!r}") from None
            # The end is enough: a long answer is not searched again each time.
            self.shown = (self.shown + piece)[-4096:]

    def memory(self):
        return resident(self.pid)

    def close(self):
        """Leaves as a person does, with Ctrl-D; what the process has cost."""
        deadline = time.monotonic() + 5
        try:
            os.write(self.master, b"\x04")
            while time.monotonic() < deadline:
                if select.select([self.master], [], [], 0.1)[0]:
                    os.read(self.master, 65536)
        except OSError:
            pass  # The terminal is gone with its program.
        finally:
            os.close(self.master)
        if time.monotonic() >= deadline:
            os.kill(self.pid, signal.SIGKILL)
        _, status, usage = os.wait4(self.pid, 0)
        return Cost(
            (time.monotonic_ns() - self.start) / 1e9, usage.ru_utime + usage.ru_stime,
            usage.ru_maxrss / 1024, status)
