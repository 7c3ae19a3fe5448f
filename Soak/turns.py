"""Thousands of turns in one process: what it holds stays as it was."""

import json
import os
import tempfile
import time

from rig import Home, Program, demand

WARM = 500  # turns after which nothing may grow any more
GROWTH = 1.10
WAL_LIMIT = 16 << 20


class Turns:
    """The window is small, so that there is a summary every few dozen turns:
    what is held is then what one request needs."""

    def __init__(self, binary, provider, folder, random):
        self.provider = provider
        self.home = Home(binary, provider, tempfile.mkdtemp(dir=folder))
        os.makedirs(self.home.file(), mode=0o700, exist_ok=True)
        with open(self.home.file("config.json"), "w") as file:
            json.dump({"context_window": 16_384, "title": False}, file)

    def held(self, program):
        """KB in memory, and open descriptors."""
        with open(f"/proc/{program.pid}/status") as file:
            memory = next(int(line.split()[1]) for line in file if line.startswith("VmRSS"))
        return memory, len(os.listdir(f"/proc/{program.pid}/fd"))

    def run(self, count):
        program = Program(self.home.words(), self.home.variables)
        program.ready()
        samples, wal, waits = [], 0, []
        for number in range(count):
            token = f"n{number:06}"
            start = time.monotonic()
            program.type(f"plain {token}\r")
            demand(program.wait_for(f"END-{token}".encode()), f"no answer to {token}")
            program.ready()
            waits.append(time.monotonic() - start)
            if number >= WARM and number % 50 == 0:
                samples.append(self.held(program))
            if number % 50 == 0 and os.path.exists(self.home.file("chat.db-wal")):
                wal = max(wal, os.path.getsize(self.home.file("chat.db-wal")))
        if count <= WARM + 100:
            samples = [self.held(program)] * 2
        program.type("\x04")
        demand(program.end(10) is not None and program.status == 0, "Ctrl-D does not leave")
        program.close()
        tenth = max(1, len(samples) // 10)
        first = sum(memory for memory, _ in samples[:tenth]) / tenth
        last = sum(memory for memory, _ in samples[-tenth:]) / tenth
        descriptors = sorted({number for _, number in samples})
        third = max(1, len(waits) // 10)
        slow = [sorted(part)[len(part) // 2] for part in (waits[:third], waits[-third:])]
        if os.environ.get("SOAK_VERBOSE"):
            for place in range(0, count, third):
                part = sorted(waits[place:place + third])
                print(place, f"{part[len(part) // 2] * 1e3:.1f} ms", samples[
                    max(0, place - WARM) // 50:][:1])
        turns = len(self.home.turns())
        detail = (
            f"{first / 1024:.1f} MB after {WARM}, {last / 1024:.1f} MB at the end, "
            f"descriptors {descriptors}, WAL {wal / 1e6:.1f} MB at most, "
            f"{self.provider.summaries} summaries, a turn {slow[0] * 1e3:.0f} ms at first and "
            f"{slow[1] * 1e3:.0f} ms at the end")
        demand(turns == count, f"{turns} turns are kept of {count}")
        demand(last <= first * GROWTH, "memory grows: " + detail)
        demand(descriptors[-1] - descriptors[0] <= 1, "descriptors grow: " + detail)
        demand(wal <= WAL_LIMIT, "the WAL grows: " + detail)
        return detail
