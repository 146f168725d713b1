"""The start of every process: read its settings, set up logging, warn about the settings."""

import os
from collections.abc import Mapping
from types import MappingProxyType
from typing import TypeVar

import structlog

from cli.settings import CommandSettings, FlowSettings
from common.errors import SettingsError
from common.logging import configure_logging
from common.settings.shared import DirectDatabaseSettings, ProcessSettings
from common.settings.sources import UnknownName, known_names, read_settings, unknown_names
from edge_api.settings import EdgeSettings
from management_api.event_consumer.settings import ConsumerSettings
from management_api.settings import ManagementSettings
from publisher.settings import PublisherSettings

#: The settings of the processes, by the commands that run them.
PROCESSES: Mapping[str, type[ProcessSettings]] = MappingProxyType(
    {
        "edge": EdgeSettings,
        "management": ManagementSettings,
        "publisher": PublisherSettings,
        "consumer": ConsumerSettings,
    }
)
#: All classes that read the environment; the local stack's has no variables of its own.
READERS: Mapping[str, type[ProcessSettings]] = MappingProxyType(
    {**PROCESSES, "migrate": DirectDatabaseSettings, "flows": FlowSettings, "other commands": CommandSettings}
)

SettingsT = TypeVar("SettingsT", bound=ProcessSettings)


def start_process(settings_class: type[SettingsT], name: str) -> SettingsT:
    """Return the settings of a process. Raises SettingsError; unknown names and risks are warnings."""
    unknown = unknown_variables()
    try:
        settings = read_settings(settings_class)
    except SettingsError as error:
        # A missing setting may be there under a misspelled name.
        raise SettingsError(*error.messages, *map(str, unknown)) from None
    configure_logging(settings, name)
    log = structlog.get_logger(__name__)
    for risk in settings.start_warnings():
        log.warning("settings.risk", reason=risk)
    for variable in unknown:
        log.warning("settings.unknown", variable=variable.name, did_you_mean=variable.suggestion)
    return settings


def unknown_variables() -> list[UnknownName]:
    """Return the environment variables with the prefix of the settings that no process or command reads."""
    return unknown_names(os.environ, known_names(READERS.values()))
