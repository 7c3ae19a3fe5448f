#!/usr/bin/env python3
"""Counts the bytes of the first request of a conversation, in four cases.

    Benchmarks/requests.py [BINARY]

A provider on loopback keeps what it gets. The goal of a plain question is at most 6,000
bytes of system text and tools.
"""

import json
import os
import subprocess
import sys
import tempfile

sys.dont_write_bytecode = True
HERE = os.path.dirname(os.path.abspath(__file__))
BINARY = sys.argv[1] if len(sys.argv) > 1 else os.path.join(HERE, "../.build/release/chat")
TOOLS = r"""
import json, sys
text = {"type": "string", "description": "The text that the tool is to work on"}
tools = [{"name": f"tool_{n}", "description": f"Does the {n}th of forty things with a text.",
          "inputSchema": {"type": "object", "properties": {"text": text, "count": {"type": "integer"}}}}
         for n in range(40)]
for line in sys.stdin:
    asked = json.loads(line)
    if "id" not in asked:
        continue
    answer = {"jsonrpc": "2.0", "id": asked["id"]}
    if asked["method"] == "initialize":
        answer["result"] = {"protocolVersion": asked["params"]["protocolVersion"],
                            "capabilities": {"tools": {}}, "serverInfo": {"name": "big", "version": "1"}}
    elif asked["method"] == "tools/list":
        answer["result"] = {"tools": tools}
    else:
        answer["error"] = {"code": -32601, "message": "no such method"}
    print(json.dumps(answer), flush=True)
"""


def size(value):
    return len(json.dumps(value, ensure_ascii=False, separators=(",", ":")).encode())


def main():
    server = subprocess.Popen(
        [sys.executable, os.path.join(HERE, "server.py")], stdin=subprocess.PIPE,
        stdout=subprocess.PIPE, text=True)
    port = server.stdout.readline().strip()
    with tempfile.TemporaryDirectory() as home:
        data = os.path.join(home, "data")
        os.mkdir(data)
        with open(os.path.join(data, "config.json"), "w") as file:
            json.dump({"routing": "model", "title": False}, file)
        with open(os.path.join(home, "big.py"), "w") as file:
            file.write(TOOLS)
        os.mkdir(os.path.join(home, "project"))
        variables = {
            "PATH": os.environ["PATH"], "HOME": home, "CHAT_HOME": data, "OPENAI_API_KEY": "k",
            "OPENAI_BASE_URL": f"http://127.0.0.1:{port}/3/v1"}

        def chat(*words):
            done = subprocess.run(
                [BINARY, *words], env=variables, stdin=subprocess.DEVNULL, capture_output=True,
                text=True, timeout=60)
            if done.returncode:
                sys.exit(f"{words}: exit {done.returncode}: {done.stderr.strip()[-300:]}")

        def row(name, *words):
            chat("-p", *words)
            body = json.loads(server.stdout.readline())["request"]
            body = json.loads(body) if isinstance(body, str) else body
            tools = body.get("tools", [])
            items = body.get("input", [])
            system = [i for i in items if i.get("role") in ("developer", "system")]
            fixed = size(tools) + size(system) + len(body.get("instructions", ""))
            print(f"{name:24} {fixed:6,} bytes of system text and {len(tools):2} tools, "
                  f"{size(body):6,} in all")

        row("plain question", "why is the sky blue?")
        row("plan with reminders", "plan my week around what is due, and remind me of the train")
        row("open folder", "where is the timeout set?", "--open", os.path.join(home, "project"))
        chat("mcp", "add", "big", "--yes", "--", sys.executable, os.path.join(home, "big.py"))
        row("a server with 40 tools", "why is the sky blue?")
    server.stdin.close()


main()
