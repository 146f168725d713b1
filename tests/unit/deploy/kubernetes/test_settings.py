"""The manifests give each process all settings that it needs, the secrets that it reads, and no others."""

import base64
from pathlib import Path

import pytest

from deploy.local.service_processes import REDIS_PROCESSES
from edge_api.settings import EdgeSettings
from management_api.settings import ManagementSettings
from tests.support.deployment_settings import SETTINGS_OF, settings_at_start
from tests.unit.deploy.kubernetes.manifests import container_of, environment_of, mounted_secrets, of_kind, ports_of

_KEY = base64.b64encode(bytes(32)).decode()
#: The keys of the secret in docs/operations/install.md.
_SECRET = {
    "database-url": "postgresql://onboarding:x@postgresql:5432/onboarding",
    "database-url-app": "postgresql://onboarding_app:x@postgresql:5432/onboarding",
    **{f"redis-url-{name}": f"redis://{name}:x@redis:6379/0" for name in (*REDIS_PROCESSES, "doctor")},
    "master-key": _KEY,
    "assignment-keys": _KEY,
    "rate-limit-digest-key": _KEY,
    "device-digest-keys": _KEY,
}
every_process = pytest.mark.parametrize("name", sorted(SETTINGS_OF))


@every_process
def test_process_starts_with_its_settings(name: str, tmp_path: Path) -> None:
    for file, key in mounted_secrets(name).items():
        (tmp_path / file).write_text(_SECRET[key])
    given = {
        variable: value.replace("/run/secrets/onboarding", str(tmp_path))
        for variable, value in environment_of(name).items()
    }
    settings = settings_at_start(name, given)
    ports = ports_of(name)
    if isinstance(settings, EdgeSettings):
        assert ports == {"http": settings.edge_port, "metrics": settings.edge_metrics_port}
    if isinstance(settings, ManagementSettings):
        assert ports == {"http": settings.management_port, "metrics": settings.management_metrics_port}
        assert settings.redis_url is not None
    assert container_of(name)["args"] == [name]


@every_process
def test_process_gets_only_the_secrets_that_it_reads(name: str) -> None:
    prefix = "/run/secrets/onboarding/"
    read = {value.removeprefix(prefix) for value in environment_of(name).values() if value.startswith(prefix)}
    assert set(mounted_secrets(name)) == read
    assert not [one for one in container_of(name).get("env", []) if "secretKeyRef" in one.get("valueFrom", {})]


@pytest.mark.parametrize("name", REDIS_PROCESSES)
def test_process_has_its_own_user_of_redis(name: str) -> None:
    keys = [key for key in mounted_secrets(name).values() if key.startswith("redis")]
    assert keys == [f"redis-url-{name}"]


@every_process
def test_only_the_consumer_and_the_migration_own_the_database(name: str) -> None:
    keys = [key for key in mounted_secrets(name).values() if key.startswith("database")]
    owned = "database-url" if name in {"consumer", "migrate"} else "database-url-app"
    assert keys == ([] if name == "edge" else [owned])


def test_manifests_contain_no_secrets() -> None:
    assert of_kind("Secret") == {}
