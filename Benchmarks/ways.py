"""The ways in that no file is: answers, calls, results, pages, pastes. A server on loopback gives
what a program, a page or a model would give at its limit (growth.py --limits).
"""

import http.server
import json
import os
import subprocess
import sys
import threading

from processes import Terminal

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


class Ways:
    """Each method makes the words of a command, or takes its measure itself."""

    def __init__(self, bench, cost):
        self.bench, self.cost = bench, cost
        self.call, self.padding, self.text = None, "", ""
        ways = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"

            def reply(self, kind, body):
                self.send_response(200)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_GET(self):
                self.reply("text/html", ways.text.encode())

            def do_POST(self):
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
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
        ("page of the web", 5 * MB, page),
    ]
