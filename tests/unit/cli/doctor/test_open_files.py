"""The doctor warns of a low limit of open files."""

import resource
from pathlib import Path

import pytest

from cli.doctor.checks.open_files import check_open_files
from cli.doctor.finding import Level
from cli.doctor.installation import Installation
from common.process import raise_open_files_limit
from deploy.local.settings import StackSettings


@pytest.mark.parametrize(("limit", "level"), [(1024, Level.WARNING), (65_536, Level.WELL)])
def test_low_hard_limit_is_a_warning(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, limit: int, level: Level) -> None:
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (512, limit))
    [finding] = check_open_files(Installation(StackSettings(state_dir=tmp_path)))
    assert finding.level is level
    assert str(limit) in finding.sentence


def test_server_raises_its_soft_limit_to_the_hard_one(monkeypatch: pytest.MonkeyPatch) -> None:
    chosen: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _kind: (1024, 4096))
    monkeypatch.setattr(resource, "setrlimit", lambda _kind, limits: chosen.append(limits))
    raise_open_files_limit()
    assert chosen == [(4096, 4096)]
