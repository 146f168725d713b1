"""deploy/compose.yaml, read by Docker Compose: the settings of its services are right, and their rights minimal."""

import json
import os
import re
import shutil
import subprocess
import sys
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import urlsplit

import pytest

from cli.demo.identity import ISSUER
from common.settings.shared import ProcessSettings
from common.settings.sources import is_secret, variables_of
from edge_api.settings import EdgeSettings
from edge_api.worker import STOP_SECONDS as EDGE_SECONDS
from management_api.event_consumer.settings import ConsumerSettings
from management_api.server import STOP_SECONDS
from management_api.settings import ManagementSettings
from publisher.settings import PublisherSettings
from tests.support.deployment_settings import SETTINGS_OF, settings_at_start
from tests.support.servers.compose_redis import DEPLOY, USERS, make_secrets
from tests.support.servers.gateway import variables_of_template

_FILE = DEPLOY / "compose.yaml"
#: The variables that an operator has to set.
_GIVEN = {
    "ONBOARDING_IDENTITY_ISSUER": "https://id.example.com/",
    "ONBOARDING_IDENTITY_AUDIENCE": "onboarding",
}
_PROCESSES = ("postgres", "redis", "roles", "migrate", "management", "publisher", "consumer", "edge", "gateway")
#: The settings that the containers give, whatever the installation says.
_FIXED = {
    "edge": {
        "ONBOARDING_EDGE_HOST",
        "EDGE_PORT",
        "ONBOARDING_EDGE_SNAPSHOT_FOLDER",
        "ONBOARDING_EDGE_SPOOL_FOLDER",
        "ONBOARDING_TRUSTED_PROXIES",
    },
    "management": {
        "ONBOARDING_MANAGEMENT_HOST",
        "MANAGEMENT_PORT",
        "ONBOARDING_TRUSTED_PROXIES",
        "ONBOARDING_DASHBOARD_DEVELOPMENT_SIGN_IN",
    },
    "publisher": {"ONBOARDING_PUBLISHER_HEARTBEAT_FILE"},
    "consumer": {"ONBOARDING_CONSUMER_HEARTBEAT_FILE"},
}
_REDIS_PROCESSES = ("edge", "management", "publisher", "consumer")


def _docker_compose() -> str:
    own = Path(sys.executable).with_name("docker-compose")
    if not own.exists():
        pytest.skip("Docker Compose has no package for this kind of machine")
    return str(own)


def _read(given: dict[str, str], *options: str) -> subprocess.CompletedProcess[str]:
    """Let Docker Compose read, validate and interpolate the file, which needs no engine."""
    profile = () if "demo" in options else ("--profile", "production")
    files = ("--file", str(_FILE), "--env-file", os.devnull)
    command = [_docker_compose(), *files, *profile, *options, "config", "--format", "json"]
    return subprocess.run(command, env=given, capture_output=True, text=True, check=False)  # noqa: S603 - compose


@cache
def _compose(*options: str) -> dict[str, Any]:
    reading = _read(_GIVEN, *options)
    assert (reading.returncode, reading.stderr) == (0, "")
    read: dict[str, Any] = json.loads(reading.stdout)
    return read


def _service(name: str) -> dict[str, Any]:
    service: dict[str, Any] = _compose()["services"][name]
    return service


def _files_of_secrets(service: dict[str, Any]) -> dict[str, str]:
    """Return the names of the secrets of a service, by the paths of their files."""
    return {str(Path("/run/secrets") / secret["target"]): secret["source"] for secret in service["secrets"]}


def _settings(name: str, secrets: Path) -> ProcessSettings:
    service = _service(name)
    files = {seen: str(secrets / made) for seen, made in _files_of_secrets(service).items()}
    given = {variable: files.get(value, value) for variable, value in service["environment"].items()}
    # Docker gives the containers the file `.env`, too.
    return settings_at_start(name, {**(_GIVEN if name == "management" else {}), **given})


every_service = pytest.mark.parametrize("name", _PROCESSES)
every_process = pytest.mark.parametrize("name", sorted(SETTINGS_OF))


