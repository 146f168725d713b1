"""Actions of `onboarding config`: print the effective settings, validate the environment."""

import os
import re
from collections.abc import Iterable
from dataclasses import dataclass

from pydantic import SecretStr

from cli.processes.start import PROCESSES
from common.errors import SettingsError
from common.settings.shared import DatabaseSettings
from common.settings.sources import FILE_SUFFIX, IS_REQUIRED, is_secret, read_settings, variables_of
from common.telemetry.tracing import validate_tracing_config
from management_api.auth.jwt import check_identity_settings
from management_api.db.engine import connection_url
from management_api.settings import ManagementSettings

_MASK = "********"


@dataclass(frozen=True, slots=True)
class EffectiveSetting:
    """A setting; `source` is the variable it comes from, None where it has its default."""

    variable: str
    value: str
    source: str | None
    #: Why the process does not start with it.
    error: str | None = None


def effective_settings(process: str) -> list[EffectiveSetting]:
    """Return the settings of a process, with secrets masked."""
    settings_class = PROCESSES[process]
    messages: Iterable[str] = ()
    try:
        settings = read_settings(settings_class)
    except SettingsError as error:
        # The settings without a mistake are shown as they were written.
        settings = settings_class.model_construct(
            **{name: field.get_default() for name, field in settings_class.model_fields.items()}
        )
        messages = error.messages
    effective: list[EffectiveSetting] = []
    for name, field in settings_class.model_fields.items():
        variables = variables_of(name, field)
        sources = [*variables, *(f"{variable}{FILE_SUFFIX}" for variable in variables if is_secret(field))]
        source = next((source for source in sources if os.environ.get(source) is not None), None)
        problem = next((text for text in messages if re.match(rf"{variables[0]}\b", text)), None)
        value = _printed(getattr(settings, name))
        if source and messages:
            value = _MASK if is_secret(field) else os.environ[source]
        reason = problem.partition(": ")[2] if problem else None
        effective.append(EffectiveSetting(variables[0], "" if problem else value, source, reason))
    return effective


def is_only_incomplete(messages: Iterable[str]) -> bool:
    """Return whether settings are missing, and none is wrong."""
    return all(message.endswith(IS_REQUIRED) for message in messages)


def messages_by_process(processes: Iterable[str]) -> dict[str, tuple[str, ...]]:
    """Return the messages about each process's settings, none where it would start. A message never shows a value."""
    return {process: _messages(process) for process in processes}


def _messages(process: str) -> tuple[str, ...]:
    try:
        validate_tracing_config(os.environ)
        settings = read_settings(PROCESSES[process])
        if isinstance(settings, DatabaseSettings):
            connection_url(settings.database_url)
        if isinstance(settings, ManagementSettings):
            if settings.analytics_database_url is not None:
                connection_url(settings.analytics_database_url, "ONBOARDING_ANALYTICS_DATABASE_URL")
            check_identity_settings(settings)
    except SettingsError as error:
        return error.messages
    return ()


def _printed(value: object) -> str:
    if isinstance(value, SecretStr):
        return _MASK if value.get_secret_value() else ""
    if isinstance(value, tuple):
        return ",".join(value)
    if isinstance(value, bool):
        return str(value).lower()
    return "" if value is None else str(value)
