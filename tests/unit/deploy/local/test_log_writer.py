"""Standard output that stands still or has no room costs lines, and nothing else."""

import os
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

from deploy.local.supervision import log_writer
from deploy.local.supervision.log_writer import LogWriter
from tests.support.polling import eventually

NOTICE = "lines of the log were dropped"


@pytest.fixture
def pipe() -> Iterator[tuple[int, int]]:
    """Return the reading and the writing end of a pipe."""
    reading, writing = os.pipe()
    os.set_blocking(reading, False)
    yield reading, writing
    # The writing end stays open: a writer that still has lines must not meet another file under its number.
    os.close(reading)


class Reader:
    """The text that has come out of a pipe so far."""

    def __init__(self, descriptor: int) -> None:
        self._descriptor = descriptor
        self.text = ""

    def has_read(self, text: str) -> bool:
        """Read what there is, and return whether the text has come."""
        try:
            while content := os.read(self._descriptor, 1 << 20):
                self.text += content.decode()
        except BlockingIOError:
            pass
        return text in self.text


def redirect(descriptor: int, path: Path) -> None:
    """Have the descriptor lead to the file from now on."""
    target = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    os.dup2(target, descriptor)
    os.close(target)


def test_line_is_written_at_once(pipe: tuple[int, int]) -> None:
    reader = Reader(pipe[0])
    LogWriter(pipe[1]).write("edge | ready")
    eventually(lambda: reader.has_read("edge | ready\n"))


def test_unread_pipe_blocks_no_caller_and_dropped_lines_are_counted(
    pipe: tuple[int, int], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(log_writer, "MAX_WAITING_BYTES", 200_000)
    monkeypatch.setattr(log_writer, "CLOSE_SECONDS", 0.1)
    writer, reader = LogWriter(pipe[1]), Reader(pipe[0])
    for number in range(1000):
        writer.write(f"{number:<1000}")
    writer.close()

    def is_read_again() -> bool:
        writer.write("the end")
        return reader.has_read("the end")

    eventually(is_read_again)
    lines = reader.text.splitlines()
    kept = [int(line) for line in lines if line[:1].isdigit()]
    # The buffer may have room again once the pipe has taken some lines, so the dropped ones need not be the last.
    assert kept == sorted(set(kept))
    assert kept[:199] == list(range(199))
    assert len(kept) < 1000
    dropped = [int(count) for count in re.findall(rf"^stack       \| (\d+) {NOTICE}$", reader.text, re.MULTILINE)]
    assert sum(dropped) >= 1000 - len(kept)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="only Linux has a file that is always full")
def test_full_disk_drops_lines_until_there_is_room(tmp_path: Path) -> None:
    descriptor = os.open("/dev/full", os.O_WRONLY)
    try:
        writer = LogWriter(descriptor)
        for number in range(3):
            writer.write(f"lost {number}")
        writer.close()
        redirect(descriptor, tmp_path / "log")
        writer.write("kept")
        writer.close()
        assert (tmp_path / "log").read_text().splitlines() == [f"stack       | 3 {NOTICE}", "kept"]
    finally:
        os.close(descriptor)


def test_pipe_whose_reader_has_gone_is_no_error(tmp_path: Path) -> None:
    reading, writing = os.pipe()
    try:
        writer = LogWriter(writing)
        os.close(reading)
        writer.write("lost")
        writer.close()
        redirect(writing, tmp_path / "log")
        writer.write("kept")
        writer.close()
        assert "kept" in (tmp_path / "log").read_text()
    finally:
        os.close(writing)
