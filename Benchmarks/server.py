#!/usr/bin/env python3
"""A provider on loopback: streams n short deltas, each in a write of its own.

    /N/…            N deltas as fast as the reader takes them
    /N/whole/…      all of them in one write
    /N/slow/…       each delta a moment after the one before, so that each
                    arrives alone
    /N/markdown/…   headings, lists, a table and code instead of plain words
    /N/pause/…      the head first, the text a moment later; when the first
                    text byte is sent is reported

The rest of the path decides the wire format: responses, messages, or
chat/completions. Prints its port, then one line of JSON for each answer:
`path`, `sent` (CLOCK_MONOTONIC, nanoseconds) and `request`, the body asked
with. Runs until its standard input ends.
"""

import json
import os
import socket
import sys
import threading
import time

WORDS = ("one ", "word ", "after ", "another, ", "as ", "models ", "send ", "them.\n")
FIRST = "Hello "
MARKDOWN = """

## A heading with `code`

Some **bold** words, *others*, a [link](https://example.org/a) and 会議 in a line
that is longer than the window, so that the terminal has to fold it somewhere.

- first
- second with `code`
  1. nested
  2. again

| Name | Amount |
|:-----|-------:|
| Apples | 12 |
| 会議 | 3 |

```swift
func greet(_ name: String) -> String { // why
    return "Hello, \\(name)" + String(42)
}
```

> A quote that *ends* here.
"""
PIECES = tuple(MARKDOWN[i:i + 4] for i in range(0, len(MARKDOWN), 4))
PAUSE = 0.08
STEP = 0.0005
HEARD = json.dumps({
    "text": "Words that were heard.", "task": "transcribe", "language": "english",
    "segments": [{"id": 0, "start": 0.5, "end": 4.0, "text": " Words that were heard."}],
}).encode()


def event(name, value):
    head = f"event: {name}\n" if name else ""
    data = value if isinstance(value, str) else json.dumps(value, separators=(",", ":"))
    body = f"{head}data: {data}\n\n".encode()
    return b"%x\r\n%s\r\n" % (len(body), body)


def responses(words):
    text = "".join(words)
    item = {"id": "msg_1", "type": "message", "role": "assistant"}
    whole = {
        "type": "output_text", "text": text, "annotations": [], "logprobs": []}
    done = dict(item, status="completed", content=[whole])
    number = iter(range(1 << 30))

    def named(name, **members):
        return event(name, dict(type=name, **members, sequence_number=next(number)))

    place = {"output_index": 0, "content_index": 0, "item_id": "msg_1"}
    before = [
        named("response.created", response={"id": "resp_1", "status": "in_progress"}),
        named("response.in_progress", response={"id": "resp_1", "status": "in_progress"}),
        named("response.output_item.added", output_index=0,
              item=dict(item, status="in_progress", content=[])),
        named("response.content_part.added", **place, part=dict(whole, text="")),
    ]
    deltas = [
        named("response.output_text.delta", **place, delta=word, logprobs=[],
              obfuscation="k3Xz81bQw")
        for word in words]
    after = [
        named("response.output_text.done", **place, text=text, logprobs=[]),
        named("response.content_part.done", **place, part=whole),
        named("response.output_item.done", output_index=0, item=done),
        named("response.completed", response={
            "id": "resp_1", "status": "completed", "output": [done],
            "usage": {
                "input_tokens": 10, "input_tokens_details": {"cached_tokens": 0},
                "output_tokens": len(words), "output_tokens_details": {"reasoning_tokens": 0},
                "total_tokens": 10 + len(words)}}),
    ]
    return before, deltas, after


def messages(words):
    def named(name, **members):
        return event(name, dict(type=name, **members))

    before = [
        named("message_start", message={
            "id": "msg_1", "type": "message", "role": "assistant", "model": "bench",
            "content": [], "stop_reason": None,
            "usage": {"input_tokens": 10, "output_tokens": 1}}),
        named("content_block_start", index=0, content_block={"type": "text", "text": ""}),
        named("ping"),
    ]
    deltas = [
        named("content_block_delta", index=0, delta={"type": "text_delta", "text": word})
        for word in words]
    after = [
        named("content_block_stop", index=0),
        named("message_delta", delta={"stop_reason": "end_turn", "stop_sequence": None},
              usage={"output_tokens": len(words)}),
        named("message_stop"),
    ]
    return before, deltas, after


