"""The first steps of every process: read its settings, set up logging, log warnings about the settings."""

import os
from typing import TypeVar

import structlog

from cli.process_settings import unknown_variables
from common.errors import SettingsError
from common.logging import configure_logging
from common.settings.shared import ProcessSettings
from common.settings.sources import former_names, read_settings

SettingsT = TypeVar("SettingsT", bound=ProcessSettings)


def start_process(kind: type[SettingsT], name: str) -> SettingsT:
    """Return the settings of the process. Raises SettingsError; unknown variables and risks are warnings."""
    strange = unknown_variables()
    try:
        settings = read_settings(kind)
    except SettingsError as error:
        # What is missing may be there under a name with a slip in it.
        raise SettingsError(*error.complaints, *(str(unknown) for unknown in strange)) from None
    configure_logging(settings, name)
    for former, present in former_names(os.environ):
        structlog.get_logger(__name__).warning("settings.renamed", variable=former, use_instead=present)
    for risk in settings.start_warnings():
        structlog.get_logger(__name__).warning("settings.risk", reason=risk)
    for unknown in strange:
        structlog.get_logger(__name__).warning(
            "settings.unknown", variable=unknown.name, did_you_mean=unknown.suggestion
        )
    return settings
