"""A home folder with what is checked in it, and the program at a terminal."""

import atexit
import contextlib
import fcntl
import functools
import json
import os
import re
import select
import shutil
import signal
import sqlite3
import struct
import subprocess
import tempfile
import termios
import time

GUARD = 20  # Seconds; only against a hang.
CONTROL = re.compile(rb"\x1b\[[0-9;?>]*[ -/]*[@-~]|\x1b[()][A-Z0-9]|\x1b[=>]")
PROMPT = re.compile(rb"(^|[\r\n])> *$")


class Violation(Exception):
    """Something that must never be; the text says what."""


def demand(claim, text):
    if not claim:
        raise Violation(text)


@functools.cache
def stand_ins():
    """A folder before the others of PATH: no crontab, services or keys of the user's."""
    folder = tempfile.mkdtemp(prefix="soak-bin-")
    atexit.register(shutil.rmtree, folder, ignore_errors=True)
    for name in ("crontab", "systemctl", "secret-tool"):
        path = os.path.join(folder, name)
        with open(path, "w") as file:
            file.write("#!/bin/sh\nexit 1\n")
        os.chmod(path, 0o700)
    return folder


class Home:
    """CHAT_HOME of one story, and every question about what is kept there."""

    def __init__(self, binary, provider, folder, provider_name="claude"):
        self.binary, self.path, self.form = binary, folder, provider_name
        self.provider = provider
        self.variables = {
            "PATH": stand_ins() + ":" + os.environ.get("PATH", "/usr/bin:/bin"), "HOME": folder, "LANG": "C.UTF-8",
            "TERM": "xterm", "NO_COLOR": "1", "TZ": "UTC",
            "CHAT_HOME": os.path.join(folder, "chat"), **provider.variables()}

    def offer_deletion(self):
        """Gives the model a reminder to ask about: the one it wants to delete.

        In a list of its own, so that it is none of those that are counted."""
        folder = self.file("calendars", "kept")
        os.makedirs(folder, mode=0o700)
        with open(os.path.join(folder, "kept.ics"), "w", newline="") as file:
            file.write(
                "BEGIN:VCALENDAR\r\nVERSION:2.0\r\nBEGIN:VTODO\r\nUID:kept\r\n"
                "SUMMARY:to be kept\r\nEND:VTODO\r\nEND:VCALENDAR\r\n")
        return self

    def words(self, *words):
        return [self.binary, "--provider", self.form, "-m", "soak", *words]

    def file(self, *names):
        return os.path.join(self.variables["CHAT_HOME"], *names)

    def run(self, *words, **extra):
        """One whole process without a terminal."""
        return subprocess.run(
            self.words(*words) if words[0].startswith("-") else [self.binary, *words],
            stdin=subprocess.DEVNULL, capture_output=True, timeout=GUARD,
            env=dict(self.variables, **extra))

    def database(self):
        """A copy that SQLite recovers, so that the program still has to.

        - Returns: a connection whose file was checked, or None.
        """
        if not os.path.exists(self.file("chat.db")):
            return None
        copy = tempfile.mkdtemp(dir=self.path)
        try:
            for suffix in ("", "-wal"):
                if os.path.exists(self.file("chat.db" + suffix)):
                    shutil.copy(self.file("chat.db" + suffix), os.path.join(copy, "c.db" + suffix))
            connection = sqlite3.connect(os.path.join(copy, "c.db"))
            checked = connection.execute("PRAGMA integrity_check").fetchall()
            demand(checked == [("ok",)], f"integrity_check: {checked[:3]}")
            strays = connection.execute("PRAGMA foreign_key_check").fetchall()
            demand(not strays, f"foreign_key_check: {strays[:3]}")
            return connection
        finally:
            # Open files stay readable until the connection is closed.
            shutil.rmtree(copy)

    def turns(self):
        """All turns, oldest first: status, and the texts of each role."""
        connection = self.database()
        if connection is None or not connection.execute(
                "SELECT 1 FROM sqlite_schema WHERE name = 'chunks'").fetchone():
            return []
        found = []
        for turn, status in connection.execute("SELECT id, status FROM turns ORDER BY id"):
            texts = {"user": "", "assistant": "", "tool": ""}
            for role, kind, body in connection.execute(
                    "SELECT role, kind, body FROM messages m JOIN parts p ON p.message = m.id "
                    "WHERE turn = ? ORDER BY m.seq, p.seq", (turn,)):
                texts[role] += json.loads(body).get("text", "") if kind != "tool_call" else body
            for (text,) in connection.execute(
                    "SELECT text FROM chunks WHERE turn = ? ORDER BY seq", (turn,)):
                texts["assistant"] += text
            found.append((status, texts))
        connection.close()
        return found

    def reminders(self):
        """How many files each title has; every file is whole."""
        found = {}
        for folder in ("calendars/reminders", "trash"):
            if not os.path.isdir(self.file(folder)):
                continue
            for name in os.listdir(self.file(folder)):
                if not name.endswith(".ics") or name.startswith("."):
                    continue
                with open(self.file(folder, name), "rb") as file:
                    text = file.read()
                demand(
                    text.startswith(b"BEGIN:VCALENDAR\r\n")
                    and text.endswith(b"END:VCALENDAR\r\n") and text.count(b"BEGIN:VTODO") == 1,
                    f"{folder}/{name} is no whole reminder: {text[:60]!r}")
                title = re.search(rb"SUMMARY:([^\r]*)", text)
                title = title.group(1).decode() if title else ""
                found[title] = found.get(title, 0) + 1
        return found

    def shown(self):
        """What `chat conversations show` tells of the latest one."""
        result = self.run("conversations", "show", "--json")
        demand(result.returncode == 0, f"conversations show: {result.stderr.decode()!r}")
        return json.loads(result.stdout)["messages"]


