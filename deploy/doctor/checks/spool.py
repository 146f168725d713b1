"""Whether events wait on the disk of this machine."""

from collections.abc import Iterator

from deploy.doctor.finding import Finding, unchecked, warning, well, wrong
from deploy.doctor.installation import Installation
from deploy.local.counted_words import counted
from deploy.local.spool_files import damaged_segments, spool_folder, spooled_bytes


def look_at_spool(installation: Installation) -> Iterator[Finding]:
    """Report what the spool of this machine's edges holds, and what is damaged in it."""
    folder = spool_folder(installation.settings)
    size = spooled_bytes(folder)
    if size is None:
        yield unchecked("No spool of an edge is known on this machine (ONBOARDING_EDGE_SPOOL_FOLDER).")
        return
    if damaged := damaged_segments(folder):
        segments = counted(damaged, "segment was", "segments were")
        yield wrong(
            f"{segments} damaged on disk in the spool in {folder}; what could be read is stored.",
            "Look after the disk; remove the files in `damaged/` when nobody needs them.",
        )
    if size:
        yield warning(
            f"{size:,} bytes of events wait on disk in {folder}.",
            "They are replayed when Redis takes them; with no edge running on this machine, start one.",
        )
    elif not damaged:
        yield well("No events wait on the disk of this machine.")
