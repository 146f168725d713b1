"""`onboarding config`: the environment is checked before a start."""

import json
from collections.abc import Mapping

import pytest
from typer.testing import CliRunner, Result

from cli.main import app

_KEY = "A" * 43 + "="
_ENVIRONMENT = {
    "ONBOARDING_REDIS_URL": "redis://:s3cret@127.0.0.1:1/0",
    "ONBOARDING_DATABASE_URL": "postgresql://somebody:s3cret@127.0.0.1:1/database",
    "ONBOARDING_MASTER_KEY": _KEY,
    "ONBOARDING_ASSIGNMENT_KEYS": _KEY,
    "ONBOARDING_IDENTITY_ISSUER": "https://id.example.com/",
    "ONBOARDING_IDENTITY_AUDIENCE": "onboarding",
    "ONBOARDING_IDENTITY_SHARED_SECRET": "s3cret-of-thirty-two-bytes-length",
}


def config(*arguments: str, environment: Mapping[str, str | None]) -> Result:
    result = CliRunner().invoke(app, ["config", *arguments], env=environment)
    assert "s3cret" not in result.output
    assert _KEY not in result.output
    return result


def test_an_environment_without_mistakes_is_ok_for_every_process() -> None:
    result = config("check", environment=_ENVIRONMENT)
    assert (result.exit_code, result.output) == (0, "edge: ok\nmanagement: ok\npublisher: ok\nconsumer: ok\n")


def test_every_mistake_is_reported_for_the_affected_processes() -> None:
    wrong = {**_ENVIRONMENT, "ONBOARDING_EDGE_WORKERS": "0", "ONBOARDING_REDIS_URL": "s3cret"}
    result = config("check", environment=wrong)
    assert result.exit_code == 1
    lines = result.output.splitlines()
    assert lines[0] == "edge: wrong"
    assert {line.partition(":")[0].strip() for line in lines[1:3]} == {
        "ONBOARDING_REDIS_URL",
        "ONBOARDING_EDGE_WORKERS",
    }
    assert [line for line in lines if line.endswith(": ok")] == []


@pytest.mark.parametrize("process", ["publisher", "consumer"])
def test_one_process_is_checked(process: str) -> None:
    result = config("check", "--process", process, environment={**_ENVIRONMENT, "ONBOARDING_ASSIGNMENT_KEYS": None})
    assert (result.exit_code, result.output) == (0, f"{process}: ok\n")


def test_missing_settings_of_other_processes_are_no_error() -> None:
    lacking = {**_ENVIRONMENT, "ONBOARDING_ASSIGNMENT_KEYS": None}
    result = config("check", environment=lacking)
    assert (result.exit_code, result.output.splitlines()[0]) == (0, "edge: incomplete")
    assert config("check", "--process", "edge", environment=lacking).exit_code == 1
    assert config("check", environment=dict.fromkeys(_ENVIRONMENT)).exit_code == 1


def test_identity_settings_that_accept_no_token_are_wrong() -> None:
    wrong = {**_ENVIRONMENT, "ONBOARDING_IDENTITY_ISSUER": "http://id.example.com/"}
    result = config("check", "--process", "management", environment=wrong)
    assert result.exit_code == 1
    assert "ONBOARDING_IDENTITY_ISSUER: must be an https:// URL" in result.output


def test_unknown_variable_is_a_warning() -> None:
    result = config("check", "--process", "consumer", environment={**_ENVIRONMENT, "ONBOARDING_LOGLEVEL": "info"})
    assert result.exit_code == 0
    assert "warning: ONBOARDING_LOGLEVEL: is no setting and has no effect; did you mean ONBOARDING_LOG_LEVEL?" in (
        result.output
    )


def test_effective_settings_are_shown_with_sources_and_masked_secrets() -> None:
    result = config("show", "--process", "edge", "--json", environment={**_ENVIRONMENT, "EDGE_PORT": "9090"})
    shown = {each["variable"]: (each["value"], each["source"]) for each in json.loads(result.output)["edge"]}
    assert shown["EDGE_PORT"] == ("9090", "EDGE_PORT")
    assert shown["ONBOARDING_EDGE_WORKERS"] == ("1", None)
    assert shown["ONBOARDING_REDIS_URL"] == ("********", "ONBOARDING_REDIS_URL")
    assert shown["ONBOARDING_RATE_LIMIT_DIGEST_KEY"] == ("", None)
    wrong = {"ONBOARDING_REDIS_URL": None, "ONBOARDING_EDGE_WORKERS": "many", "EDGE_PORT": "9090"}
    lines = config("show", "--process", "edge", environment=_ENVIRONMENT | wrong).output.splitlines()
    assert {"ONBOARDING_REDIS_URL=  # is required", "EDGE_PORT=9090  # EDGE_PORT"} < set(lines)
    assert [line for line in lines if line.startswith("ONBOARDING_EDGE_WORKERS=  # ")]
    text = config("show", environment=_ENVIRONMENT).output
    assert "ONBOARDING_MASTER_KEY=********  # ONBOARDING_MASTER_KEY" in text.splitlines()
