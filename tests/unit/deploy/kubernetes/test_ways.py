"""The connections that the manifests permit to their pods and from them."""

import os
from collections.abc import Iterator
from functools import cache
from ipaddress import IPv4Network
from pathlib import Path

import pytest
import yaml

from edge_api.api.routes import GLOBAL_CONFIG
from tests.support.servers.gateway import SDK_PATHS, SHARED_PATHS, variables_of_template
from tests.unit.deploy.kubernetes.manifests import (
    FOLDER,
    WORKLOADS,
    Manifest,
    container_of,
    environment_of,
    every_pod,
    labels_fit,
    of_kind,
    pod_of,
    ports_of,
    rendered,
    validate,
)

pytestmark = pytest.mark.slow

#: With Sentinels; with PgBouncer.
_REDIS, _POSTGRESQL = (6379, 26379), (5432, 6432)


def test_every_service_selects_pods_of_a_workload() -> None:
    services = of_kind("Service")
    assert set(services) == {"edge", "edge-pods", "gateway", "management"}
    for service in services.values():
        selector = service["spec"]["selector"]
        (name,) = (one for one in WORKLOADS if labels_fit({"matchLabels": selector}, pod_of(one)["metadata"]["labels"]))
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports_of(name).keys()
    assert of_kind("StatefulSet")["edge"]["spec"]["serviceName"] in services


def test_gateway_calls_the_services_by_name() -> None:
    environment = environment_of("gateway")
    for variable, name in (("GATEWAY_EDGE", "edge"), ("GATEWAY_MANAGEMENT", "management")):
        (port,) = of_kind("Service")[name]["spec"]["ports"]
        assert environment[variable] == f"{name}.$(NAMESPACE).svc.cluster.local:{port['port']}"


def test_gateway_has_all_variables_of_its_template() -> None:
    given = {name for name in environment_of("gateway") if name.startswith("GATEWAY_")}
    # Of the last, the image itself finds out where names are asked for.
    assert variables_of_template() == given | {"NGINX_LOCAL_RESOLVERS"}


def test_ingress_leads_to_the_gateway() -> None:
    (ingress,) = of_kind("Ingress").values()
    (rule,) = ingress["spec"]["rules"]
    (path,) = rule["http"]["paths"]
    assert (path["path"], path["pathType"]) == ("/", "Prefix")
    assert path["backend"]["service"] == {"name": "gateway", "port": {"name": "http"}}
    assert ingress["spec"]["tls"][0]["hosts"] == [rule["host"]]


def _policies_of(name: str, direction: str) -> Iterator[Manifest]:
    labels = pod_of(name)["metadata"]["labels"]
    for policy in of_kind("NetworkPolicy").values():
        if direction in policy["spec"]["policyTypes"] and labels_fit(policy["spec"]["podSelector"], labels):
            yield policy["spec"]


def _open_ports(name: str, direction: str) -> set[int]:
    rules = [rule for spec in _policies_of(name, direction) for rule in spec.get(direction.lower(), [])]
    return {port["port"] for rule in rules for port in rule["ports"]}


@every_pod
def test_connections_are_closed_by_default(name: str) -> None:
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
        ("doctor", set(), {53, 8080, 8081, *_POSTGRESQL, *_REDIS}),
    ],
)
def test_pod_has_only_the_ports_that_it_needs(name: str, ingress: set[int], egress: set[int]) -> None:
    assert (_open_ports(name, "Ingress"), _open_ports(name, "Egress")) == (ingress, egress)


@pytest.mark.parametrize("name", ["redis", "postgresql"])
def test_egress_to_a_server_goes_to_its_address_only(name: str) -> None:
    (rule,) = of_kind("NetworkPolicy")[name]["spec"]["egress"]
    (peer,) = rule["to"]
    # Of a documentation network, so that an address that was not replaced leads nowhere.
    assert IPv4Network(peer["ipBlock"]["cidr"]).subnet_of(IPv4Network("192.0.2.0/24"))
    (base_rule,) = _base("NetworkPolicy", name)["spec"]["egress"]
    assert [peer.keys() for peer in base_rule["to"]] == [{"podSelector"}]


def test_base_trusts_no_proxy() -> None:
    services = [each for each in _base_manifests() if each["metadata"]["name"].startswith("services-")]
    assert [each["data"]["ONBOARDING_TRUSTED_PROXIES"] for each in services] == [""]
    (extras,) = (each for each in _base_manifests() if each["metadata"]["name"].startswith("gateway-extras-"))
    assert "set_real_ip_from" not in extras["data"]["real-ip.conf"]


def test_past_the_gateway_apps_reach_the_edge_by_its_own_paths(tmp_path: Path) -> None:
    manifests = _straight(tmp_path)
    paths = manifests["Ingress", "onboarding"]["spec"]["rules"][0]["http"]["paths"]
    to_edge = {path["path"] for path in paths if path["backend"]["service"]["name"] == "edge"}
    # By its path alone, that of batches would take the raw events of dashboards along.
    assert to_edge == {*SDK_PATHS, *GLOBAL_CONFIG.paths} - {*SHARED_PATHS}
    assert {path["pathType"] for path in paths if path["path"] in to_edge} == {"Exact"}
    validate(manifests["Ingress", "onboarding"])


