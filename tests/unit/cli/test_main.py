"""The command line: help, exit codes, and errors in single lines."""

import subprocess
import sys
from pathlib import Path

import pytest
from typer.testing import CliRunner

from cli.main import app
from common.version import VERSION
from tests.support.command import run_command

_ROOT = Path(__file__).parents[3]
_COMMANDS = (
    "up",
    "edge",
    "management",
    "publisher",
    "consumer",
    "migrate",
    "postgresql",
    "events",
    "snapshots",
    "analytics",
    "config",
    "keys",
    "projects",
    "users",
    "devices",
    "audit",
    "flows",
    "doctor",
    "token",
    "seed-demo",
)


def test_help_names_every_command() -> None:
    shown = run_command("--help").stdout
    assert [command for command in _COMMANDS if command not in shown] == []


@pytest.mark.parametrize("command", _COMMANDS)
def test_every_command_has_help(command: str) -> None:
    result = CliRunner().invoke(app, [command, "--help"])
    assert (result.exit_code, f"{command} " in result.output) == (0, True)


def test_flag_is_shown_without_a_type() -> None:
    shown = run_command("users", "list", "--help").stdout
    assert "--json" in shown
    assert "<int" in shown
    assert "<bool>" not in shown


def test_version_is_printed() -> None:
    assert CliRunner().invoke(app, ["--version"]).output == f"onboarding {VERSION}\n"


def test_help_loads_no_server_and_no_driver() -> None:
    script = "import sys, cli.main; print(*sys.modules)"
    command = [sys.executable, "-c", script]
    result = subprocess.run(command, cwd=_ROOT, capture_output=True, text=True, check=True)  # noqa: S603 - see above
    assert {"sqlalchemy", "psycopg", "redis", "starlette", "falcon", "alembic"} & set(result.stdout.split()) == set()


@pytest.mark.parametrize("command", ["edge", "management", "publisher", "consumer", "migrate"])
def test_missing_settings_are_a_line_each_that_names_them_and_exit_code_2(command: str) -> None:
    result = run_command(command)
    assert result.returncode == 2
    lines = result.stderr.splitlines()
    assert [line for line in lines if not line.startswith("onboarding: ONBOARDING_")] == []
    assert lines


def test_misspelled_setting_is_reported_with_the_missing_one() -> None:
    lines = run_command("edge", ONBOARDING_REDIS_ULR="redis://127.0.0.1:1").stderr.splitlines()
    assert lines == [
        "onboarding: ONBOARDING_ASSIGNMENT_KEYS (or ONBOARDING_ASSIGNMENT_KEYS_FILE): is required",
        "onboarding: ONBOARDING_REDIS_URL (or ONBOARDING_REDIS_URL_FILE): is required",
        "onboarding: ONBOARDING_REDIS_ULR: is no setting and has no effect; did you mean ONBOARDING_REDIS_URL?",
    ]


def test_invalid_port_is_one_line_that_names_the_variable(tmp_path: Path) -> None:
    result = run_command("up", EDGE_PORT="many", ONBOARDING_STATE_DIR=str(tmp_path))
    assert (result.returncode, len(result.stderr.splitlines())) == (2, 1)
    assert "EDGE_PORT" in result.stderr


def test_token_prints_the_token_and_nothing_else(tmp_path: Path) -> None:
    result = run_command("token", "alice@example.com", ONBOARDING_STATE_DIR=str(tmp_path / "state"))
    assert (result.returncode, result.stderr) == (0, "")
    assert [line.count(".") for line in result.stdout.splitlines()] == [2]


def test_token_without_an_address_is_one_line(tmp_path: Path) -> None:
    result = run_command("token", "", ONBOARDING_STATE_DIR=str(tmp_path / "state"))
    assert (result.returncode, result.stdout, len(result.stderr.splitlines())) == (1, "", 1)


def test_unavailable_postgresql_is_one_line_and_exit_status_3() -> None:
    result = run_command("migrate", ONBOARDING_DATABASE_URL="postgresql://nobody:s3cret@127.0.0.1:1/nothing")
    assert result.returncode == 3
    assert "PostgreSQL: " in result.stderr.splitlines()[-1]
    assert "Traceback" not in result.stderr
    assert "s3cret" not in result.stderr
