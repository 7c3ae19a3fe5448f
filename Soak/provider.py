"""A strict provider on loopback, in all three wire formats.

It answers by the words of the last message, `VERB nNUMBER`:

    plain   twenty words
    slow    many words, a few milliseconds apart
    tool    a call that creates the reminder `soak nNUMBER`, then words
    delete  a call that wants to delete a reminder, then many words
    stall   three words, then silence
    silent  not even a status line
    busy    503, try again in a while
    shape   ten megabytes in the shape of that number (shapes.py)

A request that the strictest server would refuse (a call without its result, a
result without its call, an id used twice, a blank text) gets 400 and is kept
in `violations`. Recordings are transcribed as `sound.py` says.
"""

import json
import re
import socket
import threading
import time

import sound

ASKED = re.compile(r"\b(plain|slow|tool|delete|stall|silent|busy|broke|shape) (n\d+)\b")
SUMMARY = "You keep the memory of a conversation"
TITLE = "Give this conversation a title"
PACE = {"plain": 0.001, "slow": 0.004, "delete": 0.004}
COUNT = {"plain": 20, "slow": 500, "delete": 500}


def words(verb, token):
    """The whole answer, piece by piece; a beginning of it is easy to tell."""
    return [f"{token}-{i} " for i in range(COUNT.get(verb, 3))] + [f"END-{token}."]


def items(form, body):
    """Any format as a list of (role, kind, text or id)."""
    found = []
    for message in body.get("input" if form == "responses" else "messages", []):
        role, kind = message.get("role"), message.get("type")
        if kind == "function_call":
            found.append(("assistant", "call", message["call_id"]))
        elif kind == "function_call_output":
            found.append(("tool", "result", message["call_id"]))
        elif role == "tool":
            found.append(("tool", "result", message["tool_call_id"]))
        elif role not in ("system", "developer"):
            content = message.get("content")
            if isinstance(content, str):
                content = [{"type": "text", "text": content}]
            for block in content or []:
                if block["type"] == "tool_use":
                    found.append(("assistant", "call", block["id"]))
                elif block["type"] == "tool_result":
                    found.append(("tool", "result", block["tool_use_id"]))
                else:
                    found.append((role, "text", block.get("text", "")))
            found += [("assistant", "call", call["id"]) for call in message.get("tool_calls") or []]
    return found


def result_text(body):
    """The last result of a request, as JSON."""
    last = (body.get("input") or body["messages"])[-1]
    return json.dumps(last.get("output") or last.get("content"))


def faults(form, body):
    """What is wrong with a request."""
    found, waiting, seen = [], [], set()
    sequence = items(form, body)
    if not sequence or sequence[0][:2] != ("user", "text"):
        found.append("the first message is not the user's")
    for place, (role, kind, value) in enumerate(sequence):
        if kind == "text" and not value.strip():
            found.append(f"{place}: blank text of {role}")
        if kind == "text" and role == "user" and waiting:
            found.append(f"{place}: no result for {waiting}")
            waiting = []
        if kind == "call":
            if value in seen:
                found.append(f"{place}: id {value} again")
            seen.add(value)
            waiting.append(value)
        if kind == "result":
            if value in waiting:
                waiting.remove(value)
            else:
                found.append(f"{place}: a result for no open call {value}")
    if waiting:
        found.append(f"no result for {waiting}")
    if form == "messages":
        roles = [message["role"] for message in body["messages"]]
        if any(one == next for one, next in zip(roles, roles[1:])):
            found.append("a role twice in a row")
    return found