def test_past_the_gateway_only_the_gateway_and_the_ingress_controller_reach_the_edge(tmp_path: Path) -> None:
    policy = _straight(tmp_path)["NetworkPolicy", "edge"]
    gateway, controller = (peer for rule in policy["spec"]["ingress"] for peer in rule["from"])
    (ours,) = gateway["podSelector"]["matchExpressions"]
    assert ours["values"] == ["gateway", "doctor"]
    assert controller == {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "traefik"}}}
    validate(policy)


def test_past_the_gateway_no_proxy_is_trusted_that_the_overlay_does_not_name(tmp_path: Path) -> None:
    assert _trusted_by_edge(_straight(tmp_path)) == ""
    # By the comment of the component.
    comment = (
        (FOLDER / "components" / "straight-to-edge" / "kustomization.yaml").read_text().partition("\napiVersion")[0]
    )
    example = yaml.safe_load(comment.partition("In the overlay:\n")[2].replace("\n# ", "\n").removeprefix("# "))
    manifests = _straight(tmp_path, patches=example["patches"])
    assert _trusted_by_edge(manifests) == "10.244.1.0/24,10.244.2.0/24"
    *_, controller = (peer for rule in manifests["NetworkPolicy", "edge"]["spec"]["ingress"] for peer in rule["from"])
    assert controller == {"namespaceSelector": {"matchLabels": {"kubernetes.io/metadata.name": "ingress-nginx"}}}


def test_prometheus_operator_scrapes_every_process_under_the_names_of_the_alerts(tmp_path: Path) -> None:
    manifests = _overlay(tmp_path, "prometheus-operator")
    monitor = manifests["PodMonitor", "onboarding"]["spec"]
    (endpoint,) = monitor["podMetricsEndpoints"]
    scraped = {name for name in WORKLOADS if endpoint["port"] in ports_of(name)}
    assert scraped == {"edge", "management", "publisher", "consumer"}
    assert all(labels_fit(monitor["selector"], pod_of(name)["metadata"]["labels"]) for name in scraped)
    job, _ = endpoint["relabelings"]
    assert (job["targetLabel"], job["replacement"]) == ("job", "onboarding-$1")
    assert job["sourceLabels"] == ["__meta_kubernetes_pod_label_app_kubernetes_io_name"]


def test_backup_is_drilled_with_the_script_of_compose(tmp_path: Path) -> None:
    manifests = _overlay(tmp_path, "backup")
    job = manifests["CronJob", "backup"]
    validate(job)
    pod = job["spec"]["jobTemplate"]["spec"]["template"]
    closed = pod_of("doctor")["spec"]["securityContext"]
    assert pod["spec"]["securityContext"] == closed
    steps = [*pod["spec"]["initContainers"], *pod["spec"]["containers"]]
    assert [step["name"] for step in steps] == ["dump", "drill", "backup"]
    assert {str(step["securityContext"]) for step in steps} == {str(container_of("doctor")["securityContext"])}
    (script,) = (data for (kind, name), data in manifests.items() if name.startswith("database-script"))
    assert script["data"]["database.sh"] == (FOLDER.parent / "postgresql" / "database.sh").read_text()
    egress = manifests["NetworkPolicy", "postgresql"]["spec"]["podSelector"]
    assert labels_fit(egress, pod["metadata"]["labels"])


def _straight(folder: Path, **more: object) -> dict[tuple[str, str], Manifest]:
    return _overlay(folder, "straight-to-edge", **more)


def _overlay(folder: Path, component: str, **more: object) -> dict[tuple[str, str], Manifest]:
    """Render the overlay for production with a component, and with more in its kustomization."""
    production, added = (
        os.path.relpath(FOLDER / part, folder.resolve()) for part in ("overlays/production", f"components/{component}")
    )
    overlay = {"resources": [production], "components": [added], **more}
    (folder / "kustomization.yaml").write_text(yaml.safe_dump(overlay))
    return {(each["kind"], each["metadata"]["name"]): each for each in rendered(folder)}


def _trusted_by_edge(manifests: dict[tuple[str, str], Manifest]) -> str:
    """Return the value that the edge's container ends up with: of its config maps the last one decides."""
    (container,) = manifests["StatefulSet", "edge"]["spec"]["template"]["spec"]["containers"]
    maps = [manifests["ConfigMap", source["configMapRef"]["name"]]["data"] for source in container["envFrom"]]
    values = [data["ONBOARDING_TRUSTED_PROXIES"] for data in maps if "ONBOARDING_TRUSTED_PROXIES" in data]
    return str(values[-1])


@cache
def _base_manifests() -> tuple[Manifest, ...]:
    return rendered(FOLDER / "base")


def _base(kind: str, name: str) -> Manifest:
    (manifest,) = (each for each in _base_manifests() if (each["kind"], each["metadata"]["name"]) == (kind, name))
    return manifest
