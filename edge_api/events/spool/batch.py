"""What is replayed of a spool at once, and how submissions are read from a segment's content."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from edge_api.events.pending_write import PendingWrite
from edge_api.events.spool.frame import CorruptRange, Frame, FrameError, frames_in
from edge_api.events.spool.segment import Segment


@dataclass(frozen=True, slots=True)
class Batch:
    """Records to be replayed, with the place of the segment where each submission ends."""

    segment: Segment
    submissions: Sequence[PendingWrite]
    ends: Sequence[int]


def submissions_in(content: bytes) -> Iterator[tuple[Frame | CorruptRange, PendingWrite | None]]:
    """Give each frame of a segment's content with its submission, and with None what cannot be read."""
    for place in frames_in(content):
        if isinstance(place, Frame):
            try:
                project_id, bodies = place.unpack()
            except FrameError:
                yield place, None
            else:
                yield place, PendingWrite(project_id, bodies, _nobody_waits, place.end - place.start)
        else:
            yield place, None


def _nobody_waits(_failure: Exception | None) -> None:
    pass