def command(pid):
    with contextlib.suppress(OSError), open(f"/proc/{pid}/cmdline") as file:
        return file.read().replace("\0", " ")[:100]
    return pid


class Program:
    """The program at a pseudo-terminal that outlives it."""

    def __init__(self, words, variables):
        self.master, self.slave = os.openpty()
        fcntl.ioctl(self.slave, termios.TIOCSWINSZ, struct.pack("HHHH", 40, 120, 0, 0))
        self.found = termios.tcgetattr(self.slave)
        name = os.ttyname(self.slave)
        self.seen = b""
        self.status = None
        self.pid = self.start(words, variables, name)

    def start(self, words, variables, name):
        return os.posix_spawn(
            words[0], words, variables, setsid=True,
            # Ignored signals would be inherited.
            setsigdef=[signal.SIGINT, signal.SIGTSTP, signal.SIGPIPE],
            file_actions=[
                (os.POSIX_SPAWN_CLOSE, self.master), (os.POSIX_SPAWN_CLOSE, self.slave),
                # The first terminal a session leader opens becomes its own.
                (os.POSIX_SPAWN_OPEN, 0, name, os.O_RDWR, 0),
                (os.POSIX_SPAWN_DUP2, 0, 1), (os.POSIX_SPAWN_DUP2, 0, 2)])

    def type(self, text):
        """From here on only what comes now is seen."""
        self.seen = b""
        os.write(self.master, text.encode() if isinstance(text, str) else text)

    def read(self, seconds):
        """Takes what comes within that time; False when nothing did."""
        if not select.select([self.master], [], [], max(0, seconds))[0]:
            return False
        self.seen += os.read(self.master, 65536)
        return True

    @property
    def text(self):
        return CONTROL.sub(b"", self.seen)

    def wait_for(self, pattern, seconds=GUARD):
        """True once the pattern is on the screen; False after that time."""
        end = time.monotonic() + seconds
        while not re.search(pattern, self.text):
            if not self.read(min(0.1, end - time.monotonic())):
                if self.has_ended() and not self.read(0):
                    return bool(re.search(pattern, self.text))
                if time.monotonic() >= end:
                    return False
        return True

    def wait_until(self, holds, seconds=GUARD):
        end = time.monotonic() + seconds
        while not (value := holds()) and time.monotonic() < end:
            self.read(0.01)
        return value

    def ready(self, seconds=GUARD):
        demand(self.wait_for(PROMPT, seconds), f"no prompt; on the screen: {self.text[-300:]!r}")

    def has_ended(self):
        if self.status is None:
            pid, status = os.waitpid(self.pid, os.WNOHANG)
            if pid:
                self.status = os.waitstatus_to_exitcode(status)
        return self.status is not None

    def send_signal(self, number):
        if not self.has_ended():
            os.kill(self.pid, number)

    def end(self, seconds=GUARD):
        """Waits for the end; the seconds it took, or None."""
        start = time.monotonic()
        while not self.has_ended():
            if time.monotonic() - start > seconds:
                return None
            self.read(0.005)
        while self.read(0):
            pass
        return time.monotonic() - start

    @property
    def session(self):
        """The process that leads its session."""
        return self.pid

    def others(self):
        """Processes of its session besides it and the leader. One that has
        ended and waits for init is none."""
        found = []
        for name in os.listdir("/proc"):
            try:
                if name.isdigit() and int(name) not in (self.pid, self.session):
                    if os.getsid(int(name)) == self.session:
                        with open(f"/proc/{name}/stat") as file:
                            if file.read().rsplit(")", 1)[1].split()[0] != "Z":
                                found.append(name)
            except OSError:
                pass  # It has ended meanwhile.
        return found

    def alone(self, seconds):
        """No process is left; one that only writes may take a moment to see
        that nobody reads it."""
        end = time.monotonic() + seconds
        while (left := self.others()) and time.monotonic() < end:
            self.read(0.01)
        demand(not left, f"left behind: {[command(pid) for pid in left]}")

    def mode(self):
        return termios.tcgetattr(self.slave)

    def close(self):
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
            self.end()
        os.close(self.master)
        os.close(self.slave)
