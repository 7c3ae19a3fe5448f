"""Every call that changes the disk, in turn: the process dies there, or the
call fails, once or from then on (faults.c).
"""

import errno
import os
import re
import shutil
import subprocess
import tempfile

from provider import words
from rig import PROMPT, Home, Program, Violation, demand

HERE = os.path.dirname(os.path.abspath(__file__))
ERRORS = ("ENOSPC", "EIO", "EROFS", "EDQUOT")
EXITS = (0, 1, 3, 4, 6)
FORMS = ("claude", "openai", "local")


def build(folder):
    library = os.path.join(folder, "faults.so")
    subprocess.run(
        [os.environ.get("CC", "cc"), "-O2", "-Wall", "-Werror", "-shared", "-fPIC", "-o", library,
         os.path.join(HERE, "faults.c"), "-ldl"], check=True)
    return library


class Faults:
    """The same four short stories with a fault at N = 1, 2, 3 …"""

    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder, self.random = binary, provider, folder, random
        self.injector = build(folder)
        self.number = 0
        self.runs = 0
        self.template = self.prepare()
        self.stories = [
            ("the first answer", None, self.answer), ("a later answer", self.template, self.answer),
            ("reminders done", self.template, self.done),
            ("reminders delete", self.template, self.delete)]

    def prepare(self):
        """A home with one conversation and one reminder."""
        home = self.home(None)
        result = home.run("-p", "plain n000000")
        demand(result.returncode == 0, f"no answer: {result.stderr!r}")
        result = home.run("reminders", "add", "soak old")
        demand(result.returncode == 0, f"no reminder: {result.stderr!r}")
        return home.path

    def home(self, template):
        folder = tempfile.mkdtemp(dir=self.folder)
        if template:
            shutil.copytree(template, folder, dirs_exist_ok=True)
        return Home(self.binary, self.provider, folder, FORMS[self.number % 3])

    # The stories: the words of each, and what is claimed by an exit code of 0.

    def answer(self, home, token):
        def claim(turns, reminders):
            [turn] = [turn for turn in turns if f"tool {token}" in turn[1]["user"]]
            demand(
                turn[0] == "done" and "".join(words("tool", token)) in turn[1]["assistant"],
                f"ended with 0, kept as {turn}")
            demand(
                reminders.get(f"soak {token}") == 1 or "failed" in turn[1]["tool"],
                "ended with 0, and there is no reminder")

        more = ["-c"] if os.path.exists(home.file("chat.db")) else []
        return home.words(*more, "-p", f"tool {token}"), claim

    def done(self, home, token):
        def claim(turns, reminders):
            folder = os.listdir(home.file("calendars", "reminders"))
            [name] = [name for name in folder if name.endswith(".ics")]
            with open(home.file("calendars", "reminders", name)) as file:
                demand("STATUS:COMPLETED" in file.read(), "ended with 0, and it is not done")

        return [self.binary, "reminders", "done", "soak old"], claim

    def delete(self, home, token):
        def claim(turns, reminders):
            kept = [name for name in os.listdir(home.file("trash")) if name.endswith(".ics")]
            demand(len(kept) == 1, "ended with 0, and it is not in the trash")

        return [self.binary, "reminders", "delete", "soak old"], claim

    def begin(self, template, at, code, lasts):
        """A home, a token, and the variables that make call number `at` fail."""
        self.number += 1
        self.runs += 1
        home = self.home(template)
        report = os.path.join(home.path, "report")
        variables = dict(
            home.variables, LD_PRELOAD=self.injector, FAULT_AT=str(at), FAULT_ERROR=str(code),
            FAULT_LASTS="1" if lasts else "0", FAULT_REPORT=report)
        return home, f"n{self.number:06}", variables, report

    def one(self, story, at, code, lasts):
        """False when there is no call number `at`."""
        name, template, make = story
        home, token, variables, report = self.begin(template, at, code, lasts)
        line, claim = make(home, token)
        result = subprocess.run(
            line, stdin=subprocess.DEVNULL, capture_output=True, timeout=60, env=variables)
        has_struck = os.path.exists(report)
        try:
            self.check(home, token, result, claim, template, code if has_struck else None)
        except Violation as violation:
            where = "nowhere"
            if has_struck:
                with open(report) as file:
                    where = file.readline().strip()
            mode = "SIGKILL" if not code else errno.errorcode[code] + (" for good" * lasts)
            raise Violation(
                f"{name}, {mode} at {where}: {violation}; exit {result.returncode}, "
                f"said {result.stderr.decode()!r} ({home.path})") from None
        shutil.rmtree(home.path)
        return has_struck

    def check(self, home, token, result, claim, template, code):
        errors = result.stderr.decode()
        if code == 0:
            demand(result.returncode == -9, "not killed")
        else:
            demand(result.returncode in EXITS, "a crash, or a strange exit code")
            demand(len(errors.splitlines()) <= 3, "an error of more than three lines")
            demand(result.returncode == 0 or errors, "failed without a word")
        turns = home.turns()
        reminders = home.reminders()
        mine = [turn for turn in turns if token in turn[1]["user"]]
        demand(mine or token not in self.provider.asked, "sent to the model and not kept")
        if "created" in self.provider.results.get(token, ""):
            demand(reminders.get(f"soak {token}") == 1, "told as created, and there is no file")
        if template:
            demand(reminders.get("soak old") == 1, f"the old reminder: {reminders}")
            demand(any("n000000" in turn[1]["user"] for turn in turns), "the old turn is gone")
        if result.returncode == 0:
            claim(turns, reminders)
        again = home.run(
            *(["-c"] if turns else []), "-p", f"plain {token.replace('n', 'n9')}")
        demand(again.returncode == 0, f"the next start fails: {again.stderr.decode()!r}")
        listed = home.run("reminders", "list", "--json")
        demand(listed.returncode == 0, f"reminders list fails: {listed.stderr.decode()!r}")
        demand(all(turn[0] != "open" for turn in home.turns()), "a turn is still open")

    def at_prompt(self, at, code, lasts):
        """Two messages at the prompt; False when there is no call number `at`."""
        home, token, variables, report = self.begin(
            self.template if at % 2 else None, at, code, lasts)
        program = Program(home.words(), variables)
        where = f"at the prompt, {errno.errorcode[code]}{' for good' * lasts} at call {at}"
        if program.wait_for(PROMPT, 10):
            for verb, name in (("tool", token), ("plain", token.replace("n", "n8"))):
                program.type(f"{verb} {name}\r")
                program.ready(10)
                is_told = re.search(rb"  ! .*(disk|written|read)", program.text)
                demand(
                    is_told or f"END-{name}".encode() in program.text,
                    f"{where}: neither an answer nor why: {program.text!r}")
            program.type("\x04")
            demand(program.end(10) is not None and program.status == 0, f"{where}: cannot leave")
        else:
            lines = program.text.count(b"\n")
            demand(
                program.has_ended() and program.status == 1 and lines <= 3,
                f"{where}: ended with {program.status}: {program.text!r}")
        demand(program.mode() == program.found, f"{where}: another terminal mode is left")
        program.close()
        turns = home.turns()
        home.reminders()
        for name in (token, token.replace("n", "n8")):
            demand(
                name not in self.provider.asked or any(name in turn[1]["user"] for turn in turns),
                f"{where}: sent to the model and not kept")
        has_struck = os.path.exists(report)
        shutil.rmtree(home.path)
        return has_struck

    def prompt(self, is_whole):
        """As `fail`, at the prompt; the first start and a later one by turns."""
        modes = [(getattr(errno, name), lasts) for name in ERRORS for lasts in (False, True)]
        at, misses = 1, 0
        while misses < 2:
            chosen = modes if is_whole else self.random.sample(modes, 1)
            has_struck = any([self.at_prompt(at, code, lasts) for code, lasts in chosen])
            misses = 0 if has_struck else misses + 1
            at += 1
        return f"{self.runs} runs"

    def kill(self, step):
        """SIGKILL at every N."""
        for story in self.stories:
            at = 1
            while self.one(story, at, 0, False):
                at += step
        return f"{self.runs} runs"

    def fail(self, is_whole):
        """Each error at every N, once and for good; otherwise one of them."""
        modes = [(getattr(errno, name), lasts) for name in ERRORS for lasts in (False, True)]
        for story in self.stories:
            at = 1
            while all([
                self.one(story, at, code, lasts)
                for code, lasts in (modes if is_whole else self.random.sample(modes, 2))
            ]):
                at += 1
        return f"{self.runs} runs"
