"""Settings as they are checked at a start: all mistakes at once, and never a value."""

import base64

import pytest
from pydantic import SecretStr

from common.errors import SettingsError
from common.settings.names import known_names, unknown_names
from common.settings.processes import EdgeSettings, ManagementSettings, read_settings
from common.settings.types import assignment_keys_of, master_keys_of

_KEY = base64.b64encode(bytes(32)).decode()
_OTHER_KEY = base64.b64encode(b"\1" * 32).decode()


def test_every_mistake_has_a_line_that_names_it_and_shows_no_value(monkeypatch: pytest.MonkeyPatch) -> None:
    wrong = {
        "ONBOARDING_LOG_LEVEL": "s3cret-level",
        "ONBOARDING_DATABASE_URL": "mysql://s3cret",
        "MANAGEMENT_PORT": "s3cret-port",
        "ONBOARDING_MASTER_KEY": "s3cret",
        "ONBOARDING_ASSIGNMENT_KEYS": "s3crét",
        "ONBOARDING_TRUSTED_PROXIES": "10.0.0.0/99",
    }
    for variable, value in wrong.items():
        monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError) as refused:
        read_settings(ManagementSettings)
    named = {complaint.partition(":")[0] for complaint in refused.value.complaints}
    assert named == {*wrong, "ONBOARDING_IDENTITY_AUDIENCE", "ONBOARDING_IDENTITY_ISSUER"}
    assert "s3c" not in str(refused.value)
    assert "\n" not in str(refused.value)


def test_what_is_missing_is_said_to_be_required_and_how_else_it_may_be_given() -> None:
    with pytest.raises(SettingsError) as refused:
        read_settings(EdgeSettings)
    assert refused.value.complaints == (
        "ONBOARDING_ASSIGNMENT_KEYS (or ONBOARDING_ASSIGNMENT_KEYS_FILE): is required",
        "ONBOARDING_REDIS_URL (or ONBOARDING_REDIS_URL_FILE): is required",
    )


def test_keys_are_several_with_commas() -> None:
    both = SecretStr(f"{_KEY}, {_OTHER_KEY}")
    assert master_keys_of(both) == assignment_keys_of(both) == (bytes(32), b"\1" * 32)


@pytest.mark.parametrize("keys", ["", ",", f"{_KEY},", "AAAA", f"{_KEY},AAAA", "no base64", "ключ"])
def test_a_key_that_is_none_is_refused(keys: str) -> None:
    for reading in (master_keys_of, assignment_keys_of):
        with pytest.raises(ValueError, match=r"^must be"):
            reading(SecretStr(keys))


def test_a_name_that_nobody_reads_is_found_with_the_one_that_was_meant() -> None:
    known = known_names([EdgeSettings])
    environment = [
        "ONBOARDING_EDGE_WORKER",
        "ONBOARDING_REDDIS_URL",
        "ONBOARDING_REDIS_URL_FLIE",
        "ONBOARDING_PURPOSE",
        "ONBOARDING_REDIS_URL_FILE",
        "EDGE_PORT",
        "HOME",
    ]
    assert [(unknown.name, unknown.meant) for unknown in unknown_names(environment, known)] == [
        ("ONBOARDING_EDGE_WORKER", "ONBOARDING_EDGE_WORKERS"),
        ("ONBOARDING_PURPOSE", None),
        ("ONBOARDING_REDDIS_URL", "ONBOARDING_REDIS_URL"),
        ("ONBOARDING_REDIS_URL_FLIE", "ONBOARDING_REDIS_URL_FILE"),
    ]


def test_a_file_is_no_way_to_give_what_is_no_secret() -> None:
    assert "ONBOARDING_EDGE_WORKERS_FILE" not in known_names([EdgeSettings])
