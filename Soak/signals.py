"""Signals in every state of the prompt, as a shell's job would get them."""

import json
import os
import select
import signal
import struct
import subprocess
import sys
import tempfile
import time
import zlib

import sound
from rig import GUARD, Home, Program, demand

HERE = os.path.dirname(os.path.abspath(__file__))
LIMIT = 1.0  # seconds to the end


class Job(Program):
    """The program as the job of a session leader, so that it can be stopped."""

    def start(self, words, variables, name):
        theirs, self.commands = os.pipe()
        self.reports, ours = os.pipe()
        self.lines = []
        self.rest = b""
        self.leader = subprocess.Popen(
            [sys.executable, os.path.join(HERE, "leader.py"), str(theirs), str(ours), *words],
            stdin=self.slave, stdout=self.slave, stderr=self.slave, env=variables,
            start_new_session=True, pass_fds=(theirs, ours))
        os.close(theirs)
        os.close(ours)
        return int(self.report())

    def report(self, seconds=10.0):
        """The next line of the leader; None when there is none in time."""
        end = time.monotonic() + seconds
        while b"\n" not in self.rest:
            # The program must be able to write meanwhile.
            self.read(0)
            if select.select([self.reports], [], [], 0.01)[0]:
                piece = os.read(self.reports, 4096)
                if not piece:
                    return None
                self.rest += piece
            elif time.monotonic() > end:
                return None
        line, self.rest = self.rest.split(b"\n", 1)
        return line.decode()

    def has_ended(self):
        while self.status is None and (line := self.report(0)) is not None:
            if line.startswith("ended "):
                self.status = int(line.split()[1])
        return self.status is not None

    def back(self):
        os.write(self.commands, b"fg\n")

    @property
    def session(self):
        return self.leader.pid

    def close(self):
        if not self.has_ended():
            os.kill(self.pid, signal.SIGKILL)
            self.end()
        self.leader.wait()
        for descriptor in (self.commands, self.reports, self.slave):
            os.close(descriptor)
        if self.master >= 0:
            os.close(self.master)


# Answers that have to be there before something can be summed up, searched or
# has cost anything.
EARLIER = {"summing up": 3, "search picker": 1, "budget question": 1}

# A state: what is typed, what is on the screen then, and how to leave it.
STATES = {
    "prompt": ("", rb"> *$", ""),
    "half-typed": ("half typed li", rb"half typed li", "\x03"),
    "connecting": ("plain {}\r", rb"  \xe2\x80\xa6 \d s", "\x03"),
    "streaming": ("slow {}\r", rb"{}-9 ", "\x03"),
    "silence": ("silent {}\r", rb"  \xe2\x80\xa6 \d s", "\x03"),
    "question": ("delete {}\r", rb"Enter for no", "\r"),
    "hidden entry": ("/keys set openai\r", rb"Key for [^\r\n]*: *$", "\x03"),
    "retry wait": ("busy {}\r", rb"Trying again", "\x03"),
    "failover question": ("broke {}\r", rb"Go on with .*Enter for no", "\r"),
    "summing up": ("/compact hang\r", rb"Summing up", "\x03"),
    "model picker": ("/model\r", rb"Esc leaves", "\x1b"),
    "search picker": ("/search plain\r", rb"found[\s\S]*Esc leaves", "\x03"),
    "budget question": ("slow again\r", rb"Send it\? [^\r\n]*Enter for no", "\r"),
    "attachment sizing": ("/attach ~/large.png\r", rb"making the files fit", "\x03"),
    **sound.STATES,
}
ENDS = {"SIGTERM": 130, "SIGHUP": 130, "SIGQUIT": 130, "SIGSEGV": -signal.SIGSEGV}
# After these nothing of ours runs any more.
KILLS = {"SIGSEGV": -signal.SIGSEGV, "SIGKILL": -signal.SIGKILL}


def chosen():
    """The states that can be reached here and, with SOAK_STATE, have that word
    in their name."""
    word = os.environ.get("SOAK_STATE", "")
    return [state for state in STATES if word in state and not sound.missing(state)]


