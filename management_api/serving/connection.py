"""One client's connection: what it is doing, since when, and how many bytes are held for it."""

from enum import Enum

from gunicorn.config import Config
from gunicorn.http import RequestParser
from gunicorn.workers.gthread import TConn

from management_api.serving.buffered_socket import BufferedSocket
from management_api.serving.gathered_request import GatheredRequest

#: As `accept` and `getsockname` give them for TCP.
Address = tuple[str, int]


class Phase(Enum):
    """What the poller waits for; a connection whose request a thread has is in none."""

    #: The next request on a connection that has served one: it may rest.
    IDLE = "idle"
    GATHERING = "gathering"
    SENDING = "sending"
    #: The client's close, after our last word, so that the word is not lost with the connection.
    LINGERING = "lingering"


class Connection(TConn):
    """Gunicorn's connection with a socket that never blocks and a request that is gathered first."""

    sock: BufferedSocket

    def __init__(
        self, cfg: Config, sock: BufferedSocket, client: Address, server: Address, max_body_bytes: int
    ) -> None:
        super().__init__(cfg, sock, client, server)
        # Gunicorn's threads are not to wait for the first bytes: they are there before a thread is.
        self.data_ready = True
        self.phase = Phase.GATHERING
        self.deadline = 0.0
        self.watched_bytes = 0
        #: Whether another request may follow the one that is being answered.
        self.goes_on = False
        self.dropped = False
        self.request = GatheredRequest(max_body_bytes)
        self._max_body_bytes = max_body_bytes

    @property
    def held_bytes(self) -> int:
        """Count the memory that the client takes."""
        return len(self.request.data) + self.sock.pending_bytes

    def hand_over(self) -> None:
        """Lay the request out for a thread."""
        self.sock.give(bytes(self.request.data))
        self.request.data.clear()

    def may_go_on(self) -> bool:
        """Tell whether the next request can begin where this one has ended, for certain."""
        return self.request.whole and not self.sock.ran_dry

    def next_request(self) -> None:
        """Begin anew with what the client has sent behind its last request."""
        read_ahead = self.parser.unreader.take_buffered() if isinstance(self.parser, RequestParser) else b""
        ahead = read_ahead + self.sock.take_back()
        self.request = GatheredRequest(self._max_body_bytes)
        if ahead:
            self.request.feed(ahead)
