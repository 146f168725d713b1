"""The service beside a real identity provider: log-in, rotation, outage, and users who come into being once."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest

from common.errors import SettingsError
from common.settings.sources import read_settings
from management_api.main import serve
from management_api.settings import ManagementSettings
from tests.integration.management_api.running_service import ServiceProcess, running_service, service_environment
from tests.support.servers.identity_provider import CLIENT_ID, IdentityProvider

pytestmark = pytest.mark.slow


@pytest.fixture
def provider(tmp_path: Path) -> Iterator[IdentityProvider]:
    with IdentityProvider(tmp_path / "provider.log") as provider:
        yield provider


@pytest.fixture
def environment(provider: IdentityProvider, database_url: str, master_key: str, tmp_path: Path) -> dict[str, str]:
    return service_environment(
        database_url,
        master_key,
        tmp_path,
        identity_issuer=provider.issuer,
        identity_audience=CLIENT_ID,
    )


def status_of(service: ServiceProcess, token: str) -> int:
    return service.call("GET", "/api/projects", headers={"Authorization": f"Bearer {token}"})[0]


def test_tokens_are_accepted_while_the_provider_hangs_and_after_a_new_key(
    environment: dict[str, str], provider: IdentityProvider, tmp_path: Path
) -> None:
    with running_service(environment, tmp_path) as service:
        token = provider.sign_in("alice", email="alice@example.com", email_verified=True, name="Alice")
        status, response = service.call("GET", "/api/user", headers={"Authorization": f"Bearer {token}"})
        assert (status, response["data"]["email"], response["data"]["name"]) == (200, "alice@example.com", "Alice")
        provider.freeze()
        assert {status_of(service, token) for _ in range(10)} == {200}
        provider.stop()
        assert {status_of(service, token) for _ in range(10)} == {200}
        # It comes back with another key, under its old address.
        provider.start()
        assert status_of(service, token) == 200
        assert status_of(service, provider.sign_in("alice")) == 401
    assert token not in service.log_file.read_text()


def test_service_starts_without_its_provider(
    environment: dict[str, str], provider: IdentityProvider, tmp_path: Path
) -> None:
    token = provider.sign_in("alice")
    provider.stop()
    with running_service(environment, tmp_path) as service:
        status, response = service.call("GET", "/api/projects", headers={"Authorization": f"Bearer {token}"})
    assert (status, response["code"]) == (503, "UNAVAILABLE")


def test_groups_of_the_provider_give_and_take_roles(
    environment: dict[str, str], provider: IdentityProvider, tmp_path: Path
) -> None:
    with running_service(environment, tmp_path) as service:
        owner = {"Authorization": f"Bearer {provider.sign_in('olga')}", "Content-Type": "application/json"}
        project = service.call("POST", "/api/projects", [b'{"name": "Sample app"}'], headers=owner)[1]["data"]
    roles = json.dumps({"designers": {project["id"]: "editor"}})
    by_groups = {"ONBOARDING_IDENTITY_GROUPS_CLAIM": "groups", "ONBOARDING_IDENTITY_GROUP_ROLES": roles}
    with running_service({**environment, **by_groups}, tmp_path) as service:
        seen = []
        for groups in (["designers", "others"], ["others"], ["designers"]):
            token = provider.sign_in("alice", groups=groups)
            _, response = service.call("GET", "/api/projects", headers={"Authorization": f"Bearer {token}"})
            seen.append([found["id"] for found in response["data"]])
    assert seen == [[project["id"]], [], [project["id"]]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"identity_issuer": "http://identity.test"}, "ONBOARDING_IDENTITY_ISSUER: must be an https:// URL"),
        ({"identity_discovery": "false"}, "ONBOARDING_IDENTITY_DISCOVERY: is off"),
        ({"identity_shared_secret": "short-and-secret"}, "ONBOARDING_IDENTITY_SHARED_SECRET: must have"),
        ({"identity_group_roles": "{}"}, "ONBOARDING_IDENTITY_GROUP_ROLES: needs ONBOARDING_IDENTITY_GROUPS_CLAIM"),
        ({"identity_group_roles": "[]"}, "ONBOARDING_IDENTITY_GROUP_ROLES: must be an object of groups"),
        ({"identity_jwks_file": "/nowhere"}, "ONBOARDING_IDENTITY_JWKS_FILE: the key set cannot be read"),
    ],
    ids=lambda value: str(value)[:40],
)
def test_settings_without_any_identity_stop_the_start_with_one_line(
    master_key: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, settings: dict[str, str], message: str
) -> None:
    for name, value in service_environment("postgresql://nowhere/nothing", master_key, tmp_path, **settings).items():
        monkeypatch.setenv(name, value)
    with pytest.raises(SettingsError) as raised:
        serve(read_settings(ManagementSettings))
    [line] = str(raised.value).splitlines()
    assert message in line
    assert "short-and-secret" not in line
