"""deploy/kubernetes, rendered: valid, set right, and without rights that nobody needs."""

import base64
import os
import shutil
import subprocess
import sys
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

import kubernetes_validate
import pytest
import yaml

from common.settings import EdgeSettings, ManagementSettings
from management_api.gunicorn_server import STOP_SECONDS
from tests.deployed_settings import SETTINGS_OF, settings_at_start
from tests.gateway import SDK_PATHS, SHARED_PATHS, nginx_of_tests, variables_of_template

Manifest = dict[str, Any]
_FOLDER = Path(__file__).parents[3] / "deploy" / "kubernetes"
#: The oldest that `preStop: sleep` works with.
_RELEASE = "1.30"
_KEY = base64.b64encode(bytes(32)).decode()
#: What docs/operations.md tells to put into the secret.
_SECRET = {
    "database-url": "postgresql://onboarding:x@postgresql:5432/onboarding",
    "redis-url": "redis://:x@redis:6379/0",
    "master-key": _KEY,
    "assignment-keys": _KEY,
    "rate-limit-digest-key": _KEY,
}
#: With Sentinels; with PgBouncer.
_REDIS, _POSTGRESQL = (6379, 26379), (5432, 6432)
_WORKLOADS = ("consumer", "edge", "gateway", "management", "publisher")
every_pod = pytest.mark.parametrize("name", [*_WORKLOADS, "migrate"])
every_workload = pytest.mark.parametrize("name", _WORKLOADS)
every_process = pytest.mark.parametrize("name", sorted(SETTINGS_OF))


def _kubectl() -> str:
    own = Path(sys.executable).with_name("kubectl")
    found = str(own) if own.exists() else shutil.which("kubectl")
    if found is None:
        pytest.skip("no kubectl is installed, and there is none among the packages for this kind of machine")
    return found


def _render(overlay: Path) -> tuple[Manifest, ...]:
    rendering = subprocess.run(  # noqa: S603 - a renderer of ours
        [_kubectl(), "kustomize", str(overlay)], capture_output=True, text=True, check=False
    )
    assert (rendering.returncode, rendering.stderr) == (0, "")
    return tuple(yaml.safe_load_all(rendering.stdout))


@cache
def _rendered() -> tuple[Manifest, ...]:
    return _render(_FOLDER / "overlays" / "production")


def _of_kind(*kinds: str) -> dict[str, Manifest]:
    return {one["metadata"]["name"]: one for one in _rendered() if one["kind"] in kinds}


def _pod(name: str) -> Manifest:
    workload = _of_kind("Deployment", "StatefulSet", "Job")[name]
    pod: Manifest = workload["spec"]["template"]
    return pod


def _container(name: str) -> Manifest:
    (container,) = _pod(name)["spec"]["containers"]
    assert isinstance(container, dict)
    return container


def _environment(name: str) -> dict[str, str]:
    container, maps = _container(name), _of_kind("ConfigMap")
    found: dict[str, str] = {}
    for source in container.get("envFrom", []):
        found |= maps[source["configMapRef"]["name"]]["data"]
    return found | {one["name"]: one["value"] for one in container.get("env", []) if "value" in one}


def _mounted_secrets(name: str) -> set[str]:
    (volume,) = (one for one in _pod(name)["spec"]["volumes"] if one["name"] == "secrets")
    assert volume["secret"]["secretName"] == "onboarding"
    return {item["path"] for item in volume["secret"]["items"]}


def _ports(name: str) -> dict[str, int]:
    return {port["name"]: port["containerPort"] for port in _container(name).get("ports", [])}


def _labels_fit(selector: Manifest, labels: dict[str, str]) -> bool:
    wanted = selector.get("matchLabels", {})
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", [])
    )


def test_every_manifest_is_what_kubernetes_takes() -> None:
    for manifest in _rendered():
        kubernetes_validate.validate(manifest, _RELEASE, strict=True)


@every_process
def test_a_process_starts_with_what_it_is_given(name: str, tmp_path: Path) -> None:
    for key in _mounted_secrets(name):
        (tmp_path / key).write_text(_SECRET[key])
    given = {
        variable: value.replace("/run/secrets/onboarding", str(tmp_path))
        for variable, value in _environment(name).items()
    }
    settings = settings_at_start(name, given)
    ports = _ports(name)
    if isinstance(settings, EdgeSettings):
        assert ports == {"http": settings.edge_port, "metrics": settings.edge_metrics_port}
    if isinstance(settings, ManagementSettings):
        assert ports == {"http": settings.management_port, "metrics": settings.management_metrics_port}
        assert settings.redis_url is not None
    assert _container(name)["args"] == [name]