@pytest.fixture(scope="module")
def secrets(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("made") / "secrets"
    make_secrets(folder)
    return folder


@every_process
def test_process_starts_with_its_settings(name: str, secrets: Path) -> None:
    assert _service(name)["command"] == [name]
    _settings(name, secrets)


@every_process
def test_process_gets_only_the_secrets_that_it_reads(name: str) -> None:
    service = _service(name)
    read = {value for value in service["environment"].values() if value.startswith("/run/secrets/")}
    assert set(_files_of_secrets(service)) == read


@every_process
def test_process_gets_every_setting_of_the_file_beside_it(name: str, tmp_path: Path) -> None:
    folder = tmp_path / "deploy"
    shutil.copytree(DEPLOY, folder, ignore=shutil.ignore_patterns("local", "secrets", ".env"))
    known = [
        variables_of(setting, info)[0]
        for setting, info in SETTINGS_OF[name].model_fields.items()
        if not is_secret(info)
    ]
    (folder / ".env").write_text("".join(f"{variable}=given\n" for variable in known))
    reading = subprocess.run(  # noqa: S603 - compose
        [_docker_compose(), "--file", str(folder / "compose.yaml"), "config", "--format", "json"],
        env={"COMPOSE_PROFILES": "production"},
        capture_output=True,
        text=True,
        check=True,
    )
    environment = json.loads(reading.stdout)["services"][name]["environment"]
    # The containers fit together by these only.
    fixed = {variable for variable in known if environment.get(variable) != "given"}
    assert fixed == _FIXED.get(name, set()) | ({"ONBOARDING_METRICS_HOST"} if name != "migrate" else set())


@pytest.mark.parametrize("name", ["edge", "management", "publisher", "consumer", "doctor"])
def test_only_the_consumer_and_the_migration_own_the_database(name: str) -> None:
    service = _compose("--profile", "doctor")["services"][name]
    (url,) = {each for each in _sources(service) if each.startswith("database")} or {"none"}
    assert url == {"consumer": "database_url", "edge": "none"}.get(name, "database_url_app")
    assert "postgres_password" not in _sources(service)


def test_commands_for_backups_run_on_request_and_as_the_administrator() -> None:
    services = _compose("--profile", "backup")["services"]
    commands = {name: services[name]["command"][2:] for name in ("roles", "backup", "restore", "drill")}
    assert commands == {
        "roles": ["roles"], "backup": ["dump"], "restore": ["restore", "onboarding"], "drill": ["drill"]
    }  # fmt: skip
    assert not {"backup", "restore", "drill"} & _compose()["services"].keys()
    assert {services[name]["environment"]["PGUSER"] for name in commands} == {"postgres"}


@pytest.mark.parametrize("name", _REDIS_PROCESSES)
def test_process_has_its_own_user_of_redis(name: str, secrets: Path) -> None:
    handed = [made for made in _files_of_secrets(_service(name)).values() if made.startswith("redis")]
    assert handed == [f"redis_url_{name}"]
    assert urlsplit((secrets / handed[0]).read_text()).username == name


def test_every_user_of_redis_has_a_different_password(secrets: Path) -> None:
    passwords = {urlsplit((secrets / f"redis_url_{user}").read_text()).password for user in USERS}
    assert len({*passwords, (secrets / "redis_password").read_text()}) == len(USERS) + 1
    administrators = {name for name, service in _compose()["services"].items() if "redis_password" in _sources(service)}
    assert administrators == {"redis"}


def test_doctor_is_started_on_request_only(secrets: Path) -> None:
    service = _compose("--profile", "doctor")["services"]["doctor"]
    assert "doctor" not in _compose()["services"]
    read = {value for value in service["environment"].values() if value.startswith("/run/secrets/")}
    assert set(_files_of_secrets(service)) == read
    assert set(_sources(service)) <= {file.name for file in secrets.iterdir()}
    (volume,) = service["volumes"]
    assert (volume["source"], volume["read_only"]) == ("edge", True)


def _sources(service: dict[str, Any]) -> list[str]:
    return [secret["source"] for secret in service.get("secrets", [])]


def test_shared_settings_of_the_services_are_equal(secrets: Path) -> None:
    edge, management, publisher = (_settings(name, secrets) for name in ("edge", "management", "publisher"))
    assert isinstance(edge, EdgeSettings)
    assert isinstance(management, ManagementSettings)
    assert isinstance(publisher, PublisherSettings)
    assert edge.trusted_proxies == management.trusted_proxies != ()
    assert edge.assignment_keys == management.assignment_keys
    assert edge.rate_limit_digest_key == management.rate_limit_digest_key
    assert edge.rate_limit_digest_key.get_secret_value()
    servers = {urlsplit(each.redis_url.get_secret_value()).hostname for each in (edge, publisher)}
    assert servers == {"redis"}
    assert management.master_key == publisher.master_key
    gateway = _service("gateway")["environment"]
    assert gateway["GATEWAY_EDGE"] == f"edge:{edge.edge_port}"
    assert gateway["GATEWAY_MANAGEMENT"] == f"management:{management.management_port}"


def test_gateway_has_all_variables_of_its_template() -> None:
    gateway = _service("gateway")
    # Of the last, the image itself finds out where names are asked for.
    assert variables_of_template() == {name for name in gateway["environment"] if name.startswith("GATEWAY_")} | {
        "NGINX_LOCAL_RESOLVERS"
    }
    assert gateway["environment"]["NGINX_ENTRYPOINT_LOCAL_RESOLVERS"] == "1"


def test_trusted_proxies_are_the_network_of_the_gateway() -> None:
    (network,) = _compose()["networks"]["front"]["ipam"]["config"]
    assert _service("edge")["environment"]["ONBOARDING_TRUSTED_PROXIES"] == network["subnet"]
    in_front = {name for name, one in _compose()["services"].items() if "front" in one["networks"]}
    assert in_front == {"gateway", "edge", "management"}
    assert set(_service("gateway")["networks"]) == {"front"}


@every_service
def test_container_is_read_only_and_unprivileged(name: str) -> None:
    service = _service(name)
    assert service["read_only"] is True
    assert service["cap_drop"] == ["ALL"]
    assert service["security_opt"] == ["no-new-privileges:true"]
    assert re.fullmatch(r"[1-9]\d*:[1-9]\d*", service["user"])
    assert not {"privileged", "cap_add", "pid", "ipc", "network_mode", "devices"} & service.keys()
    assert service["deploy"]["resources"]["limits"].keys() == {"cpus", "memory", "pids"}


@every_service
def test_container_has_a_health_check_and_restarts(name: str) -> None:
    service = _service(name)
    if name in {"roles", "migrate"}:
        assert (service["restart"], service["healthcheck"]) == ("on-failure", {"disable": True})
    else:
        assert service["restart"] == "unless-stopped"
        assert {"test", "interval", "timeout", "retries", "start_period"} <= service["healthcheck"].keys()


def test_only_the_gateway_is_published() -> None:
    services = _compose()["services"]
    assert sorted(services) == sorted(_PROCESSES)
    assert [name for name, service in services.items() if service.get("ports")] == ["gateway"]
    (port,) = services["gateway"]["ports"]
    assert (port["host_ip"], port["published"]) == ("127.0.0.1", "8000")
    assert _compose()["networks"]["data"]["internal"] is True


@pytest.mark.parametrize(
    ("name", "seconds"), [("management", STOP_SECONDS), ("edge", EDGE_SECONDS), ("consumer", 10), ("gateway", 25)]
)
def test_stop_leaves_time_for_active_requests(name: str, seconds: int) -> None:
    assert int(_service(name)["stop_grace_period"].removesuffix("s")) >= seconds + 10


def test_durable_data_is_on_a_volume() -> None:
    targets = {volume["source"]: volume["target"] for volume in _service("edge")["volumes"]}
    for variable in ("ONBOARDING_EDGE_SNAPSHOT_FOLDER", "ONBOARDING_EDGE_SPOOL_FOLDER"):
        assert _service("edge")["environment"][variable].startswith(f"{targets['edge']}/")
    for service in ("edge", "management", "consumer"):
        assert _service(service)["environment"]["ONBOARDING_MEDIA_STORE"] == f"file://{targets['media']}"
    mounts = [mount for one in _compose()["services"].values() for mount in one.get("volumes", [])]
    assert {mount["source"] for mount in mounts if mount.get("source")} >= {"postgres", "redis", "edge", "media"}


def test_health_checks_use_the_ports_and_files_of_the_settings(secrets: Path) -> None:
    edge, management, publisher, consumer = (
        _settings(name, secrets) for name in ("edge", "management", "publisher", "consumer")
    )
    assert isinstance(edge, EdgeSettings)
    assert isinstance(management, ManagementSettings)
    assert isinstance(publisher, PublisherSettings)
    assert isinstance(consumer, ConsumerSettings)
    looked_at = {
        "edge": f"http://127.0.0.1:{edge.edge_port}/health/ready",
        "management": f"http://127.0.0.1:{management.management_port}/health/ready",
        "publisher": str(publisher.publisher_heartbeat_file),
        "consumer": str(consumer.consumer_heartbeat_file),
    }
    assert [name for name, what in looked_at.items() if what not in _service(name)["healthcheck"]["test"][-1]] == []


def test_redis_is_durable() -> None:
    lines = (DEPLOY / "redis" / "redis.conf").read_text().splitlines()
    assert {"appendonly yes", "appendfsync always", "maxmemory-policy noeviction", 'save ""'} <= set(lines)


def test_every_mounted_file_exists() -> None:
    mounts = [mount for one in _compose()["services"].values() for mount in one.get("volumes", [])]
    assert [mount["source"] for mount in mounts if mount["type"] == "bind" and not Path(mount["source"]).exists()] == []


def test_every_secret_is_made_by_the_script(secrets: Path) -> None:
    asked_for = {Path(one["file"]) for one in _compose("--profile", "doctor")["secrets"].values()}
    assert asked_for == {DEPLOY / "secrets" / file.name for file in secrets.iterdir()}
    # Containers read them as other users; the mode of the folder excludes all others.
    assert {file.stat().st_mode & 0o777 for file in secrets.iterdir()} == {0o444}
    assert secrets.stat().st_mode & 0o777 == 0o700


def test_secrets_are_made_once(secrets: Path) -> None:
    before = {file.name: file.read_bytes() for file in secrets.iterdir()}
    (secrets / "redis_passwords").unlink()
    make_secrets(secrets)
    assert {file.name: file.read_bytes() for file in secrets.iterdir()} == before


def test_deleted_url_of_a_user_gets_a_new_password(secrets: Path, tmp_path: Path) -> None:
    folder = tmp_path / "secrets"
    shutil.copytree(secrets, folder)
    (folder / "redis_url_edge").unlink()
    make_secrets(folder)
    password = urlsplit((folder / "redis_url_edge").read_text()).password
    assert password != urlsplit((secrets / "redis_url_edge").read_text()).password
    assert f"s/>EDGE_PASSWORD/>{password}/" in (folder / "redis_passwords").read_text().splitlines()


def test_demo_signs_in_with_a_development_identity_and_production_has_none(secrets: Path) -> None:
    demo = _compose("--profile", "demo")["services"]
    signed_in = demo["management-demo"]["environment"]
    assert signed_in["ONBOARDING_IDENTITY_ISSUER"] == ISSUER
    assert signed_in["ONBOARDING_DASHBOARD_DEVELOPMENT_SIGN_IN"] == "true"
    # The gateway finds it under the name of the service that it replaces.
    assert demo["management-demo"]["networks"]["front"]["aliases"] == ["management"]
    folder = "/var/lib/onboarding"
    assert demo["demo-identity"]["command"] == ["demo", "prepare", "--folder", folder]
    files = {signed_in[f"ONBOARDING_{name}"] for name in ("IDENTITY_JWKS_FILE", "DASHBOARD_DEVELOPMENT_TOKEN_FILE")}
    assert files == {f"{folder}/jwks.json", f"{folder}/token"}
    production = _settings("management", secrets)
    assert isinstance(production, ManagementSettings)
    assert (production.identity_jwks_file, production.dashboard_development_token) == (None, None)
    assert not production.dashboard_development_sign_in
    assert not [name for name in _compose()["services"] if "demo" in name]
