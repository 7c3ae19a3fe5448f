"""`kill -9` at random moments of a conversation and of changes to one, and what
must be there after."""

import json
import os
import re
import signal
import tempfile
import time

from provider import words
from rig import PROMPT, Home, Program, demand

# Streamed text may lag a quarter of a second; the rest is for a busy machine.
LAG = 1.0
LIVES_IN_A_HOME = 40


class Story:
    """What one home was told, and what was acknowledged of it."""

    def __init__(self, home, provider):
        self.home, self.provider = home, provider
        self.verbs = {}  # token: verb, in the order they were typed
        self.finished = set()  # the prompt came back after the whole answer
        self.killed = 0

    def next(self, verb, number):
        token = f"n{number:06}"
        self.verbs[token] = verb
        return token

    def check(self, visible):
        """Everything acknowledged is kept. `visible`: token to the text that
        was on the screen long before the kill."""
        turns = self.home.turns()
        for token, verb in self.verbs.items():
            mine = [turn for turn in turns if f"{verb} {token}" in turn[1]["user"]]
            asked = self.provider.asked.get(token, 0)
            demand(len(mine) <= 1, f"{token} is kept {len(mine)} times")
            demand(mine or not asked, f"{token} was sent to the model and is not kept")
            demand(asked <= 1, f"{token} was asked {asked} times")
            if not mine:
                continue
            status, texts = mine[0]
            whole = "".join(words(verb, token))
            answer = texts["assistant"]
            said = answer[answer.find(f"{token}-0"):] if f"{token}-0" in answer else ""
            demand(whole.startswith(said), f"{token}: another answer is kept: {said[-80:]!r}")
            if token in self.finished:
                demand(status == "done" and said == whole, f"{token} finished, kept as {status}")
            if token in visible:
                demand(
                    f"{token}-{visible[token]} " in said,
                    f"{token}: shown to {visible[token]} long before, kept: {said[-20:]!r}")
        self.check_reminders(turns)

    def check_reminders(self, turns):
        files = self.home.reminders()
        for token, verb in self.verbs.items():
            count = files.get(f"soak {token}", 0)
            demand(count <= 1, f"{token} made {count} reminders")
            if "created" in self.provider.results.get(token, ""):
                demand(count == 1, f"{token}: the call is told as run, and there is no file")
            if count:
                kept = any(f"soak {token}" in turn[1]["assistant"] for turn in turns)
                demand(kept, f"{token}: a reminder of a call that is not kept")
        known = {f"soak {token}" for token in self.verbs}
        demand(set(files) <= known, f"reminders of nobody: {set(files) - known}")


class Kills:
    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder, self.random = binary, provider, folder, random
        self.number = 0
        self.polite = 0

    def token(self, story, verb):
        self.number += 1
        return story.next(verb, self.number)

    def begin(self):
        form = self.random.choice(["claude", "openai", "local"])
        home = Home(self.binary, self.provider, tempfile.mkdtemp(dir=self.folder), form)
        story = Story(home, self.provider)
        program = Program(home.words(), home.variables)
        program.ready()
        token = self.token(story, "plain")
        program.type(f"plain {token}\r")
        demand(program.wait_for(f"END-{token}".encode()), "no first answer")
        program.ready()
        story.finished.add(token)
        self.leave(program)
        return story

    def leave(self, program):
        """A polite exit: the terminal is as it was found."""
        os.write(program.master, b"\x04")
        demand(program.end(5) is not None, "Ctrl-D does not leave")
        demand(program.status == 0, f"Ctrl-D ends with {program.status}")
        demand(program.mode() == program.found, "Ctrl-D leaves another terminal mode")
        program.close()
        self.polite += 1

    def at_prompt(self, story, end):
        """One life at the prompt; when each piece of text was seen."""
        program = Program(story.home.words(), story.home.variables)
        token, seen = None, {}
        while time.monotonic() < end:
            program.read(min(0.02, end - time.monotonic()))
            if program.has_ended():
                demand(False, f"ended by itself with {program.status}: {program.text[-200:]!r}")
            text = program.text
            if token:
                pieces = re.findall(token.encode() + rb"-(\d+) ", text)
                if pieces:
                    seen.setdefault((token, int(pieces[-1])), time.monotonic())
            if PROMPT.search(text):
                if token and f"END-{token}".encode() in text:
                    story.finished.add(token)
                verb = self.random.choice(["plain", "plain", "tool", "slow"])
                token = self.token(story, verb)
                program.type(f"{verb} {token}\r")
        moment = time.monotonic()
        program.send_signal(signal.SIGKILL)
        program.end()
        program.close()
        return {
            token: piece for (token, piece), when in sorted(seen.items())
            if when < moment - LAG}

    def one_shot(self, story, end):
        verb = self.random.choice(["plain", "tool", "slow"])
        token = self.token(story, verb)
        program = Program(
            story.home.words("-c", "-p", f"{verb} {token}"), story.home.variables)
        while time.monotonic() < end and not program.has_ended():
            program.read(min(0.02, end - time.monotonic()))
        program.send_signal(signal.SIGKILL)
        program.end()
        if program.status == 0:
            story.finished.add(token)
        else:
            demand(program.status == -9, f"ended with {program.status}: {program.text[-200:]!r}")
        program.close()
        return {}

    def go_on(self, story):
        """The next start after a kill: nothing to repair, a valid request."""
        before = len(self.provider.violations)
        token = self.token(story, "plain")
        result = story.home.run("-c", "-p", f"plain {token}")
        demand(
            result.returncode == 0 and f"END-{token}".encode() in result.stdout,
            f"the next start ends with {result.returncode}: {result.stderr[-300:]!r}")
        story.finished.add(token)
        demand(
            len(self.provider.violations) == before,
            f"the next request is not valid: {self.provider.violations[before:]}")
        still = [texts["user"] for status, texts in story.home.turns() if status == "open"]
        demand(not still, f"still open after the next start: {still}")

    def run(self, count):
        story = None
        for life in range(count):
            if story is None or story.killed == LIVES_IN_A_HOME:
                story = self.begin()
            story.killed += 1
            end = time.monotonic() + self.random.uniform(0.005, 1.4)
            visible = (self.one_shot if life % 3 == 2 else self.at_prompt)(story, end)
            try:
                story.check(visible)
                shown = "".join(message["text"] for message in story.home.shown())
                for token in story.finished:
                    demand(f"END-{token}." in shown, f"{token} is not shown")
                self.go_on(story)
                story.check({})
            except Exception as error:
                error.add_note(f"after kill {life} in {story.home.path}")
                raise
        return f"{self.number} messages, {self.provider.requests} requests, {self.polite} polite exits"


