"""Responses are written together and in their order; a lost connection costs only its own response."""

import asyncio

from edge_api.http.responses import WriteBatcher


class Transport(asyncio.Transport):
    """A connection that records the written bytes, or that was lost without notice."""

    def __init__(self, *, is_lost: bool = False) -> None:
        super().__init__()
        self.is_lost = is_lost
        self.is_aborted = False
        self.written: list[bytes] = []

    def is_closing(self) -> bool:
        """Return False, as an event loop that has not noticed the loss of the connection."""
        return False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Record the data, or raise what uvloop raises."""
        if self.is_lost:
            raise RuntimeError("unable to perform operation; the handler is closed")
        self.written.append(bytes(data))

    def abort(self) -> None:
        self.is_aborted = True


async def put_all(transports: list[Transport], responses: list[bytes]) -> None:
    """Put responses to the transports in turn, and let the event loop continue."""
    writes = WriteBatcher(asyncio.get_running_loop())
    for number, response in enumerate(responses):
        writes.put(transports[number % len(transports)], response)
    assert not any(transport.written for transport in transports)
    await asyncio.sleep(0)


async def test_responses_are_written_together_in_their_order() -> None:
    first, second = Transport(), Transport()
    await put_all([first, second], [b"1", b"2", b"3", b"4"])
    assert (first.written, second.written) == ([b"1", b"3"], [b"2", b"4"])


async def test_lost_connection_costs_only_its_own_response() -> None:
    lost, open_one = Transport(is_lost=True), Transport()
    await put_all([lost, open_one], [b"1", b"2"])
    assert (open_one.written, lost.is_aborted) == ([b"2"], True)


async def test_large_batch_is_written_at_once() -> None:
    transport = Transport()
    WriteBatcher(asyncio.get_running_loop()).put(transport, b"x" * 300_000)
    assert len(transport.written) == 1
