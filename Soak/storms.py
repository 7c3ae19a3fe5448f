"""Storms of resizes while an answer streams and while a question stands, and
starts without a terminal of its own or with closed descriptors."""

import fcntl
import os
import re
import resource
import struct
import subprocess
import tempfile
import termios
import time

from provider import words
from rig import Home, Program, demand

STORM = 1_000  # resizes
SECONDS = 5.0


def resize(program, rows, columns):
    fcntl.ioctl(program.slave, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))


class Storms:
    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder, self.random = binary, provider, folder, random
        self.number = 0

    def home(self):
        return Home(
            self.binary, self.provider, tempfile.mkdtemp(dir=self.folder)).offer_deletion()

    def storm(self, program):
        sizes = [(0, 0), (1, 1), (40, 1), (3, 300)]
        start = time.monotonic()
        for number in range(STORM):
            size = sizes[number] if number < len(sizes) else (
                self.random.randint(1, 60), self.random.randint(1, 300))
            resize(program, *size)
            while time.monotonic() < start + number * SECONDS / STORM:
                program.read(0.002)
            demand(not program.has_ended(), f"ended with {program.status} at {size}")
        resize(program, 40, 120)

    def resized(self, state):
        home = self.home()
        self.number += 1
        token = f"n{self.number:06}"
        program = Program(home.words(), home.variables)
        program.ready()
        verb = {"a half-typed line": "plain", "an answer": "slow", "a question": "delete"}[state]
        if state == "a half-typed line":
            program.type(f"plain {token}")
        else:
            program.type(f"{verb} {token}\r")
            demand(
                program.wait_for(
                    f"{token}-3 ".encode() if verb == "slow" else rb"Enter for no"), state)
        self.storm(program)
        if state == "a half-typed line":
            program.type("\r")
        if state == "a question":
            program.type("\r")
        demand(
            program.wait_for(rb"tokens|in \xc2\xb7|END"), f"{state}: no end: {program.text[-200:]!r}")
        end = time.monotonic() + 10
        while time.monotonic() < end and not any(
                turn[0] == "done" for turn in home.turns()):
            program.read(0.1)
        program.type("\x04")
        demand(program.end(5) is not None and program.status == 0, f"{state}: Ctrl-D leaves not")
        demand(program.mode() == program.found, "another terminal mode is left")
        program.close()
        turns = home.turns()
        demand(len(turns) == 1 and turns[0][0] == "done", f"{state}: {turns}")
        demand(
            turns[0][1]["user"].startswith(f"{verb} {token}"),
            f"{state}: another message was sent: {turns[0][1]['user'][:80]!r}")
        whole = "".join(words(verb, token))
        demand(whole in turns[0][1]["assistant"], f"{state}: the answer is not whole")

    def closed(self, descriptors):
        """Starts with those descriptors closed; no crash, no hang, no file of
        its own in their place."""
        self.number += 1
        token = f"n{self.number:06}"
        home = self.home()

        def close():
            for descriptor in descriptors:
                os.close(descriptor)

        process = subprocess.Popen(
            home.words("-p", f"plain {token}"), stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.variables,
            preexec_fn=close)
        out, errors = process.communicate(timeout=20)
        demand(process.returncode in (0, 1, 4), f"{descriptors}: {process.returncode} {errors!r}")
        demand(b"rash" not in errors, f"{descriptors}: {errors!r}")
        if descriptors == (2,) or descriptors == (0,):
            demand(f"END-{token}".encode() in out, f"{descriptors}: {out[-80:]!r} {errors!r}")
        home.database()

    def detached(self, words):
        """In a session of its own without a terminal; ends by itself and uses
        no processor while it waits."""
        home = self.home()
        before = resource.getrusage(resource.RUSAGE_CHILDREN)
        process = subprocess.Popen(
            home.words(*words) if words else [self.binary], stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=home.variables,
            start_new_session=True)
        out, errors = process.communicate(timeout=20)
        after = resource.getrusage(resource.RUSAGE_CHILDREN)
        spent = after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime
        demand(process.returncode >= 0, f"detached {words}: {process.returncode} {errors!r}")
        demand(not re.search(rb"\x1b", out + errors), f"detached {words}: an escape")
        demand(spent < 3, f"detached {words}: {spent:.1f} s of processor time")

    def run(self, rounds):
        for _ in range(rounds):
            for state in ("a half-typed line", "an answer", "a question"):
                self.resized(state)
            for descriptors in ((0,), (1,), (2,), (0, 1), (1, 2), (0, 1, 2)):
                self.closed(descriptors)
            for words_ in ((), ("-p", "plain n900001")):
                self.detached(words_)
        return f"{3 * STORM} resizes, 6 starts with closed descriptors, 2 without a terminal"
