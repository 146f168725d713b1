"""The settings of rate limits, as an operator writes them."""

import pytest

from common.errors import SettingsError
from common.settings.shared import RateLimitSettings
from common.settings.sources import read_settings


def test_proxies_are_a_list_with_commas(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONBOARDING_TRUSTED_PROXIES", "10.0.0.0/8, fd00::/8,unix,")
    assert read_settings(RateLimitSettings).trusted_proxies == ("10.0.0.0/8", "fd00::/8", "unix")


def test_no_proxy_is_trusted_unless_told(monkeypatch: pytest.MonkeyPatch) -> None:
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
def test_a_wrong_setting_is_named(monkeypatch: pytest.MonkeyPatch, variable: str, value: str) -> None:
    monkeypatch.setenv(variable, value)
    with pytest.raises(SettingsError, match=variable):
        read_settings(RateLimitSettings)


def test_the_digest_key_does_not_show(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONBOARDING_RATE_LIMIT_DIGEST_KEY", "between-us")
    assert "between-us" not in repr(read_settings(RateLimitSettings))