class Stream:
    """The events of one answer in one format."""

    def __init__(self, connection, form):
        self.connection, self.form = connection, form
        self.texts = ""
        connection.sendall(
            b"HTTP/1.1 200 OK\r\nContent-Type: text/event-stream\r\n"
            b"Transfer-Encoding: chunked\r\n\r\n")
        if form == "messages":
            self.send("message_start", message={
                "id": "m", "type": "message", "role": "assistant", "content": [],
                "usage": {"input_tokens": 9, "output_tokens": 1}})
        elif form == "responses":
            self.send("response.created", response={"id": "r", "status": "in_progress"})

    def raw(self, text):
        body = text.encode()
        self.connection.sendall(b"%x\r\n%s\r\n" % (len(body), body))

    def send(self, type, **members):
        value = json.dumps(dict(type=type, **members))
        self.raw(f"event: {type}\ndata: {value}\n\n")

    def chunk(self, delta, reason=None):
        choice = {"index": 0, "delta": delta, "finish_reason": reason}
        self.raw("data: " + json.dumps({"id": "c", "choices": [choice]}) + "\n\n")

    def text(self, piece):
        if self.form == "chat":
            self.chunk({"content": piece})
        elif self.form == "messages":
            if not self.texts:
                self.send("content_block_start", index=0,
                          content_block={"type": "text", "text": ""})
            self.send("content_block_delta", index=0,
                      delta={"type": "text_delta", "text": piece})
        else:
            if not self.texts:
                self.send("response.output_item.added", output_index=0,
                          item={"id": "i", "type": "message", "content": []})
            self.send("response.output_text.delta", item_id="i", output_index=0,
                      content_index=0, delta=piece)
        self.texts += piece

    def call(self, identifier, name, arguments):
        text = json.dumps(arguments)
        if self.form == "chat":
            self.chunk({"tool_calls": [{
                "index": 0, "id": identifier, "type": "function",
                "function": {"name": name, "arguments": text}}]})
        elif self.form == "messages":
            self.send("content_block_start", index=0, content_block={
                "type": "tool_use", "id": identifier, "name": name, "input": {}})
            self.send("content_block_delta", index=0,
                      delta={"type": "input_json_delta", "partial_json": text})
        else:
            item = {"id": "f", "type": "function_call", "call_id": identifier, "name": name,
                    "arguments": text, "status": "completed"}
            self.send("response.output_item.added", output_index=0,
                      item=dict(item, arguments=""))
            self.send("response.output_item.done", output_index=0, item=item)
        self.end("tool_use", "tool_calls")

    def end(self, reason="end_turn", chat_reason="stop"):
        if self.form == "chat":
            self.chunk({}, chat_reason)
            self.raw("data: [DONE]\n\n")
        elif self.form == "messages":
            self.send("content_block_stop", index=0)
            self.send("message_delta", delta={"stop_reason": reason}, usage={"output_tokens": 5})
            self.send("message_stop")
        else:
            if self.texts:
                part = {"type": "output_text", "text": self.texts, "annotations": []}
                self.send("response.output_item.done", output_index=0, item={
                    "id": "i", "type": "message", "status": "completed", "role": "assistant",
                    "content": [part]})
            self.send("response.completed", response={
                "id": "r", "status": "completed",
                "usage": {"input_tokens": 9, "output_tokens": 5}})
        self.connection.sendall(b"0\r\n\r\n")


