"""A TCP connection through the faulty proxy: two streams, and the faults of their bytes."""

import asyncio
import contextlib
import random
import socket
import struct
from collections.abc import Callable
from dataclasses import dataclass

_CHUNK_BYTES = 65536
#: Closes with a reset instead of FIN.
_LINGER_RESET = struct.pack("ii", 1, 0)


@dataclass(frozen=True, slots=True)
class Fault:
    """The fault of every connection; without any field set there is none."""

    #: Nothing is forwarded, in either direction; arriving bytes wait.
    is_black_hole: bool = False
    #: The delay of every chunk in seconds, in either direction.
    delay_seconds: float = 0.0
    #: Requests are forwarded and replies are lost.
    loses_replies: bool = False
    #: The connection is cut when a reply is lost.
    cuts_at_reply: bool = False
    #: The probability that a chunk, in either direction, is the last of its connection and only partly forwarded.
    cut_probability: float = 0.0
    #: The number of bytes, of both directions, after which a connection is cut under this fault.
    cut_after: int | None = None


class ProxiedConnection:
    """Forwards until either side ends, or a fault ends both."""

    def __init__(
        self,
        client: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        target: tuple[asyncio.StreamReader, asyncio.StreamWriter],
        fault: Callable[[], Fault],
        rng: random.Random,
    ) -> None:
        self._client = client
        self._target = target
        self._fault = fault
        self._rng = rng
        self._passed = 0
        self._changed = asyncio.Event()
        #: Whether a reply was lost: the client would take the next one for it.
        self.has_lost = False
        self.was_cut = False

    async def forward(self) -> None:
        """Forward both ways until the end."""
        requests = asyncio.create_task(self._pump(self._client[0], self._target[1], is_reply=False))
        replies = asyncio.create_task(self._pump(self._target[0], self._client[1], is_reply=True))
        try:
            await asyncio.wait([requests, replies], return_when=asyncio.FIRST_COMPLETED)
        finally:
            for task in (requests, replies):
                task.cancel()
            await asyncio.gather(requests, replies, return_exceptions=True)
            await self._close()

    def fault_changed(self) -> None:
        """Apply the fault of the proxy again; a connection that has lost a reply cannot continue."""
        self._passed = 0
        self._changed.set()
        if self.has_lost and not self._fault().loses_replies:
            self.cut()

    def cut(self) -> None:
        """End both sides, half of the time by a reset."""
        if self.was_cut:
            return
        self.was_cut = True
        self._changed.set()
        is_reset = self._rng.random() < 0.5
        for _, writer in (self._client, self._target):
            if is_reset:
                # A connection that has just ended by itself has no socket any more.
                with contextlib.suppress(OSError):
                    writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, _LINGER_RESET)
            writer.transport.abort()

    async def _pump(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, *, is_reply: bool) -> None:
        with contextlib.suppress(OSError):
            while chunk := await reader.read(_CHUNK_BYTES):
                await self._delay()
                if self.was_cut:
                    return
                if not self._is_lost(is_reply=is_reply):
                    await self._pass_on(chunk, writer)

    async def _delay(self) -> None:
        if self._fault().delay_seconds:
            await asyncio.sleep(self._fault().delay_seconds)
        while self._fault().is_black_hole and not self.was_cut:
            self._changed.clear()
            await self._changed.wait()

    def _is_lost(self, *, is_reply: bool) -> bool:
        if not (is_reply and self._fault().loses_replies):
            return False
        self.has_lost = True
        if self._fault().cuts_at_reply:
            self.cut()
        return True

    async def _pass_on(self, chunk: bytes, writer: asyncio.StreamWriter) -> None:
        allowed = self._allowed_of(chunk)
        writer.write(chunk[:allowed])
        self._passed += allowed
        await writer.drain()
        if allowed < len(chunk) or self._passed == self._fault().cut_after:
            self.cut()

    def _allowed_of(self, chunk: bytes) -> int:
        """Return the number of bytes of a chunk that are forwarded before the connection is cut."""
        fault = self._fault()
        if fault.cut_after is not None:
            return min(len(chunk), max(0, fault.cut_after - self._passed))
        if self._rng.random() < fault.cut_probability:
            return self._rng.randrange(len(chunk))
        return len(chunk)

    async def _close(self) -> None:
        for _, writer in (self._client, self._target):
            writer.close()
            with contextlib.suppress(OSError):
                await writer.wait_closed()