@every_process
def test_a_process_is_handed_the_secrets_it_reads_and_no_others(name: str) -> None:
    prefix = "/run/secrets/onboarding/"
    read = {value.removeprefix(prefix) for value in _environment(name).values() if value.startswith(prefix)}
    assert _mounted_secrets(name) == read
    assert not [one for one in _container(name).get("env", []) if "secretKeyRef" in one.get("valueFrom", {})]


def test_secrets_come_from_outside() -> None:
    assert _of_kind("Secret") == {}


@every_pod
def test_a_pod_has_no_rights(name: str) -> None:
    pod, container = _pod(name)["spec"], _container(name)
    context = pod["securityContext"]
    assert context["runAsNonRoot"] is True
    assert context["runAsUser"] > 0
    assert context["seccompProfile"] == {"type": "RuntimeDefault"}
    assert container["securityContext"] == {
        "allowPrivilegeEscalation": False,
        "readOnlyRootFilesystem": True,
        "capabilities": {"drop": ["ALL"]},
    }
    assert pod["automountServiceAccountToken"] is False
    assert not {"hostNetwork", "hostPID", "hostIPC"} & pod.keys()
    assert {"cpu", "memory"} == container["resources"]["requests"].keys()
    assert "memory" in container["resources"]["limits"]


@every_pod
def test_the_names_of_services_set_nothing(name: str) -> None:
    # A Service named `edge` would make EDGE_PORT=tcp://..., which is a setting of ours.
    assert _pod(name)["spec"]["enableServiceLinks"] is False


@every_pod
def test_the_image_is_one_of_a_release(name: str) -> None:
    image = _container(name)["image"]
    assert ":" in image.rpartition("/")[2]
    assert not image.endswith(":latest")


@every_workload
def test_a_workload_is_probed_spread_and_taken_down_one_by_one(name: str) -> None:
    spec, container = _pod(name)["spec"], _container(name)
    probe = container["livenessProbe"]
    assert probe["timeoutSeconds"] == 5
    spread = {one["topologyKey"] for one in spec["topologySpreadConstraints"]}
    assert spread == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}
    budget = _of_kind("PodDisruptionBudget")[name]["spec"]
    assert _labels_fit(budget["selector"], _pod(name)["metadata"]["labels"])
    assert budget["maxUnavailable"] == 1


@pytest.mark.parametrize("name", ["edge", "management"])
def test_readiness_routes_and_liveness_restarts(name: str) -> None:
    container = _container(name)
    assert container["livenessProbe"]["httpGet"] == {"path": "/health/live", "port": "http"}
    assert container["readinessProbe"]["httpGet"] == {"path": "/health/ready", "port": "http"}
    assert container["readinessProbe"]["timeoutSeconds"] == 3


def test_the_consumers_probe_looks_at_the_file_it_writes() -> None:
    assert "$ONBOARDING_CONSUMER_FILE" in _container("consumer")["livenessProbe"]["exec"]["command"][-1]
    mounts = {mount["mountPath"] for mount in _container("consumer")["volumeMounts"]}
    assert str(Path(_environment("consumer")["ONBOARDING_CONSUMER_FILE"]).parent) in mounts


