#!/usr/bin/env python3
"""Résumés of invented people, one JSON object a line: text, what its owner declared, what
must not be seen of it and what must.

    Benchmarks/outside/generate.py [--seed TEXT] [--count N]

The first are one for each country, layout and trap; then they are drawn at random. The
same seed gives the same lines."""

import argparse
import json
import random
import sys

sys.dont_write_bytecode = True

import layouts
import traps
from people import COUNTRIES, Person

PARTICLES = {"de", "la", "le", "lo", "van", "von", "der", "den", "ten", "dos", "da", "e", "y", "af",
             "del", "della", "t", "d", "o", "n", "ap", "st", "sant", "prud", "m"}


def tokens(name):
    """The words of a name that tell who it is."""
    for mark in "-'’.":
        name = name.replace(mark, " ")
    return [w for w in name.split() if w.lower() not in PARTICLES and len(w) >= 3]


def make(number, seed, country, layout, trap):
    rng = random.Random(f"{seed} {number}")
    person = Person(rng, country, trap and trap.first, trap and trap.last)
    referee = Person(rng, country)
    while referee.last == person.last or referee.first == person.first:
        referee = Person(rng, country)
    parts, marks = layouts.Parts(rng, person, referee), traps.Marks()
    is_word = bool(trap and trap.is_word)
    if is_word:
        marks.keep += traps.WORDS[trap.name]
    if trap:
        trap.body(person, parts, marks)
    text = "\n".join(layout(person, parts)).rstrip() + "\n"
    hide = [["pair", person.name]] if is_word else [["name", w] for w in tokens(person.name)]
    hide += [["email", person.email], ["phone", person.phone], ["address", person.street],
             ["literal", person.handle], ["birth", person.birth]] + marks.hide
    return {
        "id": f"h{number}", "country": country, "layout": layout.__name__, "trap": trap.name if trap else None,
        "profile": person.profile() + marks.declare, "hide": hide,
        "referee": [["name", w] for w in tokens(referee.last)] + [["email", referee.email], ["phone", referee.phone]],
        "keep": parts.keep + marks.keep, "text": text,
    }


def plan(count, seed):
    """Every country in every layout somewhere, and every trap."""
    countries, rng = list(COUNTRIES), random.Random(f"plan {seed}")
    rows = []
    for index, trap in enumerate(traps.TRAPS):
        rows.append((trap.country or countries[index % len(countries)], layouts.ALL[(index * 7) % len(layouts.ALL)], trap))
    for index, country in enumerate(countries):
        rows.append((country, layouts.ALL[index % len(layouts.ALL)], None))
    for index, layout in enumerate(layouts.ALL):
        rows.append((countries[(index * 5 + 3) % len(countries)], layout, None))
    while len(rows) < count:
        trap = rng.choice([None] + traps.TRAPS)
        rows.append(((trap and trap.country) or rng.choice(countries), rng.choice(layouts.ALL), trap))
    return rows[:count] if count else rows


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--seed", default="outside")
    parser.add_argument("--count", type=int, default=0, help="0: one of everything")
    options = parser.parse_args()
    for number, (country, layout, trap) in enumerate(plan(options.count, options.seed)):
        print(json.dumps(make(number, options.seed, country, layout, trap), ensure_ascii=False))


if __name__ == "__main__":
    main()
