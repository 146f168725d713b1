"""A WSGI application of a test, served over HTTP in threads of the test's own process."""

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import WSGIApplication


class _ThreadedServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Write no log."""


@contextmanager
def running_wsgi(app: WSGIApplication) -> Iterator[str]:
    """Serve until the block ends; gives the address."""
    with make_server("127.0.0.1", 0, app, _ThreadedServer, _QuietHandler) as server:
        thread = threading.Thread(target=server.serve_forever)
        thread.start()
        try:
            yield f"http://127.0.0.1:{server.server_port}"
        finally:
            server.shutdown()
            thread.join()
