"""The settings of rate limits in the environment."""

import pytest

from common.errors import SettingsError
from common.settings.shared import RateLimitSettings
from common.settings.sources import read_settings


def test_trusted_proxies_are_separated_by_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONBOARDING_TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8,unix,")
    assert read_settings(RateLimitSettings).trusted_proxies == ("10.0.0.0/8", "fd00::/8", "unix")


def test_trusted_proxies_are_empty_by_default(monkeypatch: pytest.MonkeyPatch) -> None:
    assert read_settings(RateLimitSettings).trusted_proxies == ()
    monkeypatch.setenv("ONBOARDING_TRUSTED_PROXIES", "")
    assert read_settings(RateLimitSettings).trusted_proxies == ()


@pytest.mark.parametrize(
    ("variable", "value"),
    [
        ("ONBOARDING_TRUSTED_PROXIES", "10.0.0.0/8,proxy.example.com"),
        ("ONBOARDING_RATE_LIMIT_PER_SECRET_KEY", "0"),
        ("ONBOARDING_RATE_LIMIT_UNAUTHENTICATED", "sixty"),
        ("ONBOARDING_SECRET_KEY_RATE_LIMIT_SCOPE", "device"),
    ],
)
def test_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable):
        read_settings(RateLimitSettings)


def test_digest_key_is_not_in_the_repr(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONBOARDING_RATE_LIMIT_DIGEST_KEY", "s3cret")
    assert "s3cret" not in repr(read_settings(RateLimitSettings))
