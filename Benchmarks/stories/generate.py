#!/usr/bin/env python3
"""Writes scenes whose speakers are known because they were made that way.

    Benchmarks/stories/generate.py [--seed N] [--count N] [--out FILE]
    Benchmarks/stories/generate.py --novel KB --out FILE.txt

A scene crosses a way of naming people with verbs, places of the tag, pronoun tags, vocatives,
runs of two and three speakers, paragraphs that continue a quotation, the first person, a style of
quotation marks, nested quotations, and quoted words that are not speech. The same seed gives the
same bytes. `generated.json` beside this file is one frozen sample of it.

A quotation's "kind" is explicit (its own tag names the speaker), anaphoric (its tag has a pronoun,
or it goes on from such a one) or implicit (no tag); "speech": false means that nobody says it.
Offsets are UTF-8 bytes, marks included.

`--novel` writes a book of that many kilobytes instead, as plain text such as Project Gutenberg has it:
chapters of scenes, one cast for all of them, lines broken at 72 columns, stressed _words_, stars
between scenes.
"""

import argparse
import json
import os
import random
import textwrap

import words

HERE = os.path.dirname(os.path.abspath(__file__))
MARKS = {
    "double-curly": ("“", "”", "‘", "’"), "double-straight": ('"', '"', "'", "'"),
    "single-curly": ("‘", "’", "“", "”"), "single-straight": ("'", "'", '"', '"'),
    "guillemets": ("«", "»", "“", "”"),
}
STYLES = ["double-curly"] * 4 + ["double-straight"] * 3 + ["single-curly", "single-straight", "guillemets"]


class Person:
    """One of the cast: how the narration names it first, later, and how others call it."""

    def __init__(self, random, gender, taken, narrator=False):
        def fresh(names):
            name = random.choice([name for name in names if name not in taken])
            taken.add(name)
            return name

        self.gender, self.narrator = gender, narrator
        self.he, self.his = ("he", "his") if gender == "male" else ("she", "her")
        first = fresh(words.MEN if gender == "male" else words.WOMEN)
        last = fresh(words.SURNAMES)
        title = random.choice(words.TITLES[gender])
        way = "narrator" if narrator else random.choice(["first", "first", "full", "full", "title", "title", "short", "role"])
        if way == "short" and first not in words.SHORT:
            way = "full"
        short = words.SHORT.get(first)
        if way == "first":
            self.name, self.intro, self.later, self.calls = first, first, [first], [first]
        elif way in ("full", "short"):
            self.name = self.intro = f"{first} {last}"
            self.later, self.calls = [first], [short] if way == "short" else [first]
        elif way == "title":
            self.name = f"{title} {first}" if title in ("Sir", "Lady") else f"{title} {last}"
            self.intro = self.name
            self.later, self.calls = [self.name], [self.name]
            if gender == "male" and title in ("Mr.", "Doctor") and random.random() < 0.4:
                self.later.append(last)
        elif way == "role":
            role = fresh(words.ROLES[gender])
            self.name = self.intro = "the " + role
            self.later, self.calls = [self.name], []
        else:
            self.name, self.intro, self.later, self.calls = first, "I", ["I"], [first]
        # Whether the name says that this is a man or a woman.
        self.is_plain = way == "role" or way == "title" or first not in words.RARE
        self.aliases = sorted(({self.intro, *self.later, *self.calls} - {self.name}))

    def record(self):
        return {"name": self.name, "aliases": self.aliases, "gender": self.gender}


