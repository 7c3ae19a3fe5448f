"""The ways in that no file is: answers, calls, results, pages, pastes. A server on loopback gives
what a program, a page or a model would give at its limit (growth.py --limits).
"""

import http.server
import json
import os
import select
import subprocess
import sys
import threading
import time
import zlib

from processes import Terminal
from voice import changed

KB, MB = 1 << 10, 1 << 20
# Public, so that pages of it are fetched; in the network of this process alone.
PUBLIC = "93.184.215.14"
TOOL_SERVER = """
import json, sys
for line in sys.stdin:
    asked = json.loads(line)
    result = {
        "initialize": lambda: {
            "protocolVersion": asked["params"]["protocolVersion"], "capabilities": {"tools": {}},
            "serverInfo": {"name": "big", "version": "1"}},
        "tools/list": lambda: {"tools": [{"name": "get", "inputSchema": {"type": "object"}}]},
        "tools/call": lambda: {"content": [{"type": "text", "text": open(sys.argv[1]).read()}]},
    }.get(asked.get("method"), dict)
    if "id" in asked:
        print(json.dumps({"jsonrpc": "2.0", "id": asked["id"], "result": result()}), flush=True)
"""

# Gives what the file beside it has, and a word when it has.
CLIPBOARD = """#!/bin/sh
case "$1" in
--list-types) echo {kind} ;;
*) cat {path}; touch {path}.read ;;
esac
"""


def isolate():
    """Starts this program again in a network of its own, which has only itself."""
    if "WAYS_ISOLATED" not in os.environ:
        os.environ["WAYS_ISOLATED"] = "1"
        words = [sys.executable, *sys.argv]
        os.execvp("unshare", ["unshare", "--map-root-user", "--net", *words])
    for words in (["link", "set", "lo", "up"], ["addr", "add", PUBLIC + "/32", "dev", "lo"]):
        subprocess.run(["ip", *words], check=True)


