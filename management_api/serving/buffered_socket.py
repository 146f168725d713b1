"""A socket for which no thread ever waits: requests are read from memory, answers are written to it."""

import socket

_PIECE_BYTES = 64 * 1024


class BufferedSocket(socket.socket):
    """What gunicorn's threads take for a blocking socket; the worker's poller moves the bytes on the wire."""

    def __init__(self, accepted: socket.socket) -> None:
        super().__init__(accepted.family, accepted.type, accepted.proto, fileno=accepted.detach())
        super().settimeout(0)
        self._input = memoryview(b"")
        self._output: list[memoryview] = []
        #: The thread wanted more of the request than there was.
        self.ran_dry = False

    # --- for the poller ---

    def arrived(self) -> bytes | None:
        """Give what has arrived: None when there is nothing yet, no bytes at the end. Raises OSError."""
        try:
            return super().recv(_PIECE_BYTES)
        except BlockingIOError:
            return None

    def give(self, request: bytes) -> None:
        """Lay out a request for the thread that is next."""
        self._input = memoryview(request)
        self.ran_dry = False

    def take_back(self) -> bytes:
        """Give what the thread has not read."""
        rest, self._input = bytes(self._input), memoryview(b"")
        return rest

    def flush(self) -> bool:
        """Send what the client takes without waiting; tells whether everything is out. Raises OSError."""
        if len(self._output) > 1:
            # Head and body in one packet, by one call.
            self._output = [memoryview(b"".join(self._output))]
        while self._output:
            try:
                sent = super().send(self._output[0])
            except BlockingIOError:
                return False
            if sent == len(self._output[0]):
                self._output.pop(0)
            else:
                self._output[0] = self._output[0][sent:]
        return True

    def send_now(self, data: bytes) -> None:
        """Send a few bytes that fit into any connection's buffer; what does not is the client's loss."""
        try:
            super().send(data)
        except BlockingIOError:
            return

    @property
    def pending_bytes(self) -> int:
        """Count what has not been sent yet."""
        return sum(map(len, self._output))

    # --- for the thread ---

    def recv(self, bufsize: int, flags: int = 0, /) -> bytes:
        """Read from memory; the end of what was gathered is the end."""
        del flags
        data, self._input = bytes(self._input[:bufsize]), self._input[bufsize:]
        self.ran_dry = self.ran_dry or not data
        return data

    def sendall(self, data: object, flags: int = 0, /) -> None:
        """Keep it until `flush`, which comes when the answer is whole."""
        del flags
        piece = memoryview(data).cast("B")  # type: ignore[arg-type]  # whatever buffer socket.sendall takes
        if piece:
            self._output.append(piece)

    def send(self, data: object, flags: int = 0, /) -> int:
        """Drop gunicorn's `100 Continue`, the only thing it sends this way: the worker has seen to that."""
        del flags
        return len(memoryview(data))  # type: ignore[arg-type]  # as in sendall

    def setblocking(self, flag: bool, /) -> None:  # noqa: FBT001 - the signature of socket.socket
        """Stay as it is: this socket never blocks."""

    def settimeout(self, value: float | None, /) -> None:
        """Stay as it is: this socket never waits."""

    def gettimeout(self) -> float:
        """Say that it never waits."""
        return 0.0