class Scene:
    def __init__(self, random):
        self.random = random
        self.style = random.choice(STYLES)
        self.open, self.close, self.inner_open, self.inner_close = MARKS[self.style]
        self.bytes, self.quotes = b"", []
        taken = set()
        count = random.choice([2, 2, 3])
        genders = [random.choice(["male", "female"]) for _ in range(count)]
        if random.random() < 0.5:
            genders[1] = "female" if genders[0] == "male" else "male"
        first = random.random() < 0.25
        self.people = [Person(random, gender, taken, first and index == 0) for index, gender in enumerate(genders)]

    # The text as it grows.

    def add(self, text):
        self.bytes += text.encode()

    def paragraph(self):
        if self.bytes:
            self.add("\n\n")

    def quote(self, text, person, kind, closes=True, speech=True):
        start = len(self.bytes)
        self.add(self.open + text + (self.close if closes else ""))
        self.quotes.append({"start": start, "end": len(self.bytes), "speaker": person.name if person else None,
                            "kind": kind, **({} if speech else {"speech": False})})

    # What is said.

    def line(self, person, call=None):
        """A sentence without its end and the mark it ends with."""
        random = self.random
        asks = random.random() < 0.3
        text = random.choice(words.QUESTIONS if asks else words.STATEMENTS)
        if not asks and self.style != "guillemets" and random.random() < 0.06:
            nested = self.inner_open + random.choice(words.NESTED_WORDS) + self.inner_close
            text = random.choice(words.NESTED).format(q=nested)
        if call:
            if random.random() < 0.5:
                text = f"{call}, {text}"
            else:
                text = f"{text[0].upper()}{text[1:]}, {call}"
        return text[0].upper() + text[1:], "?" if asks else "."

    def called(self, other):
        return self.random.choice(other.calls) if other.calls and self.random.random() < 0.25 else None

    def verb(self, end):
        return self.random.choice(words.QUESTION_VERBS if end == "?" else words.VERBS)

    def tag(self, person, name, end):
        verb, adverb = self.verb(end), self.random.choice(words.ADVERBS)
        swaps = self.random.random() < 0.6 and name not in ("he", "she", "I")
        return (f"{verb} {name}" if swaps else f"{name} {verb}") + adverb

    def turn(self, person, other, way, names=None):
        """One paragraph in which a person speaks to another."""
        random = self.random
        call = self.called(other)
        text, end = self.line(person, call)
        inside = end if end == "?" else ","
        name = names or random.choice(person.later)
        kind = "implicit" if way == "bare" else "anaphoric" if name in ("he", "she") else "explicit"
        capital = name[0].upper() + name[1:]
        self.paragraph()
        if way == "bare":
            self.quote(text + end, person, kind)
        elif way == "after":
            self.quote(text + inside, person, kind)
            self.add(" " + self.tag(person, name, end) + ".")
        elif way == "before":
            self.add(f"{capital} {self.verb(end)}, ")
            self.quote(text + end, person, kind)
        elif way == "middle":
            self.quote(text + inside, person, kind)
            self.add(" " + self.tag(person, name, end) + ". ")
            self.quote(random.choice(words.SECONDS), person, kind)
        elif way == "beat":
            beat = random.choice(words.BEATS_I if person.narrator else words.BEATS).format(his=person.his)
            self.add(f"{capital} {beat}. ")
            self.quote(text + end, person, "anaphoric" if kind == "anaphoric" else "implicit")
        elif way == "continued":
            self.quote(text + inside, person, kind)
            self.add(" " + self.tag(person, name, end) + ". ")
            self.quote(random.choice(words.SECONDS), person, kind, closes=False)
            self.paragraph()
            again, end = self.line(person)
            self.quote(again + end, person, kind)
        return call

    def way(self):
        return self.random.choice(["after"] * 5 + ["before", "middle", "middle", "beat", "beat", "continued"])

    def pronoun(self, person, others):
        """The pronoun, where it can mean nobody else."""
        if person.narrator or any(not other.narrator and other.gender == person.gender for other in others):
            return None
        return person.he

    # Runs.

    def opening(self):
        random, people = self.random, self.people
        names = dict(zip("ABC", (person.intro for person in people)), place=random.choice(words.PLACES))
        first = people[0].narrator
        text = random.choice(words.OPENINGS_I if first else words.OPENINGS).format(**names)
        if len(people) == 3:
            third = random.choice(words.THIRD_I if first else words.THIRD)
            text += " " + " ".join([third.format(he=people[2].he, **names)])
        for person in people:
            if not person.narrator and (not person.is_plain or random.random() < 0.2):
                text += " " + random.choice(words.HABITS).format(A=person.later[0], his=person.his)
        text = ". ".join(part[0].upper() + part[1:] for part in text.split(". "))
        self.paragraph()
        self.add(text)

    def pair(self, one, two, turns):
        """Two people in turn; each is named before the bare lines begin."""
        for index in range(turns):
            person, other = (one, two) if index % 2 == 0 else (two, one)
            others = [someone for someone in self.people if someone is not person]
            roll = self.random.random()
            if index < 2:
                self.turn(person, other, self.way())
            elif roll < 0.45:
                self.turn(person, other, "bare")
            elif roll < 0.7 and self.pronoun(person, others):
                self.turn(person, other, self.way(), self.pronoun(person, others))
            else:
                self.turn(person, other, self.way())

    def circle(self, turns):
        """Three people; who is not named has just been called by name."""
        person, call = self.random.choice(self.people), None
        before = None
        for _ in range(turns):
            others = [someone for someone in self.people if someone is not person]
            other = self.random.choice(others)
            bare = call and person.calls and call in person.calls and self.random.random() < 0.5
            call = self.turn(person, other, "bare" if bare else self.way())
            before, person = person, other if call else self.random.choice(others)
        return before

    def interval(self):
        random = self.random
        self.paragraph()
        if self.style not in ("single-curly", "single-straight") and random.random() < 0.5:
            text, quoted = random.choice(words.SCARE)
            before, after = text.split("{q}")
            self.add(before)
            self.quote(random.choice(quoted), None, "implicit", speech=False)
            self.add(after)
        else:
            self.add(random.choice(words.INTERVALS))

    def write(self, number, seed):
        self.opening()
        people = list(self.people)
        if len(people) == 2:
            self.pair(*people, self.random.randint(4, 6))
            if self.random.random() < 0.5:
                self.interval()
            self.pair(*people, self.random.randint(3, 5))
        else:
            self.circle(self.random.randint(4, 6))
            if self.random.random() < 0.4:
                self.interval()
            self.random.shuffle(people)
            self.pair(people[0], people[1], self.random.randint(3, 5))
        self.add("\n")
        for person in self.people:
            # Nobody can know who "I" is where no one says so.
            if person.narrator and person.name.encode() not in self.bytes:
                person.gender = None
        return {
            "source": {"title": f"scene {number}", "chapter": self.style, "author": f"generate.py --seed {seed}",
                       "language": "en"},
            "text": self.bytes.decode(), "cast": [person.record() for person in self.people], "quotes": self.quotes,
        }


