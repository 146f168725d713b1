"""The documents of settings equal the code, and a completed example starts every process."""

import re
from pathlib import Path

import pytest

from cli.processes.config_actions import messages_by_process
from cli.processes.start import PROCESSES
from common.settings.sources import variables_of
from tools.generate_docs.settings_reference import ALL_READERS, setting_rows

_ROOT = Path(__file__).parents[4]
_PRODUCT = ("cli", "common", "deploy", "edge_api", "management_api", "publisher")


def test_every_setting_has_a_description() -> None:
    silent = {
        variables_of(name, field)[0]
        for kind in ALL_READERS.values()
        for name, field in kind.model_fields.items()
        if not (field.description or "").endswith(".")
    }
    assert silent == set()


def test_every_setting_is_read_by_the_product() -> None:
    sources = [file for folder in _PRODUCT for file in (_ROOT / folder).rglob("*.py")]
    read = {name for file in sources for name in re.findall(r"\.([a-z_0-9]+)\b", file.read_text())}
    assert {name for kind in ALL_READERS.values() for name in kind.model_fields} - read == set()


def test_processes_agree_on_the_default_of_a_setting() -> None:
    defaults = {row.variables[0]: {reader.default for reader in row.readers} - {None} for row in setting_rows()}
    assert {variable: found for variable, found in defaults.items() if len(found) > 1} == {}


def test_no_default_of_a_secret_is_shown() -> None:
    assert {row.default for row in setting_rows() if row.is_secret} == {""}


def test_the_example_starts_every_process_once_the_keys_are_made(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (_ROOT / ".env.example").read_text().splitlines()
    given = dict(line.split("=", 1) for line in lines if line and not line.startswith("#"))
    assert set(given) == {row.variables[0] for row in setting_rows() if row.is_required}
    to_make = [variable for variable, value in given.items() if not value]
    assert to_make == ["ONBOARDING_ASSIGNMENT_KEYS", "ONBOARDING_MASTER_KEY"]
    for variable, value in given.items():
        monkeypatch.setenv(variable, value)
    unfinished = messages_by_process(PROCESSES)
    assert [process for process, messages in unfinished.items() if not messages] == ["consumer"]
    for variable in to_make:
        monkeypatch.setenv(variable, "A" * 43 + "=")
    assert set(messages_by_process(PROCESSES).values()) == {()}


def test_the_optional_settings_of_the_example_are_the_defaults(monkeypatch: pytest.MonkeyPatch) -> None:
    lines = (_ROOT / ".env.example").read_text().splitlines()
    commented = dict(
        line.removeprefix("#").split("=", 1) for line in lines if line.startswith(("#ONB", "#EDGE", "#MAN"))
    )
    assert set(commented) == {row.variables[0] for row in setting_rows() if not row.is_required}
    for variable, value in commented.items():
        if value:
            monkeypatch.setenv(variable, value)
    messages = [line for found in messages_by_process(PROCESSES).values() for line in found]
    assert [line for line in messages if not line.endswith("is required")] == []
