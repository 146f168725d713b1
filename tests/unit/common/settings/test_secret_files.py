"""Secrets in files that a `..._FILE` variable names."""

import os
from pathlib import Path

import pytest

from cli.processes.start import READERS
from common.errors import SettingsError
from common.settings.shared import DatabaseSettings
from common.settings.sources import MAX_SECRET_BYTES, is_secret, read_settings, variables_of

_VARIABLE = "ONBOARDING_DATABASE_URL"
_URL = "postgresql://user:s3cret@127.0.0.1/database"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    file = tmp_path / "secret"
    monkeypatch.setenv(f"{_VARIABLE}_FILE", str(file))
    return file


def message() -> str:
    """Return the only message about the settings of a process that requires only the secret."""
    with pytest.raises(SettingsError) as rejected:
        read_settings(DatabaseSettings)
    [only_message] = rejected.value.messages
    return only_message


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_secret_is_read_from_its_file_without_the_last_line_break(file: Path, ending: str) -> None:
    file.write_bytes(f"{_URL}{ending}".encode())
    assert read_settings(DatabaseSettings).database_url.get_secret_value() == _URL


def test_variable_and_file_together_are_rejected(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(_URL)
    monkeypatch.setenv(_VARIABLE, _URL)
    assert message() == f"{_VARIABLE}: is set, and so is {_VARIABLE}_FILE; only one of them may be"


def test_empty_variable_is_ignored_when_a_file_is_named(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(_URL)
    monkeypatch.setenv(_VARIABLE, "")
    assert read_settings(DatabaseSettings).database_url.get_secret_value() == _URL


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (None, "cannot be read: No such file or directory"),
        (b"", "is empty"),
        (b"\n", "is empty"),
        (b"\xff\xfe", "is not a text"),
        (b"s3cret" * MAX_SECRET_BYTES, "is larger than 64 KiB"),
    ],
)
def test_file_without_a_secret_is_named_with_the_reason(file: Path, content: bytes | None, reason: str) -> None:
    if content is not None:
        file.write_bytes(content)
    assert message() == f"{_VARIABLE}: the file that {_VARIABLE}_FILE names, {file}, {reason}"


def test_named_pipe_is_rejected_without_waiting(file: Path) -> None:
    os.mkfifo(file)
    assert message().endswith(f"{file}, is not a regular file")


def test_invalid_secret_in_a_file_is_rejected_without_its_value(file: Path) -> None:
    file.write_text("mysql://user:s3cret@127.0.0.1/database")
    assert message() == f"{_VARIABLE}: must be a postgresql:// URL"


def test_every_secret_of_every_process_may_be_in_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    secrets = {
        variables_of(name, field)[0]
        for kind in READERS.values()
        for name, field in kind.model_fields.items()
        if is_secret(field)
    }
    assert {"ONBOARDING_REDIS_URL", "ONBOARDING_MASTER_KEY", "ONBOARDING_IDENTITY_SHARED_SECRET"} <= secrets
    for variable in secrets:
        monkeypatch.setenv(f"{variable}_FILE", str(tmp_path / "missing"))
    unread: set[str] = set()
    for kind in READERS.values():
        with pytest.raises(SettingsError) as rejected:
            read_settings(kind)
        unread |= {line.partition(":")[0] for line in rejected.value.messages if "names" in line}
    assert unread == secrets