def fitting(text):
    """As much of it as is that long in JSON."""
    return text[:len(text) ** 2 // len(json.dumps(text))]


def wave(text):
    """The text as a sound, 16 kHz mono."""
    size = len(text)
    return (b"RIFF" + (36 + size).to_bytes(4, "little") + b"WAVEfmt " + bytes(
        (16, 0, 0, 0, 1, 0, 1, 0, 0x80, 0x3E, 0, 0, 0, 0x7D, 0, 0, 2, 0, 16, 0)) + b"data"
        + size.to_bytes(4, "little") + text.encode())


def picture(text):
    """The text as pixels of a PNG, which are not compressed."""
    width = 2_560
    height = len(text) // (3 * width + 1)
    lines = b"".join(b"\0" + text[n * 3 * width:(n + 1) * 3 * width].encode() for n in range(height))
    header = width.to_bytes(4, "big") + height.to_bytes(4, "big") + bytes((8, 2, 0, 0, 0))
    chunks = ((b"IHDR", header), (b"IDAT", zlib.compress(lines, 0)), (b"IEND", b""))
    return b"\x89PNG\r\n\x1a\n" + b"".join(
        len(data).to_bytes(4, "big") + kind + data + zlib.crc32(kind + data).to_bytes(4, "big")
        for kind, data in chunks)


class Ways:
    """Each method makes the words of a command, or takes its measure itself."""

    def __init__(self, bench, cost):
        self.bench, self.cost = bench, cost
        self.call, self.padding, self.text, self.status = None, "", "", 200
        ways = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def reply(self, kind, body, status=200):
                self.send_response(status)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                kind = "application/json" if "models" in self.path else "text/html"
                self.reply(kind, ways.text.encode())

            def do_POST(self):
                body = self.rfile.read(int(self.headers["Content-Length"]))
                if ways.status != 200 or "transcriptions" in self.path:
                    return self.reply("application/json", ways.text.encode(), ways.status)
                body = json.loads(body)
                last = body["messages"][-1]["content"]
                isResult = any(block.get("type") == "tool_result" for block in last)
                self.reply("text/event-stream", ways.events(isResult))

            def log_message(self, *words):
                pass

        self.server = http.server.ThreadingHTTPServer(("", 0), Handler)
        self.port = self.server.server_address[1]
        threading.Thread(target=self.server.serve_forever, daemon=True).start()

    def events(self, isResult):
        block = {"type": "text", "text": ""}
        delta, stop = {"type": "text_delta", "text": "So it is."}, "end_turn"
        if self.call and not isResult:
            name, arguments = self.call
            block, stop = {"type": "tool_use", "id": "c1", "name": name, "input": {}}, "tool_use"
            delta = {"type": "input_json_delta", "partial_json": json.dumps(arguments)}
        events = [
            {"type": "message_start", "message": {
                "id": "m", "role": "assistant", "content": [], "padding": self.padding,
                "usage": {"input_tokens": 9, "output_tokens": 1}}},
            {"type": "content_block_start", "index": 0, "content_block": block},
            {"type": "content_block_delta", "index": 0, "delta": delta},
            {"type": "content_block_stop", "index": 0},
            {"type": "message_delta", "delta": {"stop_reason": stop}, "usage": {"output_tokens": 5}},
            {"type": "message_stop"}]
        return b"".join(f"data: {json.dumps(event)}\n\n".encode() for event in events)

    def asked(self, *options, call=None, padding=""):
        self.call, self.padding = call, padding
        self.bench.variables["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{self.port}"
        return self.cost(["--provider", "claude", "-m", "bench", "-p", "what is this?", *options], 1)

    # MARK: rows

    def event(self, text):
        return self.asked(padding=fitting(text))

    def arguments(self, text):
        return self.asked(call=("create_reminder", {"title": "t", "notes": fitting(text)}))

    def served(self, text):
        """The text is the result of a tool of another program."""
        path, script = self.bench.path("result.txt"), self.bench.path("big.py")
        for name, content in ((path, text), (script, TOOL_SERVER)):
            with open(name, "w") as file:
                file.write(content)
        self.cost(["mcp", "add", "big", "--read", "get", "--yes", "--", sys.executable, script, path], 1)
        return self.asked("--allow", "big__get", call=("big__get", {}))

    def file(self, name, content):
        path = self.bench.path(name)
        os.makedirs(os.path.dirname(path), exist_ok=True)
        with open(path, "wb") as file:
            file.write(content if isinstance(content, bytes) else content.encode())
        return path

    def error(self, text):
        self.text, self.status = json.dumps({"error": {"message": fitting(text)}}), 400
        try:
            return self.asked()
        finally:
            self.status = 200

    def models(self, text):
        """Many models, each with a piece of the text as its name."""
        name = fitting(text[:100])
        row = {"type": "model", "id": "claude-100000", "display_name": name}
        models = [{**row, "id": f"claude-{n}"} for n in range(len(text) // (len(json.dumps(row)) + 2))]
        self.text = json.dumps({"data": models, "has_more": False})
        self.bench.variables["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{self.port}"
        return self.cost(["models", "claude", "--refresh"], 1)

    def heard(self, sound, answer):
        self.text = json.dumps({"text": answer})
        path = self.file("sound.wav", wave(sound))
        with changed(self.bench, OPENAI_BASE_URL=f"http://127.0.0.1:{self.port}/v1"):
            return self.cost(["transcribe", "--no-save", "--language", "en", path], 1)

    def transcript(self, text):
        return self.heard("ab" * 16_000, fitting(text))

    def recording(self, text):
        return self.heard(text, "So it is.")

    def host(self, text):
        start = {"protocolVersion": "2025-06-18", "capabilities": {},
                 "clientInfo": {"name": "h", "version": "1"}}
        call = {"name": "create_reminder", "arguments": {"title": "t", "notes": fitting(text)}}
        asked = [{"id": 1, "method": "initialize", "params": start},
                 {"method": "notifications/initialized"},
                 {"id": 2, "method": "tools/call", "params": call}]
        lines = "".join(json.dumps({"jsonrpc": "2.0", **message}) + "\n" for message in asked)
        return self.cost(["mcp", "serve"], 1, self.file("host.jsonl", lines))

    def clipboard(self, kind, content):
        path = self.file("clipboard", content)
        program = self.file("programs/wl-paste", CLIPBOARD.format(kind=kind, path=path))
        os.chmod(program, 0o700)
        if os.path.exists(path + ".read"):
            os.remove(path + ".read")
        found = os.path.dirname(program) + ":" + self.bench.variables["PATH"]
        with changed(self.bench, PATH=found, WAYLAND_DISPLAY="w"):
            terminal = Terminal([self.bench.binary], self.bench.variables)
        try:
            terminal.ready()
            os.write(terminal.master, b"\x16")
            quiet = 0
            # Shown once it was given and a second brings nothing more.
            while quiet < 10:
                if select.select([terminal.master], [], [], 0.1)[0]:
                    quiet, terminal.shown = 0, os.read(terminal.master, 65_536)
                elif os.path.exists(path + ".read"):
                    quiet += 1
            os.write(terminal.master, b"\x03")
            time.sleep(0.2)
        finally:
            cost = terminal.close()
        return cost.cpu, cost.peak

    def copied(self, text):
        return self.clipboard("text/plain", text)

    def copied_image(self, text):
        return self.clipboard("image/png", picture(text))

    def image(self, text):
        path = self.file("picture.png", picture(text))
        cost = self.cost(["--provider", "openai", "-m", "bench", "-p", "what?", "--attach", path], 1)
        self.bench.provider.forget()
        return cost

    def ignored(self, text):
        folder = os.path.dirname(self.file("ignoring/.gitignore", text))
        for number in range(100):
            self.file(f"ignoring/{number}.txt", "So it is.")
        return self.asked("--open", folder, "--allow", "list_folder",
                          call=("list_folder", {"path": "ignoring"}))

    def reminder(self, text):
        title = text.replace("\n", " ")[:500]
        return self.cost(["reminders", "add", "--literal", title, "--notes", text], 1)

    def routine(self, text):
        """Its request and the text that it watches."""
        watched = self.file("watched.txt", text[:48 * KB])
        self.bench.variables["ANTHROPIC_BASE_URL"] = f"http://127.0.0.1:{self.port}"
        self.call = None
        made = self.cost(["routine", "add", "every day at 9", fitting(text), "--name", "R", "--model",
                          "claude/bench", "--when-changed", watched], 1)
        ran = self.cost(["routine", "run", "R"], 1)
        return max(made, ran)

    def read(self, text):
        folder = self.bench.path("opened")
        os.makedirs(folder, exist_ok=True)
        with open(os.path.join(folder, "a.txt"), "w") as file:
            file.write(text)
        return self.asked("--open", folder, "--allow", "read_file",
                          call=("read_file", {"path": "opened/a.txt"}))

    def page(self, text):
        self.text = text
        url = f"http://{PUBLIC}:{self.port}/page"
        return self.asked("--allow", "fetch_url", call=("fetch_url", {"url": url}))

    def paste(self, text):
        terminal = Terminal([self.bench.binary], self.bench.variables)
        try:
            terminal.ready()
            terminal.shown = b""
            # Ctrl-C takes the line away once the paste is whole.
            keys = b"\x1b[200~" + text.encode() + b"\x1b[201~\x03"
            with open(os.dup(terminal.master), "wb") as line:
                writer = threading.Thread(target=lambda: (line.write(keys), line.flush()))
                writer.start()
                terminal.wait_for(rb"(^|[\r\n])> *$", "the paste hangs")
                writer.join()
        finally:
            cost = terminal.close()
        return cost.cpu, cost.peak

    # Name in the manual, limit in bytes.
    ROWS = [
        ("event of an answer", 16 * MB, event), ("arguments of a tool call", MB, arguments),
        ("result of a tool", 64 * KB, served), ("message of a tool server", 4 * MB, served),
        ("paste", 16 * MB, paste), ("file that a model reads", 50 * KB, read),
        ("page of the web", 5 * MB, page), ("error of a server", 64 * KB, error),
        ("list of models", 4 * MB, models), ("transcript of a server", 16 * MB, transcript),
        ("message of a host", 4 * MB, host), ("clipboard, text", 2 * MB, copied),
        ("clipboard, an image", 25 * MB, copied_image), ("image of others", 20 * MB, image),
        ("recording", 25_000_000, recording), (".gitignore of a folder", 64 * KB, ignored),
        ("title and notes of a reminder", 20 * KB, reminder), ("routine", 64 * KB, routine),
    ]
