#!/usr/bin/env python3
"""The programs that others use for the same, in the same run: codex, llm, todoman, khal, presidio.

    Benchmarks/peers.py [--venv FOLDER] [--quick] [--binary FILE]

They come from PyPI into a temporary environment, or are taken from FOLDER; one that cannot be
installed is left out, visibly. Everything happens in a temporary folder and on loopback. CPU
and peak memory are of the whole process with its children, medians of runs by turns.
"""

import argparse
import glob
import os
import shutil
import statistics
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
sys.path.insert(0, os.path.dirname(os.path.abspath(__file__)))

import calendars  # noqa: E402
from measures import Bench  # noqa: E402
from processes import Failure, Meter, Provider, build  # noqa: E402

WANTED = ("llm", "khal", "todoman", "presidio-analyzer", "openai-codex")
QUESTION = "Tell me at length why the sky is blue"

LLM = """- model_id: bench
  model_name: bench
  api_base: "{}"
"""

CODEX = """model = "bench"
model_provider = "bench"
[model_providers.bench]
name = "bench"
base_url = "{}"
env_key = "OPENAI_API_KEY"
wire_api = "responses"
"""

# What presidio finds with its patterns alone: its language models are no packages of PyPI.
PRESIDIO = """import sys
from presidio_analyzer import PatternRecognizer, RecognizerRegistry
registry = RecognizerRegistry()
registry.load_predefined_recognizers()
text = open(sys.argv[1]).read()
for one in registry.recognizers:
    if isinstance(one, PatternRecognizer) and one.supported_language == "en":
        one.analyze(text, one.supported_entities, None)
"""


class Peers:
    def __init__(self, bench, venv, is_quick):
        self.bench, self.venv, self.is_quick = bench, venv, is_quick
        self.codex = next(
            (path for path in glob.glob(f"{venv}/**/codex", recursive=True)
             if os.path.isfile(path) and os.access(path, os.X_OK)), None)

    def program(self, name):
        path = self.codex if name == "codex" else os.path.join(self.venv, "bin", name)
        return path if path and os.path.exists(path) else None

    def rows(self, what, commands, answers=False):
        """Each by turns; the first is the floor."""
        costs = {name: [] for name, words in commands if words[0]}
        print(f"{what}")
        for number in range(2 if self.is_quick else 6):
            for name, words in commands:
                if not words[0] or costs[name] is None:
                    continue
                try:
                    cost = self.bench.meter.run(words)
                    if answers:
                        self.bench.provider.forget()
                except Failure as error:
                    costs[name] = None
                    print(f"  {name:22} not measured: {str(error)[-160:]}")
                    continue
                # The first run fills caches.
                if number > 0:
                    costs[name].append(cost)
        floor = statistics.median(cost.cpu for cost in costs[commands[0][0]])
        for name, words in commands:
            if not words[0]:
                print(f"  {name:22} not installed")
            elif costs[name]:
                cpu, wall, peak = (
                    statistics.median(getattr(cost, field) for cost in costs[name])
                    for field in ("cpu", "wall", "peak"))
                print(f"  {name:22}{cpu * 1e3:9.1f} ms CPU {cpu / floor:8.2f}×"
                      f"{wall * 1e3:9.1f} ms{peak:8.1f} MiB")
        print(flush=True)

    def start(self):
        self.rows("--version, beside a C program with the same libraries", [
            ("C", [self.bench.programs["floor"], self.bench.path("floor.db")]),
            ("chat", [self.bench.binary, "--version"]),
            *((name, [self.program(name), "--version"]) for name in ("codex", "llm", "khal", "todo")),
        ])

    def answer(self, count):
        ours, curl = self.bench.ask("responses", str(count))
        self.bench.variables["LLM_USER_PATH"] = self.bench.path("llm")
        self.bench.variables["CODEX_HOME"] = self.bench.path("codex")
        for folder, file, text in (
            ("llm", "extra-openai-models.yaml", LLM), ("codex", "config.toml", CODEX),
        ):
            os.makedirs(self.bench.path(folder), exist_ok=True)
            with open(os.path.join(self.bench.path(folder), file), "w") as target:
                target.write(text.format(self.bench.provider.url(f"{count}/v1")))
        self.rows(f"an answer of {count:,} deltas, beside curl", [
            ("curl", curl), ("chat -p", ours),
            ("llm", [self.program("llm"), "-m", "bench", QUESTION]),
            ("codex exec", [
                self.program("codex"), "exec", "--skip-git-repo-check", "-C",
                self.bench.folder, QUESTION]),
        ], answers=True)

    def redaction(self):
        text, script = self.bench.path("text.txt"), self.bench.path("presidio.py")
        with open(text, "w") as file:
            file.write("Write to rosa@example.org or call +1 202 555 0143 before noon. " * 1_600)
        with open(script, "w") as file:
            file.write(PRESIDIO)
        python = os.path.join(self.venv, "bin", "python")
        self.rows("100 KB redacted, beside cat", [
            ("cat", ["/bin/cat", text]), ("chat redact", [self.bench.binary, "redact", text]),
            ("presidio, patterns", [python, script, text]),
        ])


def install(folder):
    venv = os.path.join(folder, "venv")
    subprocess.run([sys.executable, "-m", "venv", venv], check=True)
    for package in WANTED:
        done = subprocess.run(
            [os.path.join(venv, "bin", "pip"), "install", "--quiet", "--no-input",
             "--disable-pip-version-check", package], capture_output=True)
        if done.returncode != 0:
            print(f"pip could not install {package}")
    return venv


def main():
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--venv", metavar="FOLDER", help="an environment that has them")
    parser.add_argument("--quick", action="store_true", help="one run each, smaller lists")
    parser.add_argument(
        "--binary", default=os.path.join(calendars.REPOSITORY, ".build", "release", "chat"))
    chosen = parser.parse_args()
    folder, provider = tempfile.mkdtemp(prefix="bench-peers-"), Provider()
    try:
        venv = os.path.abspath(chosen.venv) if chosen.venv else install(folder)
        variables = calendars.environment(os.path.join(folder, "chat"), folder)
        variables |= {"OPENAI_API_KEY": "sk-none", "ANTHROPIC_API_KEY": "sk-none"}
        programs = build(folder)
        peers = Peers(
            Bench(chosen.binary, programs, folder, variables,
                  Meter(programs["meter"], folder, variables), provider, chosen.quick),
            venv, chosen.quick)
        peers.start()
        for count in (100, 20_000):
            peers.answer(count)
        peers.redaction()
        os.environ["PATH"] = os.path.join(venv, "bin") + ":" + os.environ["PATH"]
        calendars.lists(chosen.binary, folder, 1_000 if chosen.quick else 10_000)
    finally:
        provider.close()
        shutil.rmtree(folder, ignore_errors=True)


main()
