"""What the states of voice need: recordings, a recorder, a player, a converter
that is slow, and the transcription service of the provider.

    deaf     reads the head of an upload and nothing more, for a while
    mute     reads it all and never answers
    dictate  streams words for a long time
    quick    answers at once
    pieces   the first two of a path at once, the others while `holds` is False
"""

import json
import os
import re
import shutil
import struct
import time

from rig import demand

RATE = 16_000
# The recorder: half a second at once, then as fast as one speaks.
MICROPHONE = r"""
import os, sys, time
sound = bytes(i * 7 % 251 for i in range(1600))
for _ in range(10):
    os.write(1, sound)
while True:
    time.sleep(0.05)
    os.write(1, sound)
"""
LONG = "This goes on for a while, and longer than anybody listens. "
HEARD = "words that were heard"


def wave(path, seconds, rate=RATE, channels=1, sparse=False):
    size = seconds * rate * channels * 2
    with open(path, "wb") as file:
        file.write(
            b"RIFF" + struct.pack("<I", 36 + size) + b"WAVEfmt " + struct.pack(
                "<IHHIIHH", 16, 1, channels, rate, rate * channels * 2, channels * 2, 16)
            + b"data" + struct.pack("<I", size))
        if sparse:
            file.truncate(44 + size)
        else:
            second = bytes(i * 7 % 251 for i in range(rate * channels * 2))
            for _ in range(seconds):
                file.write(second)


def script(path, text):
    with open(path, "w") as file:
        file.write(text)
    os.chmod(path, 0o755)


# name: what is typed, what is on the screen then, how to leave it
# ({} the token), and what the home folder needs.
STATES = {
    "uploading": ("/transcribe ~/large.wav\r", rb"of 30\.\d MB", "\x1b"),
    "waiting for words": ("/transcribe ~/small.wav\r", rb"waiting for the words", "\x1b"),
    "transcript streaming": ("/transcribe ~/small.wav\r", rb"the words are coming", "\x1b"),
    "recording": ("/record\r", rb"Recording +0:0[1-9]", "\x1b"),
    "speaking": (f"/say {LONG * 20}\r", rb"Reading +\d", "\x1b"),
    "answer spoken": ("plain {}\r", rb"END-{}[\s\S]*> *$", "\x03"),
    "converting": ("/transcribe ~/long.aiff\r", rb"looking for pauses", "\x1b"),
    "cutting": ("/transcribe ~/huge.wav\r", rb"looking for pauses", "\x1b"),
    "between pieces": ("/transcribe ~/talk.wav\r", rb"piece 3 of [\s\S]*waiting for", "\x1b"),
}
# Those in which a program of somebody else runs.
HAVE_CHILDREN = ("recording", "speaking", "answer spoken", "converting")
SERVICE = {"uploading": "deaf", "waiting for words": "mute", "transcript streaming": "dictate"}


def missing(state):
    """The program without which a state cannot be reached; None when it can."""
    needed = {
        "speaking": "espeak-ng", "answer spoken": "espeak-ng", "converting": "ffmpeg"}.get(state)
    return needed if needed and not shutil.which(needed) else None


