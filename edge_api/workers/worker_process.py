"""One worker as its supervisor has it: a process that gives signs of life, and whom nobody waits for."""

import multiprocessing
import threading
import time
from contextlib import suppress
from multiprocessing.connection import Connection
from socket import socket

import uvicorn

_SPAWN = multiprocessing.get_context("spawn")
_SIGN_SECONDS = 0.5
_STARTS, _SERVES = b"starts", b"serves"


class WorkerProcess:
    """It is started when it is made, and serves the listener with what uvicorn is told by the configuration."""

    def __init__(self, config: uvicorn.Config, listener: socket) -> None:
        self._signs, theirs = _SPAWN.Pipe(duplex=False)
        self._process = _SPAWN.Process(target=_serve, args=(config, listener, theirs))
        self._process.start()
        theirs.close()
        self.was_heard = False
        self.serves = False
        #: Since its last sign.
        self.silent_seconds = 0.0
        #: For how long it has been starting, serving or ending.
        self.phase_seconds = 0.0

    @property
    def pid(self) -> int | None:
        """Its process."""
        return self._process.pid

    @property
    def sentinel(self) -> int:
        """A descriptor that is ready to read once the process has ended."""
        return self._process.sentinel

    @property
    def has_ended(self) -> bool:
        """Whether its process is no more."""
        return not self._process.is_alive()

    @property
    def exit_status(self) -> int | None:
        """How it ended: a status, or a signal as a negative number."""
        return self._process.exitcode

    def listen(self, awake_seconds: float) -> None:
        """Take in its signs; `awake_seconds` is for how long somebody has been there to hear any."""
        self.silent_seconds += awake_seconds
        self.phase_seconds += awake_seconds
        with suppress(OSError, EOFError):
            while self._signs.poll():
                self._take_in(self._signs.recv_bytes())

    def ask_to_end(self) -> None:
        """Tell it to answer what it has, and end."""
        self._process.terminate()
        self.phase_seconds = 0.0

    def kill(self) -> None:
        """End it whatever it does; it is gone a moment later."""
        self._process.kill()

    def close(self) -> None:
        """Let go of what is left of one that has ended."""
        self._process.close()
        self._signs.close()

    def _take_in(self, sign: bytes) -> None:
        self.was_heard = True
        self.silent_seconds = 0.0
        if sign == _SERVES and not self.serves:
            self.serves = True
            self.phase_seconds = 0.0


def _serve(config: uvicorn.Config, listener: socket, signs: Connection) -> None:
    """Be a worker, until a signal."""
    server = uvicorn.Server(config)
    threading.Thread(target=_give_signs, args=(server, signs), name="signs-of-life", daemon=True).start()
    with suppress(KeyboardInterrupt):
        server.run([listener])


def _give_signs(server: uvicorn.Server, signs: Connection) -> None:
    # Nobody listens once the supervisor is gone.
    with suppress(OSError):
        while True:
            signs.send_bytes(_SERVES if server.started else _STARTS)
            time.sleep(_SIGN_SECONDS)
