#!/usr/bin/env python3
"""Says what was really spoken in each locale, and what rendering costs beside the engine.

    Benchmarks/speaking.py [--binary FILE] locales
    Benchmarks/speaking.py [--binary FILE] formats [--minutes N]

`locales` renders a short story of two characters in each language. A program that stands
before espeak-ng in PATH notes how it was started. The table has the voices that read, the
voice of the machine whose sound correlates best with the narrator's, and how many of the
three voices can be told apart. It fails if a language is read by a voice of another.

`formats` renders N minutes (default: 30) to each format: seconds of CPU, with those of all
children, beside espeak-ng's own for the same sentences, and the size.
"""

import argparse
import array
import os
import resource
import shutil
import subprocess
import sys
import tempfile
import wave

HERE = os.path.dirname(os.path.abspath(__file__))
REPOSITORY = os.path.dirname(HERE)
# A narrated sentence, then what she and he say.
LOCALES = {
    "en-US": ("The moon rose over the wide field.", "“Good evening,” said Anna.",
              "“Good night,” said Paul."),
    "en-GB": ("The moon rose over the wide field.", "“Good evening,” said Anna.",
              "“Good night,” said Paul."),
    "de-DE": ("Der Mond stieg über das weite Feld.", "„Guten Abend“, sagte Anna.",
              "„Gute Nacht“, sagte Paul."),
    "de-AT": ("Der Mond stieg über das weite Feld.", "„Guten Abend“, sagte Anna.",
              "„Gute Nacht“, sagte Paul."),
    "fr-FR": ("La lune montait sur le vaste champ.", "« Bonsoir », dit Anna.",
              "« Bonne nuit », dit Paul."),
    "es-ES": ("La luna subía sobre el ancho campo.", "«Buenas tardes», dijo Anna.",
              "«Buenas noches», dijo Paul."),
    "pt-PT": ("A lua subia sobre o largo campo.", "«Boa tarde», disse Anna.",
              "«Boa noite», disse Paul."),
    "pt-BR": ("A lua subia sobre o largo campo.", "«Boa tarde», disse Anna.",
              "«Boa noite», disse Paul."),
    "it": ("La luna saliva sul largo campo.", "«Buona sera», disse Anna.",
           "«Buona notte», disse Paul."),
    "nl-NL": ("De maan rees boven het wijde veld.", "“Goedenavond,” zei Anna.",
              "“Goedenacht,” zei Paul."),
    "no": ("Månen steg over den vide marken.", "«God kveld», sa Anna.",
           "«God natt», sa Paul."),
    "ja-jp": ("つきがのぼりました。", "「こんばんは」", "「おやすみ」"),
    "zh": ("月亮升起来了。", "“晚上好。”", "“晚安。”"),
}
# Voices that once read other languages, by which a mistake would be recognized.
STRANGERS = ("en-us", "en-gb", "af", "he", "yue", "de", "fr-fr")
# The engine's names of languages that have another code there.
ALSO = {"no": "nb", "zh": "cmn"}
FORMATS = ("wav", "mp3", "m4b", "opus", "flac")
SENTENCE = "The old man walked slowly down to the harbour, where number {} was lying. "
# Words that espeak-ng reads in a minute.
PACE = 165


class Place:
    """A home, and a folder before PATH whose espeak-ng notes its arguments."""

    def __init__(self, binary, folder):
        self.binary, self.folder = binary, folder
        self.engine = shutil.which("espeak-ng") or sys.exit("espeak-ng is not installed")
        self.log = os.path.join(folder, "log")
        tools = os.path.join(folder, "bin")
        os.mkdir(tools)
        shim = os.path.join(tools, "espeak-ng")
        with open(shim, "w", encoding="utf-8") as file:
            file.write(f"#!/bin/sh\nprintf '%s\\n' \"$*\" >> '{self.log}'\n"
                       f"exec '{self.engine}' \"$@\"\n")
        os.chmod(shim, 0o700)
        self.variables = {"PATH": f"{tools}:{os.environ['PATH']}", "HOME": folder,
                          "LANG": "C.UTF-8", "CHAT_HOME": os.path.join(folder, "chat")}

    def chat(self, *words):
        done = subprocess.run([self.binary, *words], env=self.variables, cwd=self.folder,
                              capture_output=True, check=False)
        if done.returncode:
            sys.exit(f"chat {' '.join(words)}: {done.stderr.decode(errors='replace')}")

    def spoken(self):
        """The arguments of every run that read a text."""
        with open(self.log, encoding="utf-8") as file:
            runs = [line.split() for line in file]
        return [run for run in runs if "-s" in run and "-v" in run]


def voice(run):
    return run[run.index("-v") + 1]


def samples(path):
    with wave.open(path) as file:
        return array.array("h", file.readframes(file.getnframes()))


def energies(sound):
    """The energy of each hundredth of a second, from the first sound on."""
    width = 220
    found = [sum(x * x for x in sound[at:at + width]) for at in range(0, len(sound), width)]
    while found and found[0] == 0:
        found.pop(0)
    return [value ** 0.25 for value in found]


