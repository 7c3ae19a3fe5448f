"""What of a person is still in a text, and what that must stay is gone."""

import re
import unicodedata

SPECIAL = {"ß": "ss", "ẞ": "ss", "ł": "l", "Ł": "l", "ø": "o", "Ø": "o", "đ": "d", "Đ": "d", "æ": "ae", "Æ": "ae",
           "œ": "oe", "Œ": "oe", "ı": "i", "İ": "i"}
PLACEHOLDER = re.compile(r"\[[A-Z][A-Z_]*(?:_?\d+)?\]")


def fold(text):
    """Small letters without marks or what cannot be seen."""
    text = "".join(SPECIAL.get(c, c) for c in text)
    text = "".join(c for c in unicodedata.normalize("NFKD", text)
                   if not unicodedata.combining(c) and unicodedata.category(c) != "Cf")
    return "".join(SPECIAL.get(c, c) for c in text).casefold()


def collapsed(text):
    return " ".join(text.split())


def devanagari_kept(text):
    return collapsed(unicodedata.normalize("NFC", text))


def digits_of(text):
    """Each run of digits with what people put between them, as digits alone."""
    runs = re.findall(r"[0-9](?:[\s().\-/+‐-―·]*[0-9])*", unicodedata.normalize("NFKC", text))
    return ["".join(c for c in run if c.isdigit()) for run in runs]


def has_word(word, text):
    return re.search(r"(?<!\w)" + re.escape(word) + r"(?!\w)", text) is not None


def seen(kind, value, text):
    """Whether a text tells it. The placeholders are out of it already."""
    folded = collapsed(fold(text))
    if kind == "name":
        return has_word(fold(value), folded)
    if kind == "pair":
        return has_word(collapsed(fold(value)), folded)
    if kind == "spaced":
        letters = [re.escape(c) for c in fold(value) if c.isalnum()]
        return re.search(r"(?<!\w)" + r" ".join(letters) + r"(?!\w)", folded) is not None
    if kind == "split":
        letters = [re.escape(c) for c in fold(value) if c.isalnum()]
        return re.search(r"[\s*\-]*".join(letters), fold(text)) is not None
    if kind == "email":
        tight = re.sub(r"\s+", "", fold(text))
        return fold(value) in tight or fold(value.split("@")[0]) + "@" in tight
    if kind == "phone":
        tail = "".join(c for c in value.split("x")[0] if c.isdigit())[-7:]
        return any(tail in run for run in digits_of(text))
    if kind == "literal" and any(ord(c) > 0x8FF for c in value):
        return devanagari_kept(value) in devanagari_kept(text)
    return collapsed(fold(value)) in folded


def hits(row, text, with_referee=True):
    """What must not be seen and is. `row` is a line of the generator."""
    text = PLACEHOLDER.sub(" ¤ ", text)
    wanted = row["hide"] + (row["referee"] if with_referee else [])
    if row["layout"] == "spaced_caps":
        wanted = wanted + [["spaced", v] for k, v in row["hide"] if k == "name"]
    return [f"{k} {v!r}" for k, v in wanted if seen(k, v, row["text"]) and seen(k, v, text)]


def lost(row, text):
    """Phrases that must stay and are gone, and how many words they have of how many."""
    before, after = collapsed(row["text"]), collapsed(text)
    kept = [collapsed(p) for p in row["keep"] if collapsed(p) in before]
    gone = [p for p in kept if p not in after]
    return gone, sum(len(p.split()) for p in gone), sum(len(p.split()) for p in kept)
