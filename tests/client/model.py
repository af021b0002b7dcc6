"""A scripted stand-in for the Messages API: it answers the client on 127.0.0.1 and remembers what it was shown.

A scenario names the assistant's turns:
  turns    turns of the main conversation, served in order; a plain "done" once they are used up
  agents   {"KEY": [turns]}: a subagent's turns; it is known by "[[agent:KEY]]" in its first prompt
  summary  the answer to a request for a compaction
A turn is {"text": "...", "tools": [{"name": "Bash", "input": {...}}]}; either key may be left out.
"""
import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


class Model:
    """Serves a scenario; `requests` lists every request for a message, in order of arrival."""

    def __init__(self, scenario):
        self.scenario = scenario
        self.requests = []
        self.lock = threading.Lock()
        self.server = ThreadingHTTPServer(("127.0.0.1", 0), handler_for(self))
        self.server.daemon_threads = True
        self.port = self.server.server_address[1]

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *exc):
        self.server.shutdown()
        self.server.server_close()

    def conversation(self, body):
        """Which conversation a request belongs to: "main", "compact", "side" or "agent:KEY"."""
        prompts = [texts(m["content"]) for m in body.get("messages", []) if m.get("role") == "user"]
        first, last = (prompts[0], prompts[-1][-12000:]) if prompts else ("", "")
        if "summary of the conversation" in last and "<summary>" in last:
            return "compact"
        if not body.get("tools"):
            return "side"
        for key in self.scenario.get("agents", {}):
            if "[[agent:%s]]" % key in first:
                return "agent:" + key
        return "main"

    def answer(self, body):
        """Records the request; the message that answers it."""
        conversation = self.conversation(body)
        with self.lock:
            index = sum(r["conversation"] == conversation for r in self.requests)
            self.requests.append({"conversation": conversation, "index": index, "body": body})
            serial = len(self.requests)
        turn = self.turn(conversation, index)
        content = [{"type": "text", "text": turn["text"]}] if turn.get("text") else []
        for n, tool in enumerate(turn.get("tools", [])):
            content.append({"type": "tool_use", "id": "toolu_%08d%02dscripted" % (serial, n), **tool})
        return {
            "id": "msg_%08dscripted" % serial, "type": "message", "role": "assistant",
            "model": body.get("model", "scripted"), "content": content,
            "stop_reason": "tool_use" if turn.get("tools") else "end_turn", "stop_sequence": None,
            "usage": {"input_tokens": 100, "output_tokens": 20,
                      "cache_creation_input_tokens": 0, "cache_read_input_tokens": 0},
        }

    def turn(self, conversation, index):
        if conversation == "compact":
            return {"text": "<analysis>short</analysis>\n<summary>%s</summary>" % self.scenario["summary"]}
        if conversation == "side":
            return {"text": "{\"title\": \"Scripted session\"}"}
        if conversation == "main":
            turns = self.scenario["turns"]
        else:
            turns = self.scenario["agents"][conversation[len("agent:"):]]
        return turns[index] if index < len(turns) else {"text": "done"}

    def shown(self):
        """Per request, what the model had not been shown before in that conversation."""
        seen, out = {}, []
        for request in self.requests:
            messages = request["body"]["messages"]
            start = seen.get(request["conversation"], 0)
            if start > len(messages):  # a compaction replaced the conversation
                start = 0
            seen[request["conversation"]] = len(messages)
            out.append({
                "conversation": request["conversation"], "index": request["index"],
                "new": [m["content"] for m in messages[start:] if m["role"] != "assistant"],
            })
        return out


def texts(content):
    """All text of a message's content."""
    if isinstance(content, str):
        return content
    return "\n".join(block.get("text", "") for block in content if block.get("type") == "text")


def events_of(message):
    """The message as the server-sent events of a streamed answer."""
    start = dict(message, content=[], stop_reason=None)
    yield "message_start", {"message": start}
    for n, block in enumerate(message["content"]):
        if block["type"] == "text":
            empty, delta = dict(block, text=""), {"type": "text_delta", "text": block["text"]}
        else:
            empty, delta = dict(block, input={}), {"type": "input_json_delta", "partial_json": json.dumps(block["input"])}
        yield "content_block_start", {"index": n, "content_block": empty}
        yield "content_block_delta", {"index": n, "delta": delta}
        yield "content_block_stop", {"index": n}
    yield "message_delta", {"delta": {"stop_reason": message["stop_reason"], "stop_sequence": None},
                            "usage": message["usage"]}
    yield "message_stop", {}


def handler_for(model):
    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def log_message(self, *args):
            pass

        def reply(self, status, kind, text):
            raw = text.encode()
            self.send_response(status)
            self.send_header("content-type", kind)
            self.send_header("content-length", str(len(raw)))
            self.end_headers()
            if self.command != "HEAD":
                self.wfile.write(raw)

        def reply_json(self, status, value):
            self.reply(status, "application/json", json.dumps(value))

        def not_found(self):
            self.reply_json(404, {"type": "error", "error": {"type": "not_found_error", "message": "not scripted"}})

        do_GET = do_HEAD = not_found

        def do_POST(self):
            raw = self.rfile.read(int(self.headers.get("content-length") or 0))
            path = self.path.split("?")[0]
            if path.endswith("/count_tokens"):
                return self.reply_json(200, {"input_tokens": len(raw) // 4 + 1})
            if not path.endswith("/messages"):
                return self.not_found()
            body = json.loads(raw)
            message = model.answer(body)
            if not body.get("stream"):
                return self.reply_json(200, message)
            stream = "".join("event: %s\ndata: %s\n\n" % (name, json.dumps(dict(data, type=name)))
                             for name, data in events_of(message))
            return self.reply(200, "text/event-stream; charset=utf-8", stream)

    return Handler