def likeness(one, other):
    """The correlation of two curves, the shorter one as it is."""
    count = min(len(one), len(other))
    if count < 10:
        return 0
    one, other = one[:count], other[:count]
    mean = (sum(one) / count, sum(other) / count)
    above = sum((a - mean[0]) * (b - mean[1]) for a, b in zip(one, other))
    below = (sum((a - mean[0]) ** 2 for a in one)
             * sum((b - mean[1]) ** 2 for b in other)) ** 0.5
    return above / below if below else 0


def languages(engine):
    """The voices that the engine has, each with its languages."""
    lines = subprocess.run([engine, "--voices"], capture_output=True, check=True).stdout
    found = {}
    for line in lines.decode().splitlines()[1:]:
        words = line.split()
        found[words[1]] = {word.strip("()") for word in [words[1], *words[5:]]}
    return found


def read(engine, setting, text, path):
    name, speed, pitch = setting
    # A voice that needs data of another package makes no sound.
    done = subprocess.run([engine, "-z", "-w", path, "-v", name, "-s", speed, "-p", pitch, text],
                          capture_output=True, check=False)
    return samples(path) if done.returncode == 0 else array.array("h")


def locales(binary):
    wrong = 0
    print(f"{'language':9} {'voices that read':44} {'sounds most like':22} apart")
    for language, (narrated, *said) in LOCALES.items():
        with tempfile.TemporaryDirectory() as folder:
            place = Place(binary, folder)
            known = languages(place.engine)
            path = os.path.join(folder, "story.txt")
            with open(path, "w", encoding="utf-8") as file:
                file.write("\n\n".join([narrated, *said, narrated]) + "\n")
            place.chat("story", "import", path, "--language", language)
            place.chat("story", "index", "s1", "--offline")
            target = os.path.join(folder, "story.wav")
            place.chat("story", "render", "s1", "-o", target)
            runs = place.spoken()
            settings = []
            for run in runs:
                known_by = tuple(run[run.index(word) + 1] for word in ("-v", "-s", "-p"))
                if known_by not in settings:
                    settings.append(known_by)
            heard = energies(samples(target))
            scores = {}
            trial = os.path.join(folder, "trial.wav")
            base = language.lower().split("-")[0]
            for name, tags in known.items():
                if name in STRANGERS or base in {tag.split("-")[0] for tag in tags}:
                    sound = read(place.engine, (name, *settings[0][1:]), narrated, trial)
                    # Only the narrator's first sentence.
                    scores[name] = likeness(energies(sound), heard)
            best = max(scores, key=scores.get)
            apart = len({tuple(read(place.engine, setting, narrated, trial))
                         for setting in settings})
            bases = {setting[0].split("+")[0] for setting in settings}
            is_right = all(base in {tag.split("-")[0] for tag in known.get(name, {name})}
                           or ALSO.get(base) == name for name in bases)
            wrong += not is_right
            shown = ", ".join("/".join(setting) for setting in settings)
            print(f"{language:9} {shown[:44]:44} {best:15} {scores[best]:6.2f} "
                  f"{apart} of {len(settings)}{'' if is_right else '   ANOTHER LANGUAGE'}",
                  flush=True)
    return 1 if wrong else 0


def cpu(words, **options):
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    subprocess.run(words, check=True, capture_output=True, **options)
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    return after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime


def formats(binary, minutes):
    text = ""
    count = minutes * PACE // len(SENTENCE.split())
    for number in range(count):
        text += SENTENCE.format(number) + ("\n\n" if number % 5 == 4 else "")
    with tempfile.TemporaryDirectory() as folder:
        place = Place(binary, folder)
        path = os.path.join(folder, "story.txt")
        with open(path, "w", encoding="utf-8") as file:
            file.write(text)
        sound = os.path.join(folder, "engine.wav")
        own = cpu([place.engine, "-z", "-f", path, "-w", sound])
        seconds = os.path.getsize(sound) / 44_100
        print(f"espeak-ng alone: {own:.1f} s of CPU for {seconds / 60:.1f} minutes")
        print(f"{'format':7}{'CPU':>8}{'× engine':>10}{'MB':>8}")
        variables = dict(place.variables, PATH=os.environ["PATH"])
        subprocess.run([binary, "story", "import", path, "--language", "en"], env=variables,
                       check=True, capture_output=True)
        for name in FORMATS:
            if name != "wav" and not shutil.which("ffmpeg"):
                print(f"{name:7}  ffmpeg is not installed")
                continue
            target = os.path.join(folder, f"story.{name}")
            # A fresh cache each time, so that every format pays for the speech.
            shutil.rmtree(os.path.join(folder, "chat", "cache"), ignore_errors=True)
            spent = cpu([binary, "story", "render", "s1", "-o", target], env=variables)
            print(f"{name:7}{spent:7.1f}s{spent / own:9.2f}×"
                  f"{os.path.getsize(target) / 1e6:8.1f}", flush=True)
    return 0


def main():
    arguments = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("what", choices=["locales", "formats"])
    arguments.add_argument("--binary")
    arguments.add_argument("--minutes", type=int, default=30)
    options = arguments.parse_args()
    binary = options.binary or os.path.join(REPOSITORY, ".build", "release", "chat")
    if not os.path.exists(binary):
        sys.exit(f"{binary} is missing: make build, or --binary FILE")
    binary = os.path.abspath(binary)
    sys.exit(locales(binary) if options.what == "locales" else formats(binary, options.minutes))


main()