def scenes(seed, count):
    for number in range(1, count + 1):
        yield Scene(random.Random(seed * 100_003 + number)).write(number, seed)


class Novel(Scene):
    """A book: its people meet by twos and threes."""

    CAST, SCENES = 14, 8

    def __init__(self, random):
        super().__init__(random)
        self.style = "double-curly"
        self.open, self.close, self.inner_open, self.inner_close = MARKS[self.style]
        taken = set()
        self.cast = [Person(random, random.choice(["male", "female"]), taken) for _ in range(self.CAST)]

    def scene(self):
        self.people = self.random.sample(self.cast, self.random.choice([2, 2, 3]))
        self.opening()
        if len(self.people) == 3:
            self.circle(self.random.randint(4, 6))
        for _ in range(self.random.randint(1, 3)):
            self.pair(*self.people[:2], self.random.randint(4, 8))
            self.interval()

    def paragraphs(self, text):
        for paragraph in text.split("\n\n"):
            words_ = paragraph.split(" ")
            if self.random.random() < 0.05 and words_[-2:-1] and words_[-2].isalpha():
                words_[-2] = f"_{words_[-2]}_"
            yield textwrap.fill(" ".join(words_), 72, break_on_hyphens=False)

    def book(self, size):
        parts, chapter = [f"THE GENERATED NOVEL\n\nby generate.py"], 0
        while sum(len(part) + 2 for part in parts) < size:
            chapter += 1
            place = self.random.choice(words.PLACES)
            parts.append(f"\nCHAPTER {chapter}. {place[0].upper()}{place[1:]}\n")
            for number in range(self.SCENES):
                self.bytes, self.quotes = b"", []
                self.scene()
                parts += self.paragraphs(self.bytes.decode())
                if number + 1 < self.SCENES:
                    parts.append("       *       *       *       *")
        return "\n\n".join(parts) + "\n"


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--count", type=int, default=300)
    parser.add_argument("--out", default=os.path.join(HERE, "generated.json"))
    parser.add_argument("--novel", type=int, metavar="KB")
    options = parser.parse_args()
    if options.novel:
        with open(options.out, "w", encoding="utf-8") as file:
            file.write(Novel(random.Random(options.seed)).book(options.novel * 1_000))
        return
    lines = [json.dumps(scene, ensure_ascii=False, separators=(",", ":")) for scene in scenes(options.seed, options.count)]
    with open(options.out, "w", encoding="utf-8") as file:
        file.write("[\n" + ",\n".join(lines) + "\n]\n")


if __name__ == "__main__":
    main()