def chat(words):
    head = {"id": "chatcmpl-1", "object": "chat.completion.chunk", "created": 1700000000,
            "model": "bench", "system_fingerprint": "fp_1"}

    def chunk(delta, reason=None):
        choice = {"index": 0, "delta": delta, "logprobs": None, "finish_reason": reason}
        return event(None, dict(head, choices=[choice]))

    after = [
        chunk({}, "stop"),
        event(None, dict(head, choices=[], usage={
            "prompt_tokens": 10, "completion_tokens": len(words)})),
        event(None, "[DONE]"),
    ]
    return [], [chunk({"content": word}) for word in words], after


class Streams:
    """The events of each answer, made once: making them is no part of it."""

    def __init__(self):
        self.made = {}
        self.lock = threading.Lock()

    def get(self, form, count, words=WORDS):
        with self.lock:
            if (form, count, words) not in self.made:
                text = [FIRST] + [words[i % len(words)] for i in range(1, count)]
                self.made[form, count, words] = form(text)
            return self.made[form, count, words]


def read_request(stream):
    line = stream.readline()
    if not line:
        return None
    path = line.split()[1].decode()
    length = 0
    while True:
        header = stream.readline().strip().lower()
        if not header:
            if path.startswith("/sound/"):
                return line.split()[0], path, swallow(stream, length)
            return line.split()[0], path, stream.read(length)
        if header.startswith(b"content-length:"):
            length = int(header.split(b":")[1])


def swallow(stream, length):
    """Reads that much and keeps nothing of it."""
    buffer, rest = memoryview(bytearray(1 << 20)), length
    while rest > 0 and (count := stream.readinto1(buffer[:min(rest, len(buffer))])):
        rest -= count
    return length - rest


def hear(connection, path, count):
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
        b"Content-Length: %d\r\n\r\n%s" % (len(HEARD), HEARD))
    os.write(1, json.dumps({"path": path, "bytes": count}).encode() + b"\n")


def answer(connection, path, body, streams):
    words = path.strip("/").split("/")
    form = {"responses": responses, "messages": messages}.get(words[-1], chat)
    before, deltas, after = streams.get(
        form, int(words[0]), PIECES if "markdown" in words else WORDS)
    connection.sendall(
        b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
        b"Transfer-Encoding: chunked\r\n\r\n")
    for piece in before:
        connection.sendall(piece)
    if "pause" in words:
        time.sleep(PAUSE)
    sent = time.monotonic_ns()
    connection.sendall(deltas[0])
    if "pause" in words:
        time.sleep(PAUSE)
    for piece in [b"".join(deltas[1:])] if "whole" in words else deltas[1:]:
        if "slow" in words:
            time.sleep(STEP)
        connection.sendall(piece)
    for piece in after:
        connection.sendall(piece)
    connection.sendall(b"0\r\n\r\n")
    line = json.dumps({"path": path, "sent": sent, "request": body.decode()})
    os.write(1, line.encode() + b"\n")


def serve(connection, streams):
    connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
    with connection, connection.makefile("rb") as stream:
        try:
            while request := read_request(stream):
                method, path, body = request
                if method == b"POST" and path.startswith("/sound/"):
                    hear(connection, path, body)
                    continue
                if method == b"POST":
                    answer(connection, path, body, streams)
                    continue
                models = b'{"object":"list","data":[{"id":"bench","object":"model"}]}'
                connection.sendall(
                    b"HTTP/1.1 200 OK\r\nContent-Type: application/json\r\n"
                    b"Content-Length: %d\r\n\r\n%s" % (len(models), models))
        except OSError:
            pass  # The reader has gone; the next one gets a new connection.


def main():
    listener = socket.create_server(("127.0.0.1", 0), backlog=64)
    os.write(1, b"%d\n" % listener.getsockname()[1])
    streams = Streams()

    def accept():
        while True:
            connection, _ = listener.accept()
            threading.Thread(target=serve, args=(connection, streams), daemon=True).start()

    threading.Thread(target=accept, daemon=True).start()
    sys.stdin.buffer.read()


main()
