"""Fills what the program has made: a database with messages or items of the
library, a folder with reminders. Raw SQL in the documented schema (docs/formats.md), because a
million messages through the front door would take hours.
"""

import os
import random
import sqlite3
import uuid

TEXT = "A sentence of a usual length, so that the file has a usual size. Number "


def database(path, conversations, messages_each, last=None):
    """`conversations` of `messages_each`; the latest may have another length."""
    lengths = [messages_each] * conversations
    if last:
        lengths.append(last)
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=OFF")
    rows = connection.execute("SELECT coalesce(max(seq), 0) FROM conversations").fetchone()
    sequence = rows[0]
    turn = connection.execute("SELECT coalesce(max(id), 0) FROM turns").fetchone()[0]
    message = connection.execute("SELECT coalesce(max(id), 0) FROM messages").fetchone()[0]
    moment = 1_700_000_000_000
    identifiers = []
    chance = random.Random(1)
    for length in lengths:
        sequence += 1
        identifiers.append(str(uuid.UUID(int=chance.getrandbits(128), version=4)))
        first = turn + 1
        turn += length // 2
        connection.execute(
            "INSERT INTO conversations(seq, id, title, kind, provider, model, created, updated,"
            " messages, last_turn) VALUES (?,?,?,'repl','openai','bench',?,?,?,?)",
            (sequence, identifiers[-1], f"Conversation {sequence}", moment, moment, length,
             turn))
        turns = range(first, turn + 1)
        connection.executemany(
            "INSERT INTO turns(id, conversation, status, provider, model, started, ended)"
            " VALUES (?,?,'done','openai','bench',?,?)",
            ((number, sequence, moment + number, moment + number) for number in turns))
        rows = [
            (number, place, role) for number in turns
            for place, role in ((1, "user"), (2, "assistant"))]
        connection.executemany(
            "INSERT INTO messages(id, turn, seq, role, provider, format, model, created)"
            " VALUES (?,?,?,?,'openai','responses','bench',?)",
            ((message + index, number, place, role, moment + number)
             for index, (number, place, role) in enumerate(rows, 1)))
        connection.executemany(
            "INSERT INTO parts(message, seq, kind, body) VALUES (?, 1, 'text', ?)",
            ((message + index, '{"text":"%s%d."}' % (TEXT, message + index))
             for index in range(1, len(rows) + 1)))
        message += len(rows)
    # Written past the program: it has them to index.
    connection.execute("UPDATE search_state SET rest = ?, total = ?", (message, message))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()
    return identifiers


KINDS = ("idea", "idea", "idea", "draft", "transcript")


def library(path, count):
    """`count` items of four paragraphs, one in ten with two revisions; one in 1,000 is a
    letter, has the tag `rare` and the word `thousandth`."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA journal_mode=WAL")
    connection.execute("PRAGMA synchronous=OFF")
    moment = 1_700_000_000_000
    chance = random.Random(3)
    for number in range(1, count + 1):
        is_rare = number % 1_000 == 0
        kind = "letter" if is_rare else KINDS[number % len(KINDS)]
        revisions = 2 if number % 10 == 0 else 1
        title = f"Item {number} about the {'thousandth ' if is_rare else ''}bridge"
        body = "\n\n".join(f"{TEXT}{number}, paragraph {part}." for part in range(1, 5))
        tags = "garden rare" if is_rare else "garden" if number % 5 == 0 else ""
        made = moment + number * 60_000
        connection.execute(
            "INSERT INTO items(id, uid, kind, title, revision, created, updated)"
            " VALUES (?,?,?,?,?,?,?)",
            (number, str(uuid.UUID(int=chance.getrandbits(128), version=4)), kind, title,
             revisions, made, made + chance.randrange(90) * 86_400_000))
        connection.execute(
            "INSERT INTO bodies(id, item, text) VALUES (?,?,?)", (number, number, body))
        connection.executemany(
            "INSERT INTO revisions(item, number, title, body, metadata, tags, made, made_by)"
            " VALUES (?,?,?,?,'{}',?,?,'user')",
            ((number, revision, title, number, tags, made) for revision in range(1, revisions + 1)))
        connection.executemany(
            "INSERT INTO item_tags(tag, item) VALUES (?,?)", ((tag, number) for tag in tags.split()))
        connection.execute(
            "INSERT INTO items_search(rowid, kind, title, tags) VALUES (?,?,?,?)",
            (number, kind, title, tags))
        connection.execute(
            "INSERT INTO bodies_search(rowid, body, kind, text) VALUES (?,?,?,?)",
            (number, number, kind, body))
    connection.commit()
    connection.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    connection.close()


REMINDER = """BEGIN:VCALENDAR\r
VERSION:2.0\r
PRODID:-//bench//EN\r
BEGIN:VTODO\r
UID:{uid}\r
DTSTAMP:20260101T080000Z\r
CREATED:20260101T080000Z\r
LAST-MODIFIED:20260101T080000Z\r
SUMMARY:Call the {number}th person about the order\r
DUE:2027{month:02}{day:02}T{hour:02}0000Z\r
PRIORITY:5\r
BEGIN:VALARM\r
ACTION:DISPLAY\r
DESCRIPTION:Call the {number}th person\r
TRIGGER:PT0S\r
END:VALARM\r
END:VTODO\r
END:VCALENDAR\r
"""


def reminders(folder, count):
    """`count` files of one open reminder each; returns their paths."""
    os.makedirs(folder, exist_ok=True)
    paths = []
    chance = random.Random(2)
    for number in range(count):
        uid = str(uuid.UUID(int=chance.getrandbits(128), version=4))
        path = os.path.join(folder, uid + ".ics")
        with open(path, "w", newline="") as file:
            file.write(REMINDER.format(
                uid=uid, number=number, month=number % 12 + 1, day=number % 28 + 1,
                hour=number % 24))
        paths.append(path)
    return paths
