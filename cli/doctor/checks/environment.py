"""The environment of this command: its settings, and its limit of open files.

Each process may have an environment of its own.
"""

import re
from collections.abc import Iterator

from cli.doctor.installation import Installation
from cli.doctor.result import Result
from cli.processes.config_actions import messages_by_process
from cli.processes.start import PROCESSES, unknown_variables
from common.process import open_files_limit
from common.settings.sources import IS_REQUIRED, UnknownName
from edge_api.settings import EdgeSettings

#: Open files of an edge worker besides its connections to clients: snapshots, spool, Redis.
_OTHER_FILES = 500


def check_settings(installation: Installation) -> Iterator[Result]:
    """Check for invalid values and unknown names. A missing setting may be set elsewhere."""
    all_messages = dict.fromkeys(
        message for messages in messages_by_process(PROCESSES).values() for message in messages
    )
    missing = [message for message in all_messages if message.endswith(IS_REQUIRED)]
    # The processes of this environment may be others than management, which alone has an identity provider.
    messages = [each for each in all_messages if each not in missing and not each.startswith("ONBOARDING_IDENTITY_")]
    for message in messages:
        yield Result.error(f"A setting is invalid: {message}.", "Correct it; no process starts with it.")
    unknown = unknown_variables()
    for variable in unknown:
        yield Result.warning(f"{variable.name} is set, and no process reads it.", _correction(variable))
    if messages or unknown:
        return
    if missing:
        names = ", ".join(re.split("[ :]", message, maxsplit=1)[0] for message in missing)
        sentence = f"No setting of this environment is invalid. These are missing here: {names}."
        yield Result.ok(sentence) if installation.is_known else Result.not_checked(sentence)
    else:
        yield Result.ok("The settings of this environment are valid.")


def check_open_files(_installation: Installation) -> Iterator[Result]:
    """Compare the limit with the default number of connections of an edge worker; management needs a tenth."""
    needed = EdgeSettings.model_fields["edge_connections"].default + _OTHER_FILES
    limit = open_files_limit()
    if limit >= needed:
        yield Result.ok(f"Processes that are started like this one may open {limit} files.")
        return
    yield Result.warning(
        f"Processes that are started like this one may open only {limit} files; a full edge worker needs {needed}.",
        "Raise the hard limit: `ulimits` in compose, LimitNOFILE in systemd, the container runtime in Kubernetes.",
    )


def _correction(unknown: UnknownName) -> str:
    if unknown.suggestion:
        return f"Perhaps {unknown.suggestion} is meant."
    return "Remove it, or see docs/reference/settings.md for its name."
