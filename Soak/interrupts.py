"""Ctrl-C at random moments of whatever happens at the prompt."""

import re
import tempfile
import time

from provider import words
from rig import PROMPT, Home, Program, demand

VERBS = ("plain", "slow", "tool", "stall", "silent", "busy", "delete", "half-typed")
LIMIT = 0.2  # seconds to a prompt, 99 of 100 times
LIVES_IN_A_CONVERSATION = 40


class Interrupts:
    def __init__(self, binary, provider, folder, random):
        self.provider, self.random = provider, random
        self.home = Home(
            binary, provider, tempfile.mkdtemp(dir=folder),
            random.choice(["claude", "openai", "local"])).offer_deletion()
        self.verbs = {}  # token: verb
        self.shown = {}  # token: number of the last piece on the screen

    def one(self, program, number):
        """Types, waits a moment, presses Ctrl-C; seconds to the prompt."""
        verb, token = self.random.choice(VERBS), f"n{number:06}"
        if verb == "half-typed":
            program.type("half typed li")
        else:
            self.verbs[token] = verb
            program.type(f"{verb} {token}\r")
        end = time.monotonic() + self.random.choice([0.01, 0.1, 0.6]) * self.random.random()
        while time.monotonic() < end:
            program.read(end - time.monotonic())
        before = program.text
        start = time.monotonic()
        program.type("\x03")
        program.ready()
        seconds = time.monotonic() - start
        # The prompt of an answer that had just ended is followed by that of
        # the Ctrl-C.
        while program.read(0.05) or not PROMPT.search(program.text):
            demand(not program.has_ended(), f"ended with {program.status} in {verb}")
        pieces = re.findall(token.encode() + rb"-(\d+) ", before)
        if pieces:
            self.shown[token] = int(pieces[-1])
        return verb, seconds

    def check(self):
        turns = self.home.turns()
        for token, verb in self.verbs.items():
            mine = [turn for turn in turns if f"{verb} {token}" in turn[1]["user"]]
            asked = self.provider.asked.get(token, 0)
            demand(len(mine) <= 1, f"{token} is kept {len(mine)} times")
            demand(mine or not asked, f"{verb} {token} was sent to the model and is not kept")
            demand(asked <= 1 or verb == "busy", f"{verb} {token} was asked {asked} times")
            if not mine:
                continue
            status, texts = mine[0]
            demand(status != "open", f"{verb} {token} is still open")
            whole = "".join(words(verb, token))
            start = texts["assistant"].find(f"{token}-0")
            said = texts["assistant"][start:] if start >= 0 else ""
            demand(whole.startswith(said), f"{token}: another answer: {said[-80:]!r}")
            demand(said == whole or status != "done", f"{token} is cut and kept as done")
            if token in self.shown:
                demand(
                    f"{token}-{self.shown[token]} " in said, f"{verb} {token}: shown, not kept")
        files = self.home.reminders()
        for token in self.verbs:
            count = files.get(f"soak {token}", 0)
            demand(count <= 1, f"{token} made {count} reminders")
            if "created" in self.provider.results.get(token, ""):
                demand(count == 1, f"{token}: told as created, and there is no file")

    def run(self, count):
        program = Program(self.home.words(), self.home.variables)
        program.ready()
        waits = []
        for number in range(count):
            if number and number % LIVES_IN_A_CONVERSATION == 0:
                program.type("/new\r")
                program.ready()
            waits.append(self.one(program, number))
        token = f"n{count:06}"
        program.type(f"plain {token}\r")
        demand(program.wait_for(f"END-{token}".encode()), "no answer after all that")
        program.ready()
        program.type("\x04")
        demand(program.end(5) is not None and program.status == 0, "Ctrl-D does not leave")
        demand(program.mode() == program.found, "another terminal mode is left")
        program.close()
        self.check()
        waits.sort(key=lambda wait: wait[1])
        verb, worst = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
        middle = waits[len(waits) // 2][1]
        detail = (
            f"median {middle * 1e3:.0f} ms, p99 {worst * 1e3:.0f} ms ({verb}), "
            f"worst {waits[-1][1] * 1e3:.0f} ms ({waits[-1][0]})")
        demand(worst <= LIMIT, detail)
        return detail