def furnish(home, state, folder):
    """What a state needs in the home folder. `folder`: for a recording that
    is made once."""
    if state not in STATES:
        return
    os.makedirs(home.file(), exist_ok=True)
    mode = SERVICE.get(state, "quick")
    if state == "between pieces":
        mode = "pieces-" + os.path.basename(home.path)
    address = f"{home.variables['ANTHROPIC_BASE_URL']}/{mode}/v1"
    settings = {
        "transcription": {
            "base_url": address, "limit_bytes": 25_000_000,
            "model": "gpt-4o-mini-transcribe" if mode == "dictate" else "whisper-1"}}
    place = lambda name: os.path.join(home.path, name)  # noqa: E731
    if state == "uploading":
        settings["transcription"]["limit_bytes"] = 100_000_000
        wave(place("large.wav"), 945)
    elif state in ("waiting for words", "transcript streaming"):
        wave(place("small.wav"), 3)
    elif state == "between pieces":
        settings["transcription"]["limit_bytes"] = 1_000_000
        wave(place("talk.wav"), 120)
    elif state == "recording":
        script(place("microphone"), "#!/usr/bin/env python3\n" + MICROPHONE)
        home.variables["CHAT_RECORDER"] = place("microphone")
    elif state in ("speaking", "answer spoken"):
        script(place("player"), "#!/bin/sh\nexec cat >/dev/null\n")
        home.variables["CHAT_PLAYER"] = place("player")
        if state == "answer spoken":
            settings["speak"] = "on"
    elif state == "converting":
        os.makedirs(place("bin"))
        # As fast as one listens.
        script(place("bin/ffmpeg"), f'#!/bin/sh\nexec {shutil.which("ffmpeg")} -re "$@"\n')
        home.variables["PATH"] = place("bin") + ":" + home.variables["PATH"]
        shutil.copy(made_aiff(folder), place("long.aiff"))
    elif state == "cutting":
        wave(place("huge.wav"), 20_000, 48_000, 2, sparse=True)
    with open(home.file("config.json"), "w") as file:
        json.dump(settings, file)


def made_aiff(folder):
    path = os.path.join(folder, "long.aiff")
    if not os.path.exists(path):
        source = os.path.join(folder, "long.wav")
        wave(source, 120)
        os.system(f"ffmpeg -v error -i {source} {path}")
        os.unlink(source)
    return path


class Service:
    """The transcription service; what it was sent is read by the tests."""

    def __init__(self):
        self.holds = True
        self.heard = {}  # path: how many recordings were answered
        self.uploads = {}  # path: the sound of each that came whole

    def answer(self, connection, stream, path, length):
        """One upload. False closes the connection."""
        mode = path.split("/")[1].split("-")[0]
        if mode == "deaf":
            # Nothing tells that the sender has gone while its bytes wait.
            time.sleep(20)
            return False
        self.uploads.setdefault(path, []).append(sound_of(stream.read(length)))
        count = self.heard.get(path, 0)
        if mode == "mute" or (mode == "pieces" and count >= 2 and self.holds):
            connection.recv(1)
            return False
        if mode == "dictate":
            return self.dictate(connection)
        self.heard[path] = count + 1
        words = f"part{count} {HEARD}"
        value = {
            "text": words, "segments": [{"id": 0, "start": 0.5, "end": 1.5, "text": words}]}
        body = json.dumps(value).encode()
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
            b"Content-Length: %d\r\n\r\n%s" % (len(body), body))
        return True

    def dictate(self, connection):
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")
        for number in range(20_000):
            event = {"type": "transcript.text.delta", "delta": f"word {number} "}
            body = f"data: {json.dumps(event)}\n\n".encode()
            connection.sendall(b"%x\r\n%s\r\n" % (len(body), body))
            time.sleep(0.005)
        return False


def sound_of(body):
    """The sound of a form: from its first RIFF to the boundary after it."""
    start = body.find(b"RIFF")
    if start < 0:
        return b""
    size = 8 + struct.unpack("<I", body[start + 4:start + 8])[0]
    return body[start:start + size]


def recordings(home):
    """The recordings that are kept; each is readable as far as its header says."""
    result = home.run("record", "list", "--json")
    demand(result.returncode == 0, f"record list: {result.stderr.decode()!r}")
    found = json.loads(result.stdout)
    for item in found:
        with open(item["path"], "rb") as file:
            body = file.read()
        counted = struct.unpack("<I", body[40:44])[0]
        demand(0 < counted <= len(body) - 44, f"{counted} of {len(body)} bytes are counted")
        demand(item["seconds"], f"a recording without a length: {item}")
    return found


def left(home):
    """Half-made files, which nobody goes on with."""
    return [
        os.path.join(folder, name) for folder, _, names in os.walk(home.path) for name in names
        if name.endswith(".part")]
