"""The settings of the edge that follow from each other."""

import base64

import pytest
from structlog.testing import capture_logs

from cli.processes.start import start_process
from common.errors import SettingsError
from common.settings.shared import HostedPagesSettings
from common.settings.sources import read_settings
from edge_api.settings import EdgeSettings

_SENTINELS = "redis+sentinel://127.0.0.1:26379/onboarding"
_CLUSTER = "redis+cluster://127.0.0.1:6379"
_RISK = "ONBOARDING_EDGE_EVENT_REPLICAS is 0: a failover of Redis can lose acknowledged events"


@pytest.fixture(autouse=True)
def required(monkeypatch: pytest.MonkeyPatch) -> None:
    """Set the required settings, but for the URL of Redis."""
    monkeypatch.setenv("ONBOARDING_ASSIGNMENT_KEYS", base64.b64encode(bytes(32)).decode())


@pytest.mark.parametrize(
    ("url", "replicas"),
    [
        ("redis://127.0.0.1:6379/0", 0),
        ("rediss://127.0.0.1:6379/0", 0),
        ("unix:///run/redis.sock", 0),
        (_SENTINELS, 1),
        (_CLUSTER, 1),
    ],
)
def test_event_replicas_default_to_one_where_redis_can_fail_over(
    monkeypatch: pytest.MonkeyPatch, url: str, replicas: int
) -> None:
    monkeypatch.setenv("ONBOARDING_REDIS_URL", url)
    settings = read_settings(EdgeSettings)
    assert (settings.edge_event_replicas, settings.start_warnings()) == (replicas, ())


@pytest.mark.parametrize("url", [_SENTINELS, _CLUSTER])
def test_explicit_zero_event_replicas_is_warned_of_at_the_start(monkeypatch: pytest.MonkeyPatch, url: str) -> None:
    monkeypatch.setenv("ONBOARDING_REDIS_URL", url)
    monkeypatch.setenv("ONBOARDING_EDGE_EVENT_REPLICAS", "0")
    with monkeypatch.context() as patch, capture_logs() as lines:
        patch.setattr("cli.processes.start.configure_logging", lambda *_: None)
        settings = start_process(EdgeSettings, "edge")
    assert settings.edge_event_replicas == 0
    assert lines == [{"event": "settings.risk", "reason": _RISK, "log_level": "warning"}]


def test_explicit_event_replicas_are_used_with_one_server(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONBOARDING_REDIS_URL", "redis://127.0.0.1:6379/0")
    monkeypatch.setenv("ONBOARDING_EDGE_EVENT_REPLICAS", "2")
    assert read_settings(EdgeSettings).edge_event_replicas == 2


def test_wrong_redis_url_has_one_message(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ONBOARDING_REDIS_URL", "http://127.0.0.1")
    with pytest.raises(SettingsError) as rejected:
        read_settings(EdgeSettings)
    assert [message.partition(":")[0] for message in rejected.value.messages] == ["ONBOARDING_REDIS_URL"]


@pytest.mark.parametrize(
    ("value", "url"),
    [
        ("https://edge.example.com", "https://edge.example.com"),
        ("https://edge.example.com/apps/", "https://edge.example.com/apps"),
        ("http://127.0.0.1:8080//", "http://127.0.0.1:8080"),
    ],
)
def test_public_url_has_no_slash_at_its_end(monkeypatch: pytest.MonkeyPatch, value: str, url: str) -> None:
    monkeypatch.setenv("ONBOARDING_EDGE_PUBLIC_URL", value)
    assert read_settings(HostedPagesSettings).edge_public_url == url


@pytest.mark.parametrize(
    "value",
    [
        *("edge.example.com", "ftp://edge.example.com", "https://", "https://u:p@edge.example.com", "https://a/?q=1"),
        *("https://a/#b", 'https://a/"', "https://a b/", "https://ä.example.com", "https://a:port"),
    ],
)
def test_malformed_public_url_is_refused(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("ONBOARDING_DASHBOARD_URL", value)
    with pytest.raises(SettingsError, match="ONBOARDING_DASHBOARD_URL: must be"):
        read_settings(HostedPagesSettings)
