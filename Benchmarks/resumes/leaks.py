"""Looks for a person in what left the machine, as the one who gets it could.

It knows nothing of how the program redacts. A text is looked at as it is, as its JSON
says, with the escapes of HTML and URLs undone, without markup and characters nobody
sees, and with base64 decoded; names also without accents, blanks and dots, numbers as
their digits alone.
"""

import base64
import binascii
import html
import json
import re
import unicodedata
import urllib.parse

from people import unaccented

UNSEEN = re.compile("[\u00ad\u200b-\u200f\u2060-\u2064\ufeff\u202a-\u202e]")
TAGS = re.compile(r"</?[a-zA-Z][^<>]{0,40}>|[*_`~\\]")


def folded(text):
    text = UNSEEN.sub("", unicodedata.normalize("NFKC", text))
    return " ".join(unaccented(text).casefold().split())


def compact(text):
    return re.sub(r"[\W_]+", "", folded(text))


def digits(text):
    """Runs of digits, joined over what stands inside a number; others stay apart."""
    return re.sub(r"[^\d]+", lambda m: "" if re.fullmatch(r"[\s()+./\-\u2013x]{1,4}", m[0]) else "|", text)


def strings(value):
    if isinstance(value, dict):
        for key, member in value.items():
            yield key
            yield from strings(member)
    elif isinstance(value, list):
        for member in value:
            yield from strings(member)
    elif isinstance(value, str):
        yield value
        if value[:1] in "[{":
            try:
                yield from strings(json.loads(value))
            except ValueError:
                pass


def views(body):
    """Name of the reading and the text it gives."""
    found = {"raw": body}
    try:
        found["text"] = "\n".join(strings(json.loads(body)))
    except ValueError:
        pass
    text = found.get("text", body)
    found["html"] = html.unescape(text)
    found["percent"] = urllib.parse.unquote_plus(text)
    found["escapes"] = re.sub(r"\\u([0-9a-fA-F]{4})", lambda m: chr(int(m[1], 16)), text)
    found["markup"] = TAGS.sub("", text)
    decoded = []
    for run in re.findall(r"[A-Za-z0-9+/_-]{12,}", text):
        run = run.translate(str.maketrans("-_", "+/"))
        for start in range(4):
            part = run[start:start + (len(run) - start) // 4 * 4]
            try:
                decoded.append(base64.b64decode(part).decode("utf-8", "ignore"))
            except (binascii.Error, ValueError):
                pass
    found["base64"] = "\n".join(decoded)
    # A reading that changed nothing finds nothing new.
    return {name: view for name, view in found.items() if name in ("raw", "text") or view != text}


def needles(person):
    """Kind, how it is looked for, and what: `word`, `run` (letters and digits alone) or
    `number`. Single names that are words are left out: they may stand anywhere."""
    first, last = person["first"], person["last"].replace(" Jr.", "")
    made = [("name", "word", f"{first} {last}"), ("name", "word", f"{last} {first}"),
            ("name", "word", f"{first[0]} {last}"), ("name", "run", first + last),
            ("name", "run", last + first)]
    if person["script"]:
        made += [("name", "word", person["script"])]
        made += [("name", "word", part) for part in person["script"].split() if len(part) > 1]
    if not person["word"]:
        made += [("name", "word", last), ("name", "word", first)]
    made += [("email", "run", person["email"].split("@")[0]), ("email", "run", person["email"]),
             ("url", "run", person["handle"]),
             ("url", "run", re.sub(r"^https?://|^www\.", "", person["url"])),
             ("birth", "word", person["birth"]), ("birth", "word", person["born"])]
    number = re.sub(r"\D", "", person["phone"].split("x")[0].replace("(0)", ""))
    made += [("phone", "number", number[-8:]), ("id", "run", person["id"])]
    made += [("address", "run", person["street"]),
             ("address", "run", person["city"].replace("(FI)", ""))]
    return made


def as_words(text):
    return " " + re.sub(r"[\W_]+", " ", folded(text)) + " "


class Scan:
    """What of these people is looked for; the words that stay are nobody's."""

    def __init__(self, people_, others, stay):
        ours = " ".join(stay)
        words_, run, number = as_words(ours), compact(ours), digits(ours)
        self.needles = set()
        for role, person in people_:
            for kind, way, text in needles(person):
                self.add(f"{role} {kind}", way, text, words_, run, number)
        for kind, text in others:
            way = "number" if kind == "phone" else "run"
            if kind == "birth":
                way = "word"
            if kind == "address":
                text = text.rsplit(", ", 1)[0]
            self.add(f"unknown {kind}", way, text, words_, run, number)

    def add(self, kind, way, text, words_, run, number):
        if way == "word":
            needle = as_words(text)
            if len(needle) > 3 and needle not in words_:
                self.needles.add((kind, way, needle, text))
        elif way == "run":
            needle = compact(text)
            if len(needle) > 3 and needle not in run:
                self.needles.add((kind, way, needle, text))
        else:
            needle = re.sub(r"\D", "", text.split("x")[0].replace("(0)", ""))[-8:]
            if needle not in number:
                self.needles.add((kind, way, needle, text))

    def hits(self, body):
        """Kind, reading and what was looked for; empty is good."""
        found = {}
        for name, view in views(body).items():
            forms = {"word": as_words(view), "run": compact(view), "number": digits(view)}
            for kind, way, needle, text in self.needles:
                if needle in forms[way]:
                    found.setdefault((kind, text), name)
        packed = re.sub(r"\s+", "", body)
        for kind, way, needle, text in self.needles:
            raw = text.encode()
            for shift in range(3):
                whole = raw[shift:]
                whole = base64.b64encode(whole[:len(whole) // 3 * 3]).decode()
                if len(whole) >= 12 and whole in packed:
                    found.setdefault((kind, text), "base64")
        return [(kind, reading, text) for (kind, text), reading in sorted(found.items())]


def scan_of(document, advert=None):
    people_ = [("own", document["person"])]
    people_ += [("referee", referee) for referee in document["referees"]]
    if advert:
        people_.append(("recruiter", advert["recruiter"]))
    stay = [word for word, _ in document["stay"]]
    return Scan(people_, document["unknown"], stay)
