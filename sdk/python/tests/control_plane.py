"""A minimal control plane, which tests can make fail."""

import http.server
import json
import threading


class Request:
    def __init__(self, method, path, headers, body):
        self.method = method
        self.path = path
        self.headers = headers
        self.body = body

    @property
    def endpoint(self):
        return self.path.rstrip("/").rsplit("/", 1)[-1]


class ControlPlane:
    """Starts a server. `behave(request)` returns None for the standard response, `(status, body)`
    or `(status, body, headers)`, or "drop" to close the connection without a response.
    """

    def __init__(self):
        self.seen = []
        self.taken = []
        self.behave = lambda request: None
        self._runs = 0
        self._lock = threading.Lock()
        self._port = 0
        self.come_back()

    @property
    def url(self):
        return f"http://127.0.0.1:{self._port}"

    def come_back(self):
        plane = self

        class Handler(http.server.BaseHTTPRequestHandler):
            protocol_version = "HTTP/1.1"
            # Sends head and body in one packet.
            wbufsize = -1

            def handle_any(self):
                length = int(self.headers.get("content-length") or 0)
                text = self.rfile.read(length)
                body = json.loads(text) if text else {}
                request = Request(self.command, self.path, self.headers, body)
                reply = plane.answer(request)
                if reply == "drop":
                    self.close_connection = True
                    self.connection.close()
                    return
                status, answer, headers = (*reply, {})[:3]
                payload = json.dumps(answer).encode()
                self.send_response(status)
                for name, value in headers.items():
                    self.send_header(name, value)
                self.send_header("content-length", str(len(payload)))
                self.end_headers()
                self.wfile.write(payload)

            do_GET = do_POST = handle_any

            def log_message(self, *_):
                pass

        class Server(http.server.ThreadingHTTPServer):
            daemon_threads = True

            def handle_error(self, *_):
                pass

        self._server = Server(("127.0.0.1", self._port), Handler)
        self._port = self._server.server_address[1]
        threading.Thread(target=self._server.serve_forever, args=(0.01,), daemon=True).start()

    def go_away(self):
        self._server.shutdown()
        self._server.server_close()

    def answer(self, request):
        with self._lock:
            self.seen.append(request)
        special = self.behave(request)
        if special == "drop":
            return "drop"
        reply = special or self._usual(request)
        if reply[0] < 300:
            with self._lock:
                self.taken.append(request)
        return reply

    def _usual(self, request):
        if request.endpoint == "start":
            with self._lock:
                self._runs += 1
                return 201, {"run_id": str(self._runs), "workflow_id": "wf_1"}
        if request.endpoint == "complete":
            calm = {"should_retry": False, "retry_feedback": None, "max_retries": 0}
            return 200, {"status": "ok", "governance_action": "allow", **calm}
        return 200, {"status": "ok", "count": 1}

    def endpoints(self):
        return [request.endpoint for request in self.taken]

    def items(self, kind):
        return [item for request in self.taken for item in request.body.get(kind, [])]