@pytest.mark.parametrize(("name", "seconds"), [("management", STOP_SECONDS), ("edge", 10), ("gateway", 25)])
def test_a_pod_serves_until_nobody_is_sent_there_and_then_ends_in_order(name: str, seconds: int) -> None:
    waits = _container(name)["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert waits >= 5
    assert _pod(name)["spec"]["terminationGracePeriodSeconds"] >= waits + seconds + 5


def test_an_edge_keeps_its_disk() -> None:
    edge = _of_kind("StatefulSet")["edge"]["spec"]
    (claim,) = edge["volumeClaimTemplates"]
    (mount,) = (one for one in _container("edge")["volumeMounts"] if one["name"] == claim["metadata"]["name"])
    environment = _environment("edge")
    for variable in ("ONBOARDING_EDGE_SNAPSHOT_FOLDER", "ONBOARDING_EDGE_SPOOL_FOLDER"):
        assert environment[variable].startswith(f"{mount['mountPath']}/")
    assert set(edge["persistentVolumeClaimRetentionPolicy"].values()) == {"Retain"}


@pytest.mark.parametrize(("kind", "name"), [("StatefulSet", "edge"), ("Deployment", "gateway")])
def test_the_scaler_alone_says_how_many_there_are(kind: str, name: str) -> None:
    scaler = _of_kind("HorizontalPodAutoscaler")[name]["spec"]
    assert scaler["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": kind, "name": name}
    assert "replicas" not in _of_kind(kind)[name]["spec"]
    assert scaler["minReplicas"] >= 2


def test_every_service_leads_to_pods_of_ours() -> None:
    services = _of_kind("Service")
    assert set(services) == {"edge", "edge-pods", "gateway", "management"}
    for service in services.values():
        selector = service["spec"]["selector"]
        (name,) = (one for one in _WORKLOADS if _labels_fit({"matchLabels": selector}, _pod(one)["metadata"]["labels"]))
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= _ports(name).keys()
    assert _of_kind("StatefulSet")["edge"]["spec"]["serviceName"] in services


def test_the_gateway_calls_the_services_by_their_names() -> None:
    environment = _environment("gateway")
    for variable, name in (("GATEWAY_EDGE", "edge"), ("GATEWAY_MANAGEMENT", "management")):
        (port,) = _of_kind("Service")[name]["spec"]["ports"]
        assert environment[variable] == f"{name}.$(NAMESPACE).svc.cluster.local:{port['port']}"


def test_the_gateway_is_given_all_that_its_configuration_asks_for() -> None:
    given = {name for name in _environment("gateway") if name.startswith("GATEWAY_")}
    # Of the last, the image itself finds out where names are asked for.
    assert variables_of_template() == given | {"NGINX_LOCAL_RESOLVERS"}
    assert _container("gateway")["image"] == f"nginx:{nginx_of_tests()}"


def test_the_ingress_leads_to_the_gateway() -> None:
    (ingress,) = _of_kind("Ingress").values()
    (rule,) = ingress["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    assert (path["path"], path["pathType"]) == ("/", "Prefix")
    assert path["backend"]["service"] == {"name": "gateway", "port": {"name": "http"}}
    assert ingress["spec"]["tls"][0]["hosts"] == [rule["host"]]


def _policies_of(name: str, direction: str) -> Iterator[Manifest]:
    labels = _pod(name)["metadata"]["labels"]
    for policy in _of_kind("NetworkPolicy").values():
        if direction in policy["spec"]["policyTypes"] and _labels_fit(policy["spec"]["podSelector"], labels):
            yield policy["spec"]


def _open_ports(name: str, direction: str) -> set[int]:
    rules = [rule for spec in _policies_of(name, direction) for rule in spec.get(direction.lower(), [])]
    return {port["port"] for rule in rules for port in rule["ports"]}


@every_pod
def test_what_is_not_opened_is_closed(name: str) -> None:
    for direction in ("Ingress", "Egress"):
        assert [spec for spec in _policies_of(name, direction) if not spec.get(direction.lower())]


@pytest.mark.parametrize(
    ("name", "ingress", "egress"),
    [
        ("edge", {8080, 9401}, {53, 4317, *_REDIS}),
        ("management", {8081, 9401}, {53, 443, 4317, *_POSTGRESQL, *_REDIS}),
        ("publisher", {9401}, {53, 4317, *_POSTGRESQL, *_REDIS}),
        ("consumer", {9401}, {53, 4317, *_POSTGRESQL, *_REDIS}),
        ("migrate", set(), {53, *_POSTGRESQL}),
        ("gateway", {8080}, {53, 8080, 8081}),
    ],
)
def test_a_pod_reaches_what_it_needs_and_no_more(name: str, ingress: set[int], egress: set[int]) -> None:
    assert (_open_ports(name, "Ingress"), _open_ports(name, "Egress")) == (ingress, egress)


def test_what_apps_call_most_may_go_past_the_gateway(tmp_path: Path) -> None:
    production, straight = (
        os.path.relpath(_FOLDER / part, tmp_path.resolve())
        for part in ("overlays/production", "components/straight-to-edge")
    )
    overlay = {"resources": [production], "components": [straight]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay))
    manifests = {(one["kind"], one["metadata"]["name"]): one for one in _render(tmp_path)}
    paths = manifests["Ingress", "onboarding"]["spec"]["rules"][0]["http"]["paths"]
    to_edge = {path["path"] for path in paths if path["backend"]["service"]["name"] == "edge"}
    # By its path alone, that of batches would take the raw events of dashboards along.
    assert to_edge == {*SDK_PATHS} - {*SHARED_PATHS}
    assert {path["pathType"] for path in paths if path["path"] in to_edge} == {"Exact"}
    assert {"ports": [{"protocol": "TCP", "port": 8080}]} in manifests["NetworkPolicy", "edge"]["spec"]["ingress"]
    kubernetes_validate.validate(manifests["Ingress", "onboarding"], _RELEASE, strict=True)
