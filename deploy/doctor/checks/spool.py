"""Whether events wait on the disk of this machine."""

from collections.abc import Iterator

from deploy.doctor.finding import Finding, unchecked, warning, well, wrong
from deploy.doctor.installation import Installation
from deploy.local.counted_words import counted
from deploy.local.spool_files import damaged_files, spool_folder, spooled_bytes


def look_at_spool(installation: Installation) -> Iterator[Finding]:
    """Report the events in the spool of this machine's edges, and its damaged files."""
    folder = spool_folder(installation.settings)
    size = spooled_bytes(folder)
    if size is None:
        yield unchecked("No spool of an edge is known on this machine (ONBOARDING_EDGE_SPOOL_FOLDER).")
        return
    if damaged := damaged_files(folder):
        files = counted(damaged, "file was", "files were")
        yield wrong(
            f"{files} damaged on disk in the spool in {folder}; the readable events are stored.",
            "Look after the disk; remove the files in `damaged/` when you have no more use for them.",
        )
    if size:
        yield warning(
            f"{size:,} bytes of events wait on disk in {folder}.",
            "They are replayed when Redis takes them; with no edge running on this machine, start one.",
        )
    elif not damaged:
        yield well("No events wait on the disk of this machine.")
