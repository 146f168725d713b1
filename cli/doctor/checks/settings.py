"""The settings in this environment; each process may have an environment of its own."""

import os
from collections.abc import Iterator

from cli.doctor.finding import Finding, warning, well, wrong
from cli.doctor.installation import Installation
from cli.process_settings import PROCESSES, unknown_variables
from cli.validate import complaints_by_process
from common.settings.sources import IS_REQUIRED, UnknownName, former_names


def check_settings(_installation: Installation) -> Iterator[Finding]:
    """Check for invalid values and unknown names. A missing setting may be set elsewhere."""
    complaints = dict.fromkeys(
        complaint
        for found in complaints_by_process(PROCESSES).values()
        for complaint in found
        if not complaint.endswith(IS_REQUIRED) and not complaint.startswith("ONBOARDING_IDENTITY_")
    )
    for complaint in complaints:
        yield wrong(f"A setting is wrong: {complaint}.", "Correct it; no process starts with it.")
    for former, present in former_names(os.environ):
        yield warning(f"{former} is the former name of {present}.", f"Set {present} instead.")
    strange = unknown_variables()
    for unknown in strange:
        yield warning(f"{unknown.name} is set, and no process reads it.", _correction(unknown))
    if not complaints and not strange:
        yield well("The settings of this environment are valid; `onboarding config check` lists the missing ones.")


def _correction(unknown: UnknownName) -> str:
    if unknown.suggestion:
        return f"Perhaps {unknown.suggestion} is meant."
    return "Remove it, or see docs/reference/settings.md for its name."
