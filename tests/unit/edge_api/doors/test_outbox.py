"""Answers go out in their order, and nobody's broken connection keeps another one's answer back."""

import asyncio

from edge_api.doors.outbox import Outbox


class Transport(asyncio.Transport):
    """One side of a connection, which may have been cut without having been told."""

    def __init__(self, *, is_cut: bool = False) -> None:
        super().__init__()
        self.is_cut = is_cut
        self.is_aborted = False
        self.written: list[bytes] = []

    def is_closing(self) -> bool:
        """Tell what is known."""
        return False

    def write(self, data: bytes | bytearray | memoryview) -> None:
        """Take bytes, or refuse them as uvloop does."""
        if self.is_cut:
            raise RuntimeError("unable to perform operation; the handler is closed")
        self.written.append(bytes(data))

    def abort(self) -> None:
        """End it."""
        self.is_aborted = True


async def put_all(transports: list[Transport], answers: list[bytes]) -> None:
    """Put answers in, by turns, and let the event loop come round."""
    outbox = Outbox(asyncio.get_running_loop())
    for number, answer in enumerate(answers):
        outbox.put(transports[number % len(transports)], answer)
    assert not any(transport.written for transport in transports)
    await asyncio.sleep(0)


def test_answers_go_out_together_in_their_order() -> None:
    first, second = Transport(), Transport()
    asyncio.run(put_all([first, second], [b"1", b"2", b"3", b"4"]))
    assert (first.written, second.written) == ([b"1", b"3"], [b"2", b"4"])


def test_a_connection_that_was_cut_costs_only_its_own_answer() -> None:
    cut, sound = Transport(is_cut=True), Transport()
    asyncio.run(put_all([cut, sound], [b"1", b"2"]))
    assert (sound.written, cut.is_aborted) == ([b"2"], True)


def test_what_is_sent_now_goes_out_behind_what_waits() -> None:
    async def send(transport: Transport, cut: Transport) -> None:
        outbox = Outbox(asyncio.get_running_loop())
        outbox.put(transport, b"1")
        outbox.send(cut, b"2")
        outbox.send(transport, b"3")
        assert transport.written == [b"1", b"3"]

    sound, cut = Transport(), Transport(is_cut=True)
    asyncio.run(send(sound, cut))
    assert cut.is_aborted
