#!/usr/bin/env python3
"""The providers that SAHM_ENV=prod requires, as one HTTP server on a free port of 127.0.0.1:

    /quotes     prices that stay as they are, of the shape in services/quotes/src/providers/http
    /sms        takes messages and drops them
    /recaptcha  takes every token for a person's
    /tadawul    an https address

Prints its port, then serves until its standard input ends.
"""
import hashlib
import json
import sys
import threading
import time
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer


def quote(code: str) -> dict:
    """A price between 10.00 and 209.99 that depends on the code alone, up or down by up to 3 %."""
    seed = int.from_bytes(hashlib.sha256(code.encode()).digest()[:8], "big")
    before = 1000 + seed % 20000
    last = before + before * (seed // 20000 % 61 - 30) // 1000
    price = lambda cents: f"{cents // 100}.{cents % 100:02}"  # noqa: E731
    return {
        "code": code,
        "last": price(last),
        "previousClose": price(before),
        "open": price(before),
        "high": price(max(last, before)),
        "low": price(min(last, before)),
        "volume": 10_000 + seed % 50_000_000,
        "time": int(time.time()),
    }


def answer(path: str, body: bytes) -> dict | None:
    match path:
        case "/quotes":
            return {"quotes": [quote(code) for code in json.loads(body)["codes"]]}
        case "/sms":
            return {}
        case "/recaptcha":
            return {"success": True, "score": 0.9}
        case "/tadawul":
            return {"url": "https://tadawul.example/login"}
    return None


class Handler(BaseHTTPRequestHandler):
    protocol_version = "HTTP/1.1"

    def do_POST(self) -> None:  # noqa: N802
        body = self.rfile.read(int(self.headers.get("content-length", 0)))
        given = answer(self.path, body)
        text = json.dumps(given).encode()
        self.send_response(404 if given is None else 200)
        self.send_header("content-type", "application/json")
        self.send_header("content-length", str(len(text)))
        self.end_headers()
        self.wfile.write(text)

    def log_message(self, *_: object) -> None:
        pass


server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(server.server_port, flush=True)
sys.stdin.read()
