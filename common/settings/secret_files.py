"""Secrets in files: where a variable may hold a secret, the same variable with `_FILE` may name a file that does.

So passwords stay out of the environment, which children inherit and container tools show.
"""

import os
import stat
from pathlib import Path
from typing import Any

from pydantic.fields import FieldInfo
from pydantic_settings import PydanticBaseSettingsSource

from common.settings.names import FILE_SUFFIX, is_secret, variables_of

#: More is no secret but a mistake.
LARGEST_BYTES = 64 * 1024


class InvalidSecretFile:
    """Stands in the place of a secret that a file was to give; the settings refuse it with its words."""

    def __init__(self, reason: str) -> None:
        self._reason = reason

    def __str__(self) -> str:
        return self._reason


class SecretFiles(PydanticBaseSettingsSource):
    """The source of settings that reads the files. It comes before the environment's own values."""

    def get_field_value(self, field: FieldInfo, field_name: str) -> tuple[Any, str, bool]:
        """Give the secret, or what says why it cannot be had; None where no file is named."""
        variable = variables_of(field_name, field)[0]
        named = os.environ.get(variable + FILE_SUFFIX)
        if not named:
            return None, field_name, False
        if os.environ.get(variable):
            problem = InvalidSecretFile(f"is set, and so is {variable}{FILE_SUFFIX}; only one of them may be")
            return problem, field_name, False
        return _secret_in(Path(named), variable + FILE_SUFFIX), field_name, False

    def __call__(self) -> dict[str, Any]:
        """Give all secrets that are in files, by the names of their settings."""
        secrets = (
            self.get_field_value(field, name)
            for name, field in self.settings_cls.model_fields.items()
            if is_secret(field)
        )
        return {name: value for value, name, _ in secrets if value is not None}


def _secret_in(file: Path, variable: str) -> str | InvalidSecretFile:
    named = f"the file that {variable} names, {file},"
    try:
        # Opening a pipe or a terminal could wait for ever.
        if not stat.S_ISREG(file.stat().st_mode):
            return InvalidSecretFile(f"{named} is not a regular file")
        with file.open("rb") as content:
            read = content.read(LARGEST_BYTES + 1)
    except OSError as error:
        return InvalidSecretFile(f"{named} cannot be read: {error.strerror}")
    if len(read) > LARGEST_BYTES:
        return InvalidSecretFile(f"{named} is larger than {LARGEST_BYTES // 1024} KiB")
    try:
        # Editors and `echo` end a file with a line break, which nobody means.
        secret = read.decode().rstrip("\r\n")
    except UnicodeDecodeError:
        return InvalidSecretFile(f"{named} is not a text")
    return secret or InvalidSecretFile(f"{named} is empty")
