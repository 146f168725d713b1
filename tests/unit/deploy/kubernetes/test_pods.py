"""The manifests are valid; their pods have no needless rights, and are probed, spread and stopped in order."""

from pathlib import Path

import pytest

from edge_api.worker import STOP_SECONDS as EDGE_SECONDS
from management_api.server import STOP_SECONDS
from tests.unit.deploy.kubernetes.manifests import (
    container_of,
    environment_of,
    every_pod,
    every_workload,
    labels_fit,
    of_kind,
    pod_of,
    production,
    validate,
)


@pytest.mark.slow
def test_every_manifest_is_valid() -> None:
    for manifest in production():
        validate(manifest)


@every_pod
def test_pod_is_unprivileged(name: str) -> None:
    pod, container = pod_of(name)["spec"], container_of(name)
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
def test_service_names_set_no_variables(name: str) -> None:
    # A Service named `edge` would make EDGE_PORT=tcp://..., which is a setting of the edge.
    assert pod_of(name)["spec"]["enableServiceLinks"] is False


@every_pod
def test_image_has_the_tag_of_a_release(name: str) -> None:
    image = container_of(name)["image"]
    assert ":" in image.rpartition("/")[2]
    assert not image.endswith(":latest")


@every_workload
def test_workload_is_probed_spread_and_evicted_one_by_one(name: str) -> None:
    spec, container = pod_of(name)["spec"], container_of(name)
    probe = container["livenessProbe"]
    assert probe["timeoutSeconds"] == 5
    spread = {one["topologyKey"] for one in spec["topologySpreadConstraints"]}
    assert spread == {"kubernetes.io/hostname", "topology.kubernetes.io/zone"}
    budget = of_kind("PodDisruptionBudget")[name]["spec"]
    assert labels_fit(budget["selector"], pod_of(name)["metadata"]["labels"])
    assert budget["maxUnavailable"] == 1


@pytest.mark.parametrize("name", ["edge", "management"])
def test_readiness_routes_and_liveness_restarts(name: str) -> None:
    container = container_of(name)
    # A crowd that gets 503, also for health requests, is no reason for a restart.
    assert container["livenessProbe"]["tcpSocket"] == {"port": "http"}
    assert container["readinessProbe"]["httpGet"] == {"path": "/health/ready", "port": "http"}
    assert container["readinessProbe"]["timeoutSeconds"] == 3


@every_workload
def test_pod_that_ends_soon_does_not_replace_the_others(name: str) -> None:
    assert "readinessProbe" in container_of(name) or of_kind("Deployment")[name]["spec"]["minReadySeconds"] >= 30


def test_migration_suits_argo_cd_and_flux() -> None:
    job = of_kind("Job")["migrate"]
    # Before the first synchronization no service account and no config map exists.
    assert "serviceAccountName" not in pod_of("migrate")["spec"]
    assert "envFrom" not in container_of("migrate")
    assert job["metadata"]["annotations"]["argocd.argoproj.io/hook"] == "PreSync"
    # Flux makes a Job again that was deleted by its time to live.
    assert "ttlSecondsAfterFinished" not in job["spec"]
    assert job["metadata"]["annotations"]["kustomize.toolkit.fluxcd.io/force"] == "enabled"


def test_doctor_examines_the_fewest_edges_and_runs_on_request() -> None:
    assert of_kind("CronJob")["doctor"]["spec"]["suspend"] is True
    edges = [arg.partition("=")[2] for arg in container_of("doctor")["args"] if arg.startswith("--edge-url")]
    fewest = of_kind("HorizontalPodAutoscaler")["edge"]["spec"]["minReplicas"]
    assert edges == [f"http://edge-{number}.edge-pods:8080" for number in range(fewest)]


@pytest.mark.parametrize("name", ["publisher", "consumer"])
def test_probe_reads_the_file_that_the_process_writes(name: str) -> None:
    variable = f"ONBOARDING_{name.upper()}_HEARTBEAT_FILE"
    assert f"${variable}" in container_of(name)["livenessProbe"]["exec"]["command"][-1]
    mounts = {mount["mountPath"] for mount in container_of(name)["volumeMounts"]}
    assert str(Path(environment_of(name)[variable]).parent) in mounts


@pytest.mark.parametrize(("name", "seconds"), [("management", STOP_SECONDS), ("edge", EDGE_SECONDS), ("gateway", 25)])
def test_pod_serves_until_it_is_out_of_its_service_and_then_stops_gracefully(name: str, seconds: int) -> None:
    waits = container_of(name)["lifecycle"]["preStop"]["sleep"]["seconds"]
    assert waits >= 5
    assert pod_of(name)["spec"]["terminationGracePeriodSeconds"] >= waits + seconds + 5


def test_edge_keeps_its_disk() -> None:
    edge = of_kind("StatefulSet")["edge"]["spec"]
    (claim,) = edge["volumeClaimTemplates"]
    (mount,) = (one for one in container_of("edge")["volumeMounts"] if one["name"] == claim["metadata"]["name"])
    environment = environment_of("edge")
    for variable in ("ONBOARDING_EDGE_SNAPSHOT_FOLDER", "ONBOARDING_EDGE_SPOOL_FOLDER"):
        assert environment[variable].startswith(f"{mount['mountPath']}/")
    assert set(edge["persistentVolumeClaimRetentionPolicy"].values()) == {"Retain"}


@pytest.mark.parametrize(("kind", "name"), [("StatefulSet", "edge"), ("Deployment", "gateway")])
def test_only_the_autoscaler_sets_the_number_of_replicas(kind: str, name: str) -> None:
    scaler = of_kind("HorizontalPodAutoscaler")[name]["spec"]
    assert scaler["scaleTargetRef"] == {"apiVersion": "apps/v1", "kind": kind, "name": name}
    assert "replicas" not in of_kind(kind)[name]["spec"]
    assert scaler["minReplicas"] >= 2
