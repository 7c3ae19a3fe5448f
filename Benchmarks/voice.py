"""The measures of voice: recordings that are sent and made, text that is read
aloud, each beside `curl -F`, `cat` or espeak-ng of the same.
"""

import contextlib
import os
import random
import select
import shutil
import signal
import statistics
import subprocess
import time

from measures import Result
from processes import GUARD, Failure, ended

RATE = 16_000
SENTENCE = "The quick brown fox jumps over the lazy dog, and nobody minds it. "


def wave(path, seconds):
    """Speech for a meter: noise with a pause every five seconds, 16 kHz mono."""
    chance = random.Random(1)
    quiet = bytes(RATE)  # half a second
    loud = chance.randbytes(RATE * 2 * 5 - len(quiet))
    size = seconds * RATE * 2
    with open(path, "wb") as file:
        file.write(
            b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt "
            + (16).to_bytes(4, "little") + b"\1\0\1\0" + RATE.to_bytes(4, "little")
            + (RATE * 2).to_bytes(4, "little") + b"\2\0\20\0" + b"data"
            + size.to_bytes(4, "little"))
        for _ in range(seconds // 5):
            file.write(loud + quiet)
    return path


def program(name):
    path = shutil.which(name)
    if not path:
        raise Failure(f"{name} is not installed")
    return path


@contextlib.contextmanager
def changed(bench, **variables):
    before = dict(bench.variables)
    bench.variables.update(variables)
    try:
        yield
    finally:
        bench.variables.clear()
        bench.variables.update(before)


def sent(bench, path, times, pieces):
    """What it costs us and curl to send a recording; the server has read all
    of it each time."""
    address = bench.provider.url("sound/v1/audio/transcriptions")
    ours = [bench.binary, "transcribe", "--no-save", "--language", "en", path]
    curl = [program("curl"), "-sS", "-H", "Expect:", "-F", f"file=@{path};type=audio/wav", "-F", "model=whisper-1",
            "-F", "language=en", address]
    size = os.path.getsize(path)
    costs = {"ours": [], "curl": []}
    with changed(bench, OPENAI_BASE_URL=bench.provider.url("sound/v1")):
        for _ in range(times):
            for name, words, count in (("ours", ours, pieces), ("curl", curl, 1)):
                bench.provider.forget()
                costs[name].append(bench.meter.run(words))
                read = sum(bench.provider.answered()["bytes"] for _ in range(count))
                if read < size:
                    raise Failure(f"{name} has sent {read} of {size} bytes")
    return costs


def rows(what, costs, budget, memory):
    def median(name, member):
        return statistics.median(getattr(cost, member) for cost in costs[name])

    return [
        Result(
            f"{what}, CPU", median("ours", "cpu") * 1e3, "ms", budget,
            median("curl", "cpu") * 1e3),
        Result(
            f"{what}, wall", median("ours", "wall") * 1e3, "ms", None,
            median("curl", "wall") * 1e3),
        Result(
            f"{what}, peak memory", max(cost.peak for cost in costs["ours"]), "MiB", memory,
            median("curl", "peak"), bounds="ours")]


def upload(bench):
    seconds = 24_000_000 // (RATE * 2)
    costs = sent(bench, wave(bench.path("upload.wav"), seconds), bench.times(12), 1)
    return rows("WAV of 24 MB sent", costs, 3, 40)


def pieces(bench):
    minutes = 15 if bench.is_quick else 60
    path = wave(bench.path("long.wav"), minutes * 60)
    # By what comes to the server of one run: where it is cut is not our affair.
    with changed(bench, OPENAI_BASE_URL=bench.provider.url("sound/v1")):
        bench.provider.forget()
        bench.meter.run([bench.binary, "transcribe", "--no-save", path])
    count = 0
    while select.select([bench.provider.process.stdout], [], [], 0.2)[0]:
        bench.provider.answered()
        count += 1
    costs = sent(bench, path, bench.times(8), count)
    os.unlink(path)
    return rows(f"WAV of {minutes} minutes in {count} pieces", costs, 3, 40)


def read_aloud(bench):
    """Long text into a WAV file; and when the first sound of a sentence comes."""
    espeak = program("espeak-ng")
    text = bench.path("text")
    count = (3_000 if bench.is_quick else 100_000) // len(SENTENCE)
    with open(text, "w") as file:
        file.write(SENTENCE * count)
    target = bench.path("said.wav")
    ours = [bench.binary, "say", "--force", "--file", text, "--output", target]
    base = [espeak, "-b", "1", "-z", "-f", text, "-w", target]
    processes = [
        "/bin/sh", "-c",
        f"i=0; while [ $i -lt {count} ]; do printf '%s' '{SENTENCE}' | "
        f"{espeak} -b 1 -z --stdin --stdout; i=$((i+1)); done >{target}"]
    # Tries the voice once, which is kept.
    bench.meter.run(ours)
    costs = {"ours": [], "base": [], "processes": []}
    for _ in range(bench.times(4)):
        for name, words in (("ours", ours), ("base", base), ("processes", processes)):
            costs[name].append(bench.meter.run(words).cpu * 1e3)
    what = f"{count:,} sentences said into a file, CPU"
    middle = {name: statistics.median(values) for name, values in costs.items()}
    return [
        Result(what, middle["ours"], "ms", None, middle["base"]),
        Result(
            "the same beside one espeak-ng for each", middle["ours"], "ms", 1.5,
            middle["processes"])]


def read_story(bench):
    """A story into a WAV file, whose sentences are all different and were not made before."""
    espeak = program("espeak-ng")
    count = (60 if bench.is_quick else 1_000)
    text = bench.path("story.txt")
    with open(text, "w") as file:
        for number in range(count):
            file.write(f"Fox number {number:,} jumps over the lazy dog, and nobody minds it." + ("\n\n" if number % 9 == 8 else " "))
    target = bench.path("story.wav")
    bench.meter.run([bench.binary, "story", "import", text])
    ours = [bench.binary, "story", "render", "last", "--force", "-o", target]
    base = [espeak, "-b", "1", "-z", "-f", text, "-w", target]
    # Tries the voices once, which is kept.
    bench.meter.run(ours)
    pairs = []
    for number in range(bench.times(7)):
        shutil.rmtree(os.path.join(bench.home, "state", "sound"))
        cost = {}
        order = [("ours", ours), ("base", base)]
        # What the machine does besides gets slower or faster: each is first in turn.
        for name, words in order if number % 2 else reversed(order):
            # What the run before has left to write is not this one's.
            os.sync()
            cost[name] = bench.meter.run(words).cpu * 1e3
        pairs.append(cost)
    # Both of one pair, which ran side by side.
    pairs.sort(key=lambda cost: cost["ours"] / cost["base"])
    middle = pairs[len(pairs) // 2]
    return [Result(
        f"story of {count:,} sentences as sound, CPU", middle["ours"], "ms", 1.2, middle["base"])]


def first_sound(bench):
    """From the start of the program to the first sample at the player."""
    espeak = program("espeak-ng")
    pipe = bench.path("player")
    os.mkfifo(pipe)
    # Open for writing too, so that there is no end and nobody waits for us.
    player = os.open(pipe, os.O_RDWR | os.O_NONBLOCK)
    delays = {"ours": [], "base": []}
    ours = [bench.binary, "say", SENTENCE]
    base = ["/bin/sh", "-c", f"printf '%s' '{SENTENCE}' | {espeak} -b 1 -z --stdin --stdout"]
    try:
        with changed(bench, CHAT_PLAYER=f"{program('tee')} {pipe}"):
            # The first time tries the voice.
            for _ in range(bench.times(20) + 1):
                delays["ours"].append(first_bytes(bench, ours, player))
                delays["base"].append(first_bytes(bench, base, None))
    finally:
        os.close(player)
    return [Result(
        "first sound of a sentence, from the start", statistics.median(delays["ours"][1:]), "ms",
        50, statistics.median(delays["base"][1:]), bounds="difference")]


def first_bytes(bench, words, source):
    """Milliseconds until more than a header comes there; then it is ended."""
    start = time.monotonic_ns()
    process = bench.meter.start(
        words, subprocess.PIPE if source is None else subprocess.DEVNULL, subprocess.DEVNULL)
    with ended(process):
        source = process.stdout.fileno() if source is None else source
        count = 0
        while count <= 44:
            if not select.select([source], [], [], GUARD)[0]:
                raise Failure(f"{words[0]} gives no sound")
            piece = os.read(source, 65536)
            if not piece:
                raise Failure(f"{words[0]} ended without a sound")
            count += len(piece)
        taken = (time.monotonic_ns() - start) / 1e6
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGTERM)
        process.wait(GUARD)
        # What is left of this one is not the next one's.
        with contextlib.suppress(BlockingIOError):
            while os.read(source, 65536):
                pass
    return taken


def recorded(bench):
    results = []
    for seconds, budget in ((60, None), (600 if bench.is_quick else 3_600, None)):
        samples = bench.path("samples")
        wave(samples, seconds)
        target = bench.path("recorded.wav")
        ours = [bench.binary, "record", "--no-transcribe", "--output", target]
        base = ["/bin/sh", "-c", f"exec cat {samples} >{target}"]
        costs = {"ours": [], "base": []}
        with changed(bench, CHAT_RECORDER=f"{program('cat')} {samples}"):
            for _ in range(bench.times(12)):
                for name, words in (("ours", ours), ("base", base)):
                    with contextlib.suppress(FileNotFoundError):
                        os.unlink(target)
                    costs[name].append(bench.meter.run(words).cpu * 1e3)
                    if os.path.getsize(target) < seconds * RATE * 2:
                        raise Failure(f"{name} has lost some of it")
        results.append(Result(
            f"{seconds} s recorded at full speed, CPU", statistics.median(costs["ours"]), "ms",
            budget, statistics.median(costs["base"])))
    return results


VOICE = [
    ("voice: upload", upload), ("voice: pieces", pieces), ("voice: read aloud", read_aloud), ("voice: story", read_story),
    ("voice: first sound", first_sound), ("voice: record", recorded),
]