def furnish(home, state):
    """What a state needs in the home folder."""
    if state == "connecting":
        home.variables["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{home.provider.clogged()}"
    sound.furnish(home, state, os.path.dirname(home.path))
    if state == "budget question":
        os.makedirs(home.file(), exist_ok=True)
        with open(home.file("config.json"), "w") as file:
            json.dump({"budget": {"conversation": 0.001},
                       "prices": {"claude/soak": {"input": 100, "output": 100}}}, file)
    if state == "attachment sizing":
        def chunk(name, body):
            check = zlib.crc32(name + body)
            return struct.pack(">I", len(body)) + name + body + struct.pack(">I", check)
        size = struct.pack(">IIBBBBB", 9000, 1, 8, 0, 0, 0, 0)
        with open(os.path.join(home.path, "large.png"), "wb") as file:
            file.write(
                b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR", size)
                + chunk(b"IDAT", zlib.compress(bytes(9001))) + chunk(b"IEND", b""))
        # A converter that is never done; it ends when nobody reads it.
        programs = os.path.join(home.path, "bin")
        os.mkdir(programs)
        for name in ("magick", "convert"):
            path = os.path.join(programs, name)
            with open(path, "w") as file:
                file.write("#!/bin/sh\nwhile printf .; do sleep 0.05; done\n")
            os.chmod(path, 0o755)
        home.variables["PATH"] = programs + ":" + home.variables["PATH"]


def answered(home, program, token, seconds=GUARD):
    """Whether a plain message gets its answer, past a cap if need be."""
    home.provider.unclog()
    end = f"END-{token}".encode()
    program.type(f"plain {token}\r")
    if program.wait_for(end + rb"|Send it\? [^\r\n]*Enter for no", seconds) \
            and b"Send it?" in program.text:
        settle(program)
        program.type("y\r")
    return program.wait_for(end, seconds)


def settle(program):
    """A question takes only what is typed after it was there for a while."""
    end = time.monotonic() + 0.9
    while time.monotonic() < end:
        program.read(0.01)


class Signals:
    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder = binary, provider, folder
        self.number = 0
        self.slowest = 0.0

    def reach(self, state):
        """A fresh program in that state."""
        self.number += 1
        token = f"n{self.number:06}"
        home = Home(
            self.binary, self.provider, tempfile.mkdtemp(dir=self.folder)).offer_deletion()
        furnish(home, state)
        job = Job(home.words(), home.variables)
        job.ready()
        for number in range(EARLIER.get(state, 0)):
            earlier = f"{token.replace('n', 'n8')}{number}"
            job.type(f"plain {earlier}\r")
            demand(job.wait_for(f"END-{earlier}".encode(), 10), "no answer to begin with")
            job.ready()
        typed, shown, _ = STATES[state]
        if typed:
            job.type(typed.format(token))
        demand(
            job.wait_for(shown.replace(b"{}", token.encode()), 10),
            f"not reached; on the screen: {job.text[-300:]!r}")
        if state in sound.HAVE_CHILDREN:
            demand(job.wait_until(job.others), "no program runs")
        return home, job, token

    def saved(self, home, token, state=None):
        if state == "recording":
            demand(len(sound.recordings(home)) == 1, "the recording is not kept")
        if state == "between pieces":
            self.goes_on(home)
        turns = home.turns()
        mine = [turn for turn in turns if token in turn[1]["user"]]
        demand(mine or token not in self.provider.asked, "asked and not kept")
        demand(all(turn[0] != "open" for turn in turns), f"still open: {turns}")

    def ends(self, state, name):
        """A signal that ends it."""
        home, job, token = self.reach(state)
        job.send_signal(getattr(signal, name))
        seconds = job.end(10)
        demand(seconds is not None and seconds <= LIMIT, f"took {seconds} s to end")
        self.slowest = max(self.slowest, seconds)
        demand(job.status == {**ENDS, **KILLS}[name], f"ended with {job.status}")
        demand(name == "SIGKILL" or job.mode() == job.found, "another terminal mode is left")
        job.alone(LIMIT)
        demand(b"rax" not in job.seen and b"Crash" not in job.seen, "a crash report")
        job.close()
        demand(name in KILLS or not sound.left(home), f"half a file: {sound.left(home)}")
        if name not in KILLS or state in sound.STATES:
            self.saved(home, token, state)

    def hang_up(self, state):
        """The terminal is gone."""
        home, job, token = self.reach(state)
        os.close(job.master)
        # Nothing is read from it any more.
        job.read = lambda seconds: bool(time.sleep(min(max(seconds, 0), 0.005)))
        job.master = -1
        seconds = job.end(10)
        demand(seconds is not None and seconds <= LIMIT, f"took {seconds} s to end")
        self.slowest = max(self.slowest, seconds)
        job.alone(LIMIT)
        job.close()
        self.saved(home, token, state)

    def goes_on(self, home):
        """What was transcribed before is not sent again."""
        service = self.provider.sound
        (path,) = [path for path in service.heard if os.path.basename(home.path) in path]
        demand(service.heard[path] == 2, f"{service.heard[path]} pieces were answered")
        service.holds = False
        before = list(service.uploads[path])
        try:
            result = home.run("transcribe", "--no-save", os.path.join(home.path, "talk.wav"))
        finally:
            service.holds = True
        demand(result.returncode == 0, f"it does not go on: {result.stderr.decode()!r}")
        words = result.stdout.decode()
        count = service.heard[path]
        for number in range(count):
            demand(f"part{number}" in words, f"part {number} of {count} is not in {words!r}")
        again = service.uploads[path][len(before):]
        demand(len(again) == count - 2, f"{len(again)} pieces of {count} were sent again")
        demand(not set(again) & set(before[:2]), "a piece that was answered is sent again")

    def stops(self, state, how):
        """Stopped and continued; then it goes on where it was."""
        home, job, token = self.reach(state)
        before = job.mode()
        if how == "Ctrl-Z":
            job.type("\x1a")
        else:
            job.send_signal(signal.SIGTSTP)
        line = job.report(2)
        demand(line == "stopped", f"not stopped but {line}; mode {job.mode()[3]:o}")
        demand(job.mode() == job.found, "stopped with another terminal mode")
        job.seen = b""
        job.back()
        demand(job.report(2) == "continued", "not continued")
        end = time.monotonic() + 2
        while job.mode() != before and time.monotonic() < end:
            job.read(0.01)
        demand(job.mode() == before or state == "streaming", "continued in another mode")
        settle(job)
        if STATES[state][2]:
            job.type(STATES[state][2])
        if state != "prompt":
            job.ready()
        demand(
            answered(home, job, token.replace("n", "n9")),
            f"no answer afterwards: {job.text[-200:]!r}")
        job.ready()
        job.type("\x04")
        demand(job.end(5) is not None and job.status == 0, f"left with {job.status}")
        demand(job.mode() == job.found, "another terminal mode is left")
        job.close()
        self.saved(home, token)

    def run(self, rounds):
        cases = []
        for state in chosen():
            cases += [(state, name, self.ends) for name in ENDS]
            # The others have it at random moments (kills.py).
            cases += [(state, "SIGKILL", self.ends)] if state in sound.STATES else []
            cases += [(state, how, self.stops) for how in ("Ctrl-Z", "SIGTSTP")]
            cases.append((state, "hang-up", lambda state, _: self.hang_up(state)))
        found = []
        for _ in range(rounds):
            for state, name, act in cases:
                try:
                    act(state, name)
                except Exception as error:
                    found.append(f"{name} in {state}: {error}")
        demand(not found, f"{len(found)} of {len(cases) * rounds}\n  " + "\n  ".join(found))
        return f"{len(cases)} cases, slowest end {self.slowest * 1e3:.0f} ms"
