"""A segment: one file of a spool, and what is done with it on disk. The functions block: call them in a thread."""

import errno
import os
from dataclasses import dataclass
from pathlib import Path

from edge_api.events.spool.frame import CorruptRange, Frame, frames_in

SUFFIX = ".segment"


#: This process or machine has run out of something: a reason to try again, and nothing is wrong with the file.
_SHORTAGES = frozenset({errno.EMFILE, errno.ENFILE, errno.ENOMEM})


@dataclass(slots=True, eq=False)
class Segment:
    """`size` is how far the file is known to be durable, `position` how far it has been replayed, both in bytes."""

    path: Path
    size: int = 0
    position: int = 0
    #: Not replayed yet.
    records: int = 0
    #: Unix milliseconds of the oldest that was not replayed yet.
    oldest_ms: int | None = None
    is_damaged: bool = False
    #: How often in a row what comes next could not be read.
    failed_reads: int = 0

    @property
    def has_more(self) -> bool:
        """Whether there is anything to replay."""
        return self.position < self.size


def begin_segment(path: Path) -> int:
    """Make the file, and make it durable that it is there; gives its descriptor. Raises OSError."""
    descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_APPEND | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
    try:
        sync_folder(path.parent)
    except BaseException:
        os.close(descriptor)
        raise
    return descriptor


def write_durably(descriptor: int, content: bytes) -> None:
    """Append the content and wait until the disk has it. Raises OSError, after which the file is not to be trusted."""
    rest = memoryview(content)
    while rest:
        rest = rest[os.write(descriptor, rest) :]
    os.fdatasync(descriptor)


def read_segment(path: Path, start: int, end: int) -> bytes:
    """Read a part of the file. Raises OSError."""
    with path.open("rb") as file:
        file.seek(start)
        return file.read(end - start)


def inspect_segment(path: Path) -> tuple[Segment, CorruptRange | None]:
    """See what is in a file that another process has left, and cut off what it did not finish. Raises OSError.

    Gives the segment and the tail that was cut off.
    """
    content = path.read_bytes()
    segment = Segment(path, len(content))
    for found in frames_in(content):
        if isinstance(found, Frame):
            segment.records += found.records
            if segment.oldest_ms is None:
                segment.oldest_ms = found.spooled_at_ms
        elif found.is_torn:
            os.truncate(path, found.start)
            segment.size = found.start
            return segment, found
    return segment, None


def is_shortage(error: OSError) -> bool:
    """Tell whether a file that could not be read may be as good as ever."""
    return error.errno in _SHORTAGES


def remove_segment(segment: Segment, damaged_folder: Path) -> None:
    """Delete a file that has been replayed; one that is damaged is set aside for people to look at. Raises OSError."""
    if segment.is_damaged and segment.path.exists():
        damaged_folder.mkdir(mode=0o700, exist_ok=True)
        segment.path.rename(damaged_folder / f"{segment.path.parent.name}-{segment.path.name}")
    else:
        segment.path.unlink(missing_ok=True)


def sync_folder(folder: Path) -> None:
    """Make durable which files a folder has. Raises OSError."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
