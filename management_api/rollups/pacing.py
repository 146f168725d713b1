"""The pace of chores that may take hours: each portion is followed by a pause, so that ingestion keeps the machine."""

import time

#: The part of the time that such a chore works. A fifth of one processor and of the disk is little beside ingestion.
WORKING_PART = 0.2


def rest_since(began: float) -> None:
    """Pause after a portion of work that began at a moment (monotonic seconds)."""
    worked = time.monotonic() - began
    time.sleep(worked / WORKING_PART - worked)
