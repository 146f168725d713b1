"""What the spools of this machine's edges hold, seen from outside."""

import os
from pathlib import Path

from deploy.local.stack_settings import StackSettings

_VARIABLE = "ONBOARDING_EDGE_SPOOL_FOLDER"


def spool_folder(settings: StackSettings) -> Path:
    """Say where the spools are, if there are any: where the edge's settings say, else in the local stack's folder."""
    return Path(os.environ.get(_VARIABLE) or settings.state_dir / "edge-spool")


def spooled_bytes(folder: Path) -> int | None:
    """Add up the segments, which their edges delete when Redis has taken them; None where there is no folder."""
    if not folder.is_dir():
        return None
    total = 0
    for segment in folder.glob("spool-*/*.segment"):
        try:
            total += segment.stat().st_size
        except FileNotFoundError:
            continue
    return total


def damaged_segments(folder: Path) -> int:
    """Count the segments that were set aside because they were damaged."""
    return sum(1 for _ in folder.glob("damaged/*"))
