"""The settings that a process would run with, and where each comes from; secrets are never shown."""

import os
from dataclasses import dataclass

from pydantic import SecretStr

from cli.process_settings import PROCESSES
from common.settings.sources import FILE_SUFFIX, is_secret, read_settings, variables_of

_HIDDEN = "********"


@dataclass(frozen=True, slots=True)
class EffectiveSetting:
    """One setting; `source` is the variable that it comes from, None where it is the default."""

    variable: str
    value: str
    source: str | None


def effective_settings(process: str) -> list[EffectiveSetting]:
    """Give the settings of a process. Raises SettingsError where it would not start."""
    kind = PROCESSES[process]
    settings = read_settings(kind)
    effective: list[EffectiveSetting] = []
    for name, field in kind.model_fields.items():
        variables = variables_of(name, field)
        given = [*variables, *(f"{variable}{FILE_SUFFIX}" for variable in variables if is_secret(field))]
        source = next((variable for variable in given if os.environ.get(variable) is not None), None)
        effective.append(EffectiveSetting(variables[0], _shown(getattr(settings, name)), source))
    return effective


def _shown(value: object) -> str:
    if isinstance(value, SecretStr):
        return _HIDDEN if value.get_secret_value() else ""
    if isinstance(value, tuple):
        return ",".join(value)
    return "" if value is None else str(value).lower() if isinstance(value, bool) else str(value)
