"""The spools of this machine's edges, seen from outside."""

import os
from pathlib import Path

from deploy.local.settings import StackSettings

_VARIABLE = "ONBOARDING_EDGE_SPOOL_FOLDER"
#: Those of this release, each with its log, and those that release 0.1.0 has left.
_FILES = ("*.sqlite*", "spool-*/*.segment")


def spool_folder(settings: StackSettings) -> Path:
    """Return where the spools are, if there are any: the folder of the edge's settings, else the local stack's."""
    return Path(os.environ.get(_VARIABLE) or settings.state_dir / "edge-spool")


def spooled_bytes(folder: Path) -> int | None:
    """Return the size of all spool files, which edges delete when Redis has their events; None without a folder."""
    if not folder.is_dir():
        return None
    total = 0
    for pattern in _FILES:
        for file in folder.glob(pattern):
            try:
                total += file.stat().st_size
            except FileNotFoundError:
                continue
    return total


def damaged_files(folder: Path) -> int:
    """Count the files that were set aside because they were damaged; the log of a file is a part of it."""
    return sum(1 for file in folder.glob("damaged/*") if not file.name.endswith("-wal"))
