"""The process that reads one file of a stranger: `python -m management_api.media.readers.process TYPE`.

The file is the standard input, and the result the standard output. Before the first byte is read, the process gives up
what it does not need: it cannot open a file or a connection, start a process, or take more memory and time than the
limits. Its environment has no secrets, because the service starts it with an empty one.
"""

import importlib
import os
import resource
import sys
from collections.abc import Sequence
from contextlib import suppress
from typing import Any, BinaryIO

import msgspec

from management_api.media.facts import ACCEPTED_TYPES, MEBIBYTE, MediaFacts, ReadMedia, UnreadableMediaError

MAX_MEMORY_BYTES = 512 * MEBIBYTE
MAX_CPU_SECONDS = 20
_MAX_OUTPUT_BYTES = 64 * MEBIBYTE
_MAX_OUTCOME_BYTES = MEBIBYTE
_LENGTH_BYTES = 4
_READ_BYTES = MEBIBYTE


class Outcome(msgspec.Struct, frozen=True):
    """The facts of a file, or the reason why it is refused, which reads on after "the file"."""

    facts: MediaFacts | None = None
    refusal: str | None = None


def main(content_type: str) -> None:
    """Read the file of the standard input with the reader of its type."""
    reader = importlib.import_module(f"management_api.media.readers.{ACCEPTED_TYPES[content_type].reader}")
    reader.preload()
    answer(reader, content_type)


def answer(reader: Any, content_type: str) -> None:  # noqa: ANN401 - a module of readers
    """Drop all privileges, read the file on standard input, and write the result with the kept files."""
    give_up_rights()
    contents: Sequence[bytes] = ()
    try:
        read: ReadMedia = reader.read(_input(), content_type)
        outcome, contents = Outcome(facts=read.facts), read.contents
    except UnreadableMediaError as error:
        outcome = Outcome(refusal=str(error))
    except MemoryError:
        outcome = Outcome(refusal="takes too much memory when it is decoded")
    except RecursionError:
        outcome = Outcome(refusal="is nested too deeply")
    encoded = msgspec.msgpack.encode(outcome)
    for part in (len(encoded).to_bytes(_LENGTH_BYTES, "big"), encoded, *contents):
        _write(memoryview(part))


def read_outcome(output: BinaryIO) -> Outcome:
    """Read the outcome at the begin of the output; the contents follow. Raises msgspec.DecodeError."""
    output.seek(0)
    size = int.from_bytes(output.read(_LENGTH_BYTES), "big")
    return msgspec.msgpack.decode(output.read(min(size, _MAX_OUTCOME_BYTES)), type=Outcome)


def give_up_rights() -> None:
    """Set the limits of the system. Open descriptors stay usable, and no further one can be made."""
    limits = {
        resource.RLIMIT_AS: MAX_MEMORY_BYTES,
        resource.RLIMIT_CPU: MAX_CPU_SECONDS,
        resource.RLIMIT_FSIZE: _MAX_OUTPUT_BYTES,
        resource.RLIMIT_NOFILE: 0,
        resource.RLIMIT_NPROC: 0,
        resource.RLIMIT_CORE: 0,
    }
    for limit, value in limits.items():
        # A hard limit that is lower already stays.
        with suppress(ValueError):
            resource.setrlimit(limit, (value, value))


def _input() -> bytes:
    parts = []
    while part := os.read(sys.stdin.fileno(), _READ_BYTES):
        parts.append(part)
    return b"".join(parts)


def _write(part: memoryview) -> None:
    while part:
        part = part[os.write(sys.stdout.fileno(), part) :]


if __name__ == "__main__":
    main(sys.argv[1])
