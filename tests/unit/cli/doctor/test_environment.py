"""The doctor warns of a low limit of open files."""

import resource
from pathlib import Path

import pytest

from cli.doctor.checks.environment import check_open_files, check_settings
from cli.doctor.installation import Installation
from cli.doctor.result import Level
from cli.settings import CommandSettings
from common.process import raise_open_files_limit


@pytest.mark.parametrize(("limit", "level"), [(1024, Level.WARNING), (65_536, Level.OK)])
def test_low_hard_limit_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, level: Level) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (512, limit))
    [result] = check_open_files(Installation(CommandSettings(state_dir=tmp_path)))
    assert result.level is level
    assert str(limit) in result.message


def test_missing_settings_are_named_as_not_checked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("ONBOARDING_REDIS_URL", raising=False)
    [result] = check_settings(Installation(CommandSettings(state_dir=tmp_path)))
    assert (result.level, "ONBOARDING_REDIS_URL" in result.message) == (Level.NOT_CHECKED, True)


def test_server_raises_its_soft_limit_to_the_hard_one(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, limits: chosen.append(limits))
    raise_open_files_limit()
    assert chosen == [(4096, 4096)]
