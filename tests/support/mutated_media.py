"""Mutated media files, each read in a forked process with the limits of the service.

Run `python -m tests.support.mutated_media TYPE COUNT < FILE`. It prints how many were read or refused, and how many
processes ended without an answer.
"""

import importlib
import os
import random
import sys
from collections import Counter
from tempfile import TemporaryFile
from typing import BinaryIO

from management_api.media.facts import ACCEPTED_TYPES
from management_api.media.readers.process import answer, read_outcome


def main(content_type: str, count: int) -> None:
    """Read `count` mutations of the file of the standard input."""
    data = sys.stdin.buffer.read()
    reader = importlib.import_module(f"management_api.media.readers.{ACCEPTED_TYPES[content_type].reader}")
    # The library that draws Lottie animations starts threads, which a forked process does not have.
    has_threads = content_type == "application/json"
    if not has_threads:
        reader.preload()
    chance, ends = random.Random(content_type), Counter[str]()
    for _ in range(count):
        with TemporaryFile() as upload, TemporaryFile() as output:
            upload.write(_mutated(data, chance))
            upload.seek(0)
            child = os.fork()
            if child == 0:
                os.dup2(upload.fileno(), 0)
                os.dup2(output.fileno(), 1)
                if has_threads:
                    reader.preload()
                answer(reader, content_type)
                os._exit(0)
            ends[_end(os.waitpid(child, 0)[1], output)] += 1
    print(*(f"{name} {number}" for name, number in sorted(ends.items())), sep=", ")  # noqa: T201 - the result


def _mutated(data: bytes, chance: random.Random) -> bytes:
    mutated = bytearray(data)
    for _ in range(chance.randint(1, 8)):
        mutated[chance.randrange(len(mutated))] = chance.randrange(256)
    del mutated[chance.randrange(len(mutated)) if chance.random() < 0.2 else len(mutated) :]
    return bytes(mutated)


def _end(status: int, output: BinaryIO) -> str:
    if status:
        return f"ended with {os.waitstatus_to_exitcode(status)}"
    return "read" if read_outcome(output).facts else "refused"


if __name__ == "__main__":
    main(sys.argv[1], int(sys.argv[2]))
