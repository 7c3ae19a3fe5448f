"""Ctrl-C in every state of the prompt, each many times; how long until it is
usable again."""

import tempfile
import time

import sound
from rig import Home, Program, demand
from signals import EARLIER, STATES, answered, chosen, furnish

LIMIT = 0.2  # seconds to a prompt, 99 of 100 times


class States:
    def __init__(self, binary, provider, folder, random):
        self.binary, self.provider, self.folder, self.random = binary, provider, folder, random
        self.number = 0

    def one(self, program, state):
        self.number += 1
        token = f"n{self.number:06}"
        typed, shown, _ = STATES[state]
        if typed:
            program.type(typed.format(token))
            demand(
                program.wait_for(shown.replace(b"{}", token.encode()), 10),
                f"{state} not reached; on the screen: {program.text[-300:]!r}")
        if state in sound.HAVE_CHILDREN:
            demand(program.wait_until(program.others), f"{state}: no program runs")
        end = time.monotonic() + 0.05 * self.random.random()
        while time.monotonic() < end:
            program.read(end - time.monotonic())
        start = time.monotonic()
        program.type("\x03")
        program.ready()
        seconds = time.monotonic() - start
        if state in sound.STATES:
            program.alone(LIMIT)
        while program.read(0.03):
            pass
        demand(not program.has_ended(), f"ended with {program.status} in {state}")
        if state == "prompt":
            program.type("x\x03")
            program.ready()
        return token, seconds

    def life(self, state, rounds):
        home = Home(
            self.binary, self.provider, tempfile.mkdtemp(dir=self.folder)).offer_deletion()
        furnish(home, state)
        program = Program(home.words(), home.variables)
        program.ready()
        for number in range(EARLIER.get(state, 0)):
            program.type(f"plain n9{number:05}\r")
            demand(program.wait_for(f"END-n9{number:05}".encode()), "no answer to begin with")
            program.ready()
        waits, tokens = [], []
        for _ in range(rounds):
            token, seconds = self.one(program, state)
            waits.append(seconds)
            tokens.append(token)
        token = f"n8{self.number:05}"
        demand(answered(home, program, token), f"no answer after {state}")
        program.ready()
        program.type("\x04")
        demand(program.end(5) is not None and program.status == 0, "Ctrl-D does not leave")
        demand(program.mode() == program.found, "another terminal mode is left")
        program.close()
        if state in sound.STATES:
            # Ctrl-C is how a recording is cancelled.
            demand(not sound.recordings(home), f"{state}: a recording is left")
            demand(not sound.left(home), f"{state}: half a file: {sound.left(home)}")
        turns = home.turns()
        demand(all(turn[0] != "open" for turn in turns), f"{state}: a turn is open")
        if "{}" in STATES[state][0]:
            for token in tokens:
                mine = [turn for turn in turns if token in turn[1]["user"]]
                demand(len(mine) == 1, f"{state}: {token} is kept {len(mine)} times")
        return waits

    def run(self, rounds):
        states = chosen()
        waits = [(wait, state) for state in states for wait in self.life(state, rounds)]
        waits.sort()
        p99, state = waits[min(len(waits) - 1, int(len(waits) * 0.99))]
        detail = (
            f"{len(states)} states, median {waits[len(waits) // 2][0] * 1e3:.0f} ms, "
            f"p99 {p99 * 1e3:.0f} ms ({state}), "
            f"worst {waits[-1][0] * 1e3:.0f} ms ({waits[-1][1]})")
        demand(p99 <= LIMIT, detail)
        return detail
