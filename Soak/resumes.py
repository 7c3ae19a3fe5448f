"""Thousands of invented people: nothing of them in what a server got."""

import os
import re
import subprocess
import sys

from rig import Violation

REPOSITORY = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))


class Resumes:
    """`Benchmarks/redaction.py` with people of its own in every run."""

    def __init__(self, binary, provider, folder, random):
        self.binary, self.seed = binary, random.randrange(1 << 32)

    def run(self, count):
        words = [os.path.join(REPOSITORY, "Benchmarks", "redaction.py"), "--binary", self.binary,
                 "--seed", str(self.seed), "--count", str(count), "--twins", str(min(count, 200))]
        result = subprocess.run([sys.executable, *words], capture_output=True, text=True)
        found = re.search(r"with any leak\s+(.*)", result.stdout)
        if result.returncode != 0:
            print(result.stdout, file=sys.stderr)
            raise Violation(f"redaction.py --seed {self.seed}: {result.stderr[-300:]}"
                            f"{' '.join(found[1].split()) if found else 'no table'} with a leak")
        return f"seed {self.seed}; with any leak: {' '.join(found[1].split())}"
