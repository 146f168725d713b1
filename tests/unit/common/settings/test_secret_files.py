"""Secrets in files, as an operator names them."""

import os
from pathlib import Path

import pytest

from common.errors import SettingsError
from common.settings.shared import DatabaseSettings
from common.settings.sources import MAX_SECRET_BYTES, is_secret, read_settings, variables_of
from deploy.configuration.processes import READERS

_VARIABLE = "ONBOARDING_DATABASE_URL"
_URL = "postgresql://somebody:s3cret@127.0.0.1/database"


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Give the file that the settings are told of."""
    file = tmp_path / "secret"
    monkeypatch.setenv(f"{_VARIABLE}_FILE", str(file))
    return file


def refusal() -> str:
    """Give the one complaint about the settings of a process that needs the secret alone."""
    with pytest.raises(SettingsError) as refused:
        read_settings(DatabaseSettings)
    [complaint] = refused.value.complaints
    return complaint


@pytest.mark.parametrize("ending", ["", "\n", "\r\n"])
def test_a_secret_is_read_from_its_file_without_the_line_break_at_the_end(file: Path, ending: str) -> None:
    file.write_bytes(f"{_URL}{ending}".encode())
    assert read_settings(DatabaseSettings).database_url.get_secret_value() == _URL


def test_both_at_once_are_refused(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file.write_text(_URL)
    monkeypatch.setenv(_VARIABLE, _URL)
    assert refusal() == f"{_VARIABLE}: is set, and so is {_VARIABLE}_FILE; only one of them may be"


def test_an_empty_variable_stands_in_nobodys_way(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_file_that_gives_no_secret_is_named_with_the_reason(file: Path, content: bytes | None, reason: str) -> None:
    if content is not None:
        file.write_bytes(content)
    assert refusal() == f"{_VARIABLE}: the file that {_VARIABLE}_FILE names, {file}, {reason}"


def test_what_is_no_file_is_not_waited_for(file: Path) -> None:
    os.mkfifo(file)
    assert refusal().endswith(f"{file}, is not a regular file")


def test_a_wrong_secret_in_a_file_is_refused_without_being_shown(file: Path) -> None:
    file.write_text("mysql://somebody:s3cret@127.0.0.1/database")
    assert refusal() == f"{_VARIABLE}: must be a postgresql:// URL"


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
        with pytest.raises(SettingsError) as refused:
            read_settings(kind)
        unread |= {complaint.partition(":")[0] for complaint in refused.value.complaints if "names" in complaint}
    assert unread == secrets
