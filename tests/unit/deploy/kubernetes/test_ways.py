"""Which ways lead to the pods of the manifests and from them, and that no others do."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
import yaml

from tests.gateway import SDK_PATHS, SHARED_PATHS, nginx_of_tests, variables_of_template
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

#: With Sentinels; with PgBouncer.
_REDIS, _POSTGRESQL = (6379, 26379), (5432, 6432)


def test_every_service_leads_to_pods_of_ours() -> None:
    services = of_kind("Service")
    assert set(services) == {"edge", "edge-pods", "gateway", "management"}
    for service in services.values():
        selector = service["spec"]["selector"]
        (name,) = (one for one in WORKLOADS if labels_fit({"matchLabels": selector}, pod_of(one)["metadata"]["labels"]))
        assert {port["targetPort"] for port in service["spec"]["ports"]} <= ports_of(name).keys()
    assert of_kind("StatefulSet")["edge"]["spec"]["serviceName"] in services


def test_the_gateway_calls_the_services_by_their_names() -> None:
    environment = environment_of("gateway")
    for variable, name in (("GATEWAY_EDGE", "edge"), ("GATEWAY_MANAGEMENT", "management")):
        (port,) = of_kind("Service")[name]["spec"]["ports"]
        assert environment[variable] == f"{name}.$(NAMESPACE).svc.cluster.local:{port['port']}"


def test_the_gateway_is_given_all_that_its_configuration_asks_for() -> None:
    given = {name for name in environment_of("gateway") if name.startswith("GATEWAY_")}
    # Of the last, the image itself finds out where names are asked for.
    assert variables_of_template() == given | {"NGINX_LOCAL_RESOLVERS"}
    assert container_of("gateway")["image"] == f"nginx:{nginx_of_tests()}"


def test_the_ingress_leads_to_the_gateway() -> None:
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
        os.path.relpath(FOLDER / part, tmp_path.resolve())
        for part in ("overlays/production", "components/straight-to-edge")
    )
    overlay = {"resources": [production], "components": [straight]}
    (tmp_path / "kustomization.yaml").write_text(yaml.safe_dump(overlay))
    manifests = {(one["kind"], one["metadata"]["name"]): one for one in rendered(tmp_path)}
    paths = manifests["Ingress", "onboarding"]["spec"]["rules"][0]["http"]["paths"]
    to_edge = {path["path"] for path in paths if path["backend"]["service"]["name"] == "edge"}
    # By its path alone, that of batches would take the raw events of dashboards along.
    assert to_edge == {*SDK_PATHS} - {*SHARED_PATHS}
    assert {path["pathType"] for path in paths if path["path"] in to_edge} == {"Exact"}
    assert {"ports": [{"protocol": "TCP", "port": 8080}]} in manifests["NetworkPolicy", "edge"]["spec"]["ingress"]
    validate(manifests["Ingress", "onboarding"])
