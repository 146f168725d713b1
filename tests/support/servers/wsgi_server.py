"""A WSGI application of a test, served over HTTP in threads of the test's own process."""

from collections.abc import Iterator
from contextlib import contextmanager
from socketserver import ThreadingMixIn
from wsgiref.simple_server import WSGIRequestHandler, WSGIServer, make_server
from wsgiref.types import WSGIApplication

from tests.support.background import serving


class _ThreadedServer(ThreadingMixIn, WSGIServer):
    daemon_threads = True


class _QuietHandler(WSGIRequestHandler):
    def log_message(self, *_args: object) -> None:
        """Write no log."""


@contextmanager
def running_wsgi(app: WSGIApplication) -> Iterator[str]:
    """Serve during the block, and return the address."""
    server = make_server("127.0.0.1", 0, app, _ThreadedServer, _QuietHandler)
    with serving(server):
        yield f"http://127.0.0.1:{server.server_port}"