class Changes:
    """`kill -9` while a conversation is copied, deleted, brought back or
    answered again: it happened or it did not."""

    def __init__(self, binary, provider, folder, random):
        self.provider, self.random = provider, random
        self.home = Home(binary, provider, tempfile.mkdtemp(dir=folder))

    def list(self, *words):
        result = self.home.run("conversations", "list", "--limit", "1000", "--json", *words)
        demand(result.returncode == 0, f"conversations list: {result.stderr.decode()!r}")
        return {entry["id"]: entry["messages"] for entry in json.loads(result.stdout)}

    def killed(self, program, end):
        while time.monotonic() < end and not program.has_ended():
            program.read(min(0.005, end - time.monotonic()))
        program.send_signal(signal.SIGKILL)
        program.end()
        program.close()
        demand(program.status in (0, -9), f"ended with {program.status}: {program.text[-200:]!r}")

    def again(self, token, end):
        program = Program(self.home.words(), self.home.variables)
        program.ready()
        program.type("/retry\r")
        self.killed(program, time.monotonic() + end)
        asked = [
            message for message in self.home.shown()
            if message["role"] == "user" and f"plain {token}" in message["text"]]
        demand(len(asked) == 1, f"the message is there {len(asked)} times after a retry")
        # The latest answer is the one that is sent from now on.
        result = self.home.run("-c", "-p", f"plain n{self.random.randrange(10**5):06}")
        demand(result.returncode == 0, f"after a retry: {result.stderr[-300:]!r}")

    def run(self, count):
        for number in range(3):
            words = ["-c"] if number else []
            result = self.home.run(*words, "-p", f"plain n9{number:05}")
            demand(result.returncode == 0, f"{result.stderr[-300:]!r}")
        (first,) = self.list()
        forks = 0
        for life in range(count):
            there, trash = self.list(), self.list("--deleted")
            verb = ["fork", "delete", "restore"][life % 3]
            target = (first if verb == "fork" else next(iter(trash), None) if verb == "restore"
                      else next((id for id in there if id != first), None))
            if target is None:
                continue
            program = Program(
                [self.home.binary, "conversations", verb, target], self.home.variables)
            self.killed(program, time.monotonic() + self.random.uniform(0.005, 0.15))
            self.home.database().close()
            now, gone = self.list(), self.list("--deleted")
            demand(not set(now) & set(gone), "a conversation is in two places")
            lost = (set(there) | set(trash)) - set(now) - set(gone)
            demand(not lost, f"{verb} has lost {lost}")
            new = set(now) - set(there) - set(trash)
            demand(len(new) <= (verb == "fork"), f"{verb} has made {new}")
            for id in new:
                demand(now[id] == there[first], f"half a copy: {now[id]} of {there[first]}")
            forks += len(new)
        for life in range(max(1, count // 10)):
            token = f"n8{life:05}"
            program = Program(self.home.words(), self.home.variables)
            program.ready()
            program.type("/new\r")
            program.ready()
            program.type(f"plain {token}\r")
            demand(program.wait_for(f"END-{token}".encode()), "no answer to try again")
            program.ready()
            program.type("\x04")
            program.end()
            program.close()
            self.again(token, self.random.uniform(0.005, 0.4))
        violations = self.provider.violations
        demand(not violations, f"requests that are not valid: {violations[:2]}")
        return f"{forks} whole copies"
