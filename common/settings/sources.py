"""The sources of settings: environment variables, and files with secrets.

Every process reads its settings once at its start with :func:`read_settings`. They are frozen and passed by
constructor.
"""

import difflib
import os
import stat
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeVar, get_args

from pydantic import AliasChoices, SecretStr, ValidationError
from pydantic.fields import FieldInfo
from pydantic_settings import BaseSettings, PydanticBaseSettingsSource

from common.errors import SettingsError

PREFIX = "ONBOARDING_"
#: Appended to the variable of a secret: the name of a file that holds the secret.
FILE_SUFFIX = "_FILE"
#: Ends the message about a missing setting.
IS_REQUIRED = "is required"
#: A larger file is not a secret but a mistake.
MAX_SECRET_BYTES = 64 * 1024

SettingsT = TypeVar("SettingsT", bound=BaseSettings)


@dataclass(frozen=True, slots=True)
class UnknownName:
    """A variable with the prefix that no process reads, and the nearest known name, if one is near."""

    name: str
    suggestion: str | None

    def __str__(self) -> str:
        suggestion = f"; did you mean {self.suggestion}?" if self.suggestion else ""
        return f"{self.name}: is no setting and has no effect{suggestion}"


def read_settings(settings_class: type[SettingsT]) -> SettingsT:
    """Return the validated settings of one process.

    Raises SettingsError with a message for every variable that is missing or wrong. A message never shows a value.
    """
    try:
        return settings_class()
    except ValidationError as error:
        messages = (
            _error_message(settings_class, str(item["loc"][0]), item["type"], item["msg"])
            for item in error.errors()
            # A default that follows from another setting, which has a message of its own.
            if item["type"] != "default_factory_not_called"
        )
        raise SettingsError(*messages) from None


def variables_of(name: str, info: FieldInfo) -> tuple[str, ...]:
    """Return the variables that a setting is read from, the preferred one first."""
    alias = info.validation_alias
    if isinstance(alias, AliasChoices):
        return tuple(str(choice) for choice in alias.choices)
    return (alias if isinstance(alias, str) else f"{PREFIX}{name.upper()}",)


def is_secret(info: FieldInfo) -> bool:
    """Return whether a setting must never be shown, and may be read from a file."""
    return _contains_secret(info.annotation)


def known_names(settings_classes: Iterable[type[BaseSettings]]) -> frozenset[str]:
    """Return every variable that these classes read."""
    return frozenset(_names_of(settings_classes))


def unknown_names(environment: Iterable[str], known: frozenset[str]) -> list[UnknownName]:
    """Return the names in the environment that have the prefix and are not known."""
    unknown = sorted(name for name in environment if name.upper().startswith(PREFIX) and name.upper() not in known)
    return [UnknownName(name, _nearest(name.upper(), known)) for name in unknown]


class InvalidSecretFile:
    """Takes the place of a secret whose file is unusable; validation rejects it with this reason."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __str__(self) -> str:
        return self._reason


class SecretFiles(PydanticBaseSettingsSource):
    """Reads secrets from files: `X_FILE` names a file that holds the secret `X`.

    It keeps passwords out of the environment, which child processes inherit and container tools show. It takes
    precedence over the environment.
    """

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Return the secret, an InvalidSecretFile, or None where no file is named."""
        variable = variables_of(field_name, field)[0]
        path = os.environ.get(variable + FILE_SUFFIX)
        if not path:
            return None, field_name, False
        if os.environ.get(variable):
            problem = InvalidSecretFile(f"is set, and so is {variable}{FILE_SUFFIX}; only one of them may be")
            return problem, field_name, False
        return _read_secret(Path(path), variable + FILE_SUFFIX), field_name, False

    def __call__(self) -> dict[str, Any]:
        """Return all secrets that are in files, by the names of their settings."""
        secrets = (
            self.get_field_value(info, name) for name, info in self.settings_cls.model_fields.items() if is_secret(info)
        )
        return {name: value for value, name, _ in secrets if value is not None}


def _error_message(settings_class: type[BaseSettings], location: str, problem: str, message: str) -> str:
    info = settings_class.model_fields.get(location)
    variable = variables_of(location, info)[0] if info else location
    if problem != "missing":
        return f"{variable}: {message.removeprefix('Value error, ')}"
    or_file = f" (or {variable}{FILE_SUFFIX})" if info and is_secret(info) else ""
    return f"{variable}{or_file}: {IS_REQUIRED}"


def _contains_secret(annotation: object) -> bool:
    return annotation is SecretStr or any(_contains_secret(part) for part in get_args(annotation))


def _names_of(settings_classes: Iterable[type[BaseSettings]]) -> Iterator[str]:
    for settings_class in settings_classes:
        for name, info in settings_class.model_fields.items():
            for variable in variables_of(name, info):
                yield variable
                if is_secret(info):
                    yield variable + FILE_SUFFIX


def _nearest(name: str, known: frozenset[str]) -> str | None:
    # Without the prefix, which would make any two names similar.
    bare = {candidate.removeprefix(PREFIX): candidate for candidate in sorted(known)}
    found = difflib.get_close_matches(name.removeprefix(PREFIX), bare, n=1, cutoff=0.7)
    return bare[found[0]] if found else None


def _read_secret(file: Path, variable: str) -> str | InvalidSecretFile:
    subject = f"the file that {variable} names, {file},"
    try:
        # Opening a pipe or a terminal could block for ever.
        if not stat.S_ISREG(file.stat().st_mode):
            return InvalidSecretFile(f"{subject} is not a regular file")
        with file.open("rb") as opened:
            content = opened.read(MAX_SECRET_BYTES + 1)
    except OSError as error:
        return InvalidSecretFile(f"{subject} cannot be read: {error.strerror}")
    if len(content) > MAX_SECRET_BYTES:
        return InvalidSecretFile(f"{subject} is larger than {MAX_SECRET_BYTES // 1024} KiB")
    try:
        # Editors and `echo` append a line break that is not part of the secret.
        secret = content.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        return InvalidSecretFile(f"{subject} is not a text")
    return secret or InvalidSecretFile(f"{subject} is empty")
