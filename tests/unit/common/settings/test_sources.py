"""Settings are checked at the start: all mistakes are reported at once, without a value."""

import base64

import pytest
from pydantic import SecretStr

from common.errors import SettingsError
from common.settings.sources import known_names, read_settings, unknown_names
from common.settings.types import assignment_keys_of, master_keys_of
from edge_api.settings import EdgeSettings
from management_api.settings import ManagementSettings

_KEY = base64.b64encode(bytes(32)).decode()
_OTHER_KEY = base64.b64encode(b"\1" * 32).decode()


def test_every_wrong_setting_is_named_without_its_value(monkeypatch: pytest.MonkeyPatch) -> None:
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
    with pytest.raises(SettingsError) as rejected:
        read_settings(ManagementSettings)
    named = {message.partition(":")[0] for message in rejected.value.messages}
    assert named == {*wrong, "ONBOARDING_IDENTITY_AUDIENCE", "ONBOARDING_IDENTITY_ISSUER"}
    assert "s3c" not in str(rejected.value)
    assert "\n" not in str(rejected.value)


def test_missing_setting_is_required_by_its_name_and_that_of_its_file() -> None:
    with pytest.raises(SettingsError) as rejected:
        read_settings(EdgeSettings)
    assert rejected.value.messages == (
        "ONBOARDING_ASSIGNMENT_KEYS (or ONBOARDING_ASSIGNMENT_KEYS_FILE): is required",
        "ONBOARDING_REDIS_URL (or ONBOARDING_REDIS_URL_FILE): is required",
    )


def test_keys_are_separated_by_commas() -> None:
    both = SecretStr(f"{_KEY}, {_OTHER_KEY}")
    assert master_keys_of(both) == assignment_keys_of(both) == (bytes(32), b"\1" * 32)


@pytest.mark.parametrize("keys", ["", ",", f"{_KEY},", "AAAA", f"{_KEY},AAAA", "no base64", "ключ"])
def test_malformed_key_is_rejected(keys: str) -> None:
    for parse in (master_keys_of, assignment_keys_of):
        with pytest.raises(ValueError, match=r"^must be"):
            parse(SecretStr(keys))


def test_unknown_name_is_found_with_a_similar_known_one() -> None:
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
    assert [(unknown.name, unknown.suggestion) for unknown in unknown_names(environment, known)] == [
        ("ONBOARDING_EDGE_WORKER", "ONBOARDING_EDGE_WORKERS"),
        ("ONBOARDING_PURPOSE", None),
        ("ONBOARDING_REDDIS_URL", "ONBOARDING_REDIS_URL"),
        ("ONBOARDING_REDIS_URL_FLIE", "ONBOARDING_REDIS_URL_FILE"),
    ]


def test_only_secrets_have_a_file_variable() -> None:
    assert "ONBOARDING_EDGE_WORKERS_FILE" not in known_names([EdgeSettings])
