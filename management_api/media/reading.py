"""Reading files of strangers: each in a process of its own, one at a time in a worker."""

import os
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from tempfile import TemporaryFile
from typing import BinaryIO

import msgspec
import structlog

from common.errors import UnavailableError
from management_api.media.facts import EXTENSIONS, MediaFacts, Role, UnreadableMediaError
from management_api.media.readers.process import MAX_CPU_SECONDS, MAX_MEMORY_BYTES, read_outcome

#: For the turn of a request, and for a process that waits for the disk besides its processor time.
WAIT_SECONDS = 10.0
RETRY_SECONDS = 5
PROCESS_SECONDS = 3.0 * MAX_CPU_SECONDS
#: Of a content, read at once.
_PORTION_BYTES = 256 * 1024
#: The files of one result, and the characters of a refusal.
_MAX_FILES = 8
_MAX_REFUSAL = 500
_MODULE = "management_api.media.readers.process"
_LOG = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class Content:
    """The content of a kept file: a part of the temporary file that a process has written."""

    _file: BinaryIO
    _start: int
    size: int

    def __iter__(self) -> Iterator[bytes]:
        """Yield the bytes in portions."""
        for place in range(0, self.size, _PORTION_BYTES):
            portion = min(_PORTION_BYTES, self.size - place)
            yield os.pread(self._file.fileno(), portion, self._start + place)


@dataclass(frozen=True, slots=True)
class ReadFile:
    """The facts of a file, and the content of each kept file, in the order of `facts.files`."""

    facts: MediaFacts
    contents: tuple[Content, ...]


class MediaReaders:
    """Starts the processes. A worker has one of these objects."""

    def __init__(self, wait_seconds: float = WAIT_SECONDS) -> None:
        self._wait_seconds = wait_seconds
        self._turn = threading.Semaphore(1)

    @contextmanager
    def read(self, upload: BinaryIO, content_type: str) -> Iterator[ReadFile]:
        """Read a file from its begin. The contents are valid inside of the block.

        Raises UnreadableMediaError; UnavailableError when the turn of the request does not come in time.
        """
        if not self._turn.acquire(timeout=self._wait_seconds):
            raise UnavailableError("Other files are being read, please try again", retry_after_seconds=RETRY_SECONDS)
        try:
            with TemporaryFile() as output:
                _run(upload, output, content_type)
                yield _result(output)
        finally:
            self._turn.release()


def _run(upload: BinaryIO, output: BinaryIO, content_type: str) -> None:
    """Run the process. Raises UnreadableMediaError if it ends without a result."""
    upload.seek(0)
    command = [sys.executable, "-I", "-m", _MODULE, content_type]
    with TemporaryFile() as errors:
        try:
            status = subprocess.run(  # noqa: S603 - the type is one of a table
                command,
                stdin=upload,
                stdout=output,
                stderr=errors,
                env={},
                cwd="/",
                timeout=PROCESS_SECONDS,
                check=False,
            ).returncode
        except subprocess.TimeoutExpired as error:
            raise UnreadableMediaError("takes too long to decode") from error
        reason = _last_line(errors)
    if status:
        _LOG.warning("media_reader_failed", content_type=content_type, status=status, reason=reason)
        limits = f"{MAX_CPU_SECONDS} s and {MAX_MEMORY_BYTES // 1024**2} MiB"
        raise UnreadableMediaError(f"is damaged, or takes more than {limits} to decode")


def _last_line(errors: BinaryIO) -> str:
    """Return the line that names the error; the text before it may have parts of the file."""
    size = errors.seek(0, os.SEEK_END)
    errors.seek(max(0, size - _PORTION_BYTES))
    return errors.read().decode(errors="replace").strip().rpartition("\n")[2][:200]


def _result(output: BinaryIO) -> ReadFile:
    """Return the result of the process, which is not trusted: its file may have taken it over."""
    try:
        outcome = read_outcome(output)
    except msgspec.DecodeError as error:
        raise UnreadableMediaError("is damaged") from error
    if outcome.facts is None:
        raise UnreadableMediaError((outcome.refusal or "is damaged")[:_MAX_REFUSAL])
    files = outcome.facts.files
    place = output.tell()
    kept_bytes = os.fstat(output.fileno()).st_size - place
    is_sound = (
        len(files) <= _MAX_FILES
        and all(file.size > 0 and file.content_type in EXTENSIONS for file in files)
        and sum(file.size for file in files) == kept_bytes
        and [file.role for file in files].count(Role.MAIN) == 1
    )
    if not is_sound:
        raise UnreadableMediaError("is damaged")
    contents = []
    for file in files:
        contents.append(Content(output, place, file.size))
        place += file.size
    return ReadFile(outcome.facts, tuple(contents))