class Provider:
    """Answers in threads; what it has seen is read by the tests."""

    def __init__(self):
        self.asked = {}  # token: how often its message was the last one
        self.called = {}  # token: id of the call that was sent whole
        self.results = {}  # token: the result its call came back with
        self.violations = []
        self.requests = 0
        self.summaries = 0
        self.sound = sound.Service()
        self.narrow = None
        self.lock = threading.Lock()
        self.listener = socket.create_server(("127.0.0.1", 0), backlog=64)
        self.port = self.listener.getsockname()[1]
        threading.Thread(target=self.accept, daemon=True).start()

    def clogged(self):
        """A second port, where connecting hangs until `unclog`."""
        if self.narrow is None:
            self.narrow = socket.create_server(("127.0.0.1", 0), backlog=0)
            self.corks = []
            for _ in range(2):
                cork = socket.socket()
                cork.setblocking(False)
                cork.connect_ex(self.narrow.getsockname())
                self.corks.append(cork)
        return self.narrow.getsockname()[1]

    def unclog(self):
        if self.narrow is not None:
            for cork in self.corks:
                cork.close()
            threading.Thread(target=self.accept, args=(self.narrow,), daemon=True).start()
            self.narrow = None

    def variables(self):
        url = f"http://127.0.0.1:{self.port}"
        return {
            "ANTHROPIC_BASE_URL": url, "ANTHROPIC_API_KEY": "sk-none",
            "OPENAI_BASE_URL": url + "/v1", "OPENAI_API_KEY": "sk-none",
            "OLLAMA_HOST": "127.0.0.1:1"}

    def accept(self, listener=None):
        while True:
            connection, _ = (listener or self.listener).accept()
            connection.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
            threading.Thread(target=self.serve, args=(connection,), daemon=True).start()

    def serve(self, connection):
        with connection, connection.makefile("rb") as stream:
            try:
                while request := read_request(stream):
                    method, path, body = request
                    if path.endswith("/audio/transcriptions"):
                        if not self.sound.answer(connection, stream, path, body):
                            return
                    elif method == "GET":
                        respond(connection, 200, {"data": [{"id": "soak", "object": "model"}]})
                    elif not self.answer(connection, path, json.loads(body)):
                        return
            except OSError:
                pass  # The reader was killed or has stopped.

    def answer(self, connection, path, body):
        """False closes the connection."""
        form = {"responses": "responses", "messages": "messages"}.get(
            path.rsplit("/", 1)[-1], "chat")
        found = faults(form, body)
        sequence = items(form, body)
        instructions = json.dumps(body.get("system") or body.get("instructions") or body)
        if TITLE in instructions:
            # None is given, so that every conversation keeps its first words.
            respond(connection, 403, {"error": {"message": "no titles here"}})
            return True
        if SUMMARY in instructions:
            return self.sum_up(connection, form, sequence, found)
        asked = [match for role, _, text in sequence if role == "user"
                 for match in ASKED.findall(text)]
        verb, token = asked[-1] if asked else ("plain", "n0")
        last = sequence[-1] if sequence else ("", "", "")
        with self.lock:
            self.requests += 1
            self.violations += [f"{verb} {token}: {fault}" for fault in found]
            if last[1] == "result":
                self.results[token] = result_text(body)
            else:
                self.asked[token] = self.asked.get(token, 0) + 1
        if found:
            respond(connection, 400, {"error": {"message": "; ".join(found)}})
            return True
        if verb == "broke":
            respond(connection, 429, {"error": {"type": "insufficient_quota", "message": "none"}})
            return True
        if verb == "silent":
            connection.recv(1)
            return False
        if verb == "busy":
            respond(connection, 503, {"error": {"message": "busy"}}, "Retry-After: 20\r\n")
            return True
        stream = Stream(connection, form)
        if verb in ("tool", "delete") and last[1] != "result":
            identifier = f"call_{token}_{self.requests}"
            name, arguments = {
                "tool": ("create_reminder", {"title": f"soak {token}"}),
                "delete": ("delete_reminder", {"title": "to be kept"})}[verb]
            stream.call(identifier, name, arguments)
            with self.lock:
                self.called[token] = self.called.get(token, 0) + 1
            return True
        if verb == "shape":
            for piece in self.shape(int(token[1:])):
                stream.text(piece)
                stream.texts = "."
            stream.text(f"\n\nEND-{token}\n")
            stream.end()
            return True
        for piece in words(verb, token):
            if verb == "stall" and piece.startswith("END"):
                connection.recv(1)
                return False
            stream.text(piece)
            time.sleep(PACE.get(verb, 0))
        stream.end()
        return True


    def sum_up(self, connection, form, sequence, found):
        """A summary is asked for; none comes where the user wants it to hang."""
        text = sequence[-1][2] if sequence else ""
        with self.lock:
            self.requests += 1
            self.summaries += 1
            self.violations += [f"summary: {fault}" for fault in found]
        if "What matters most to the user: hang" in text:
            connection.recv(1)
            return False
        stream = Stream(connection, form)
        stream.text("They said things.")
        stream.end()
        return True


def read_request(stream):
    line = stream.readline()
    if not line:
        return None
    method, path, _ = line.decode().split()
    length = 0
    while header := stream.readline().strip().lower():
        if header.startswith(b"content-length:"):
            length = int(header.split(b":")[1])
    # A recording is read, or not, by who answers it.
    if path.endswith("/audio/transcriptions"):
        return method, path, length
    return method, path, stream.read(length)


def respond(connection, status, value, headers=""):
    body = json.dumps(value).encode()
    connection.sendall(
        f"HTTP/1.1 {status} Soak\r\nContent-Type: application/json\r\n{headers}"
        f"Content-Length: {len(body)}\r\n\r\n".encode() + body)
