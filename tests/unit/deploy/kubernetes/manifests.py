"""deploy/kubernetes as kustomize renders it for production, and access to the parts of a pod."""

import shutil
import subprocess
import sys
from functools import cache
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
import yaml

Manifest = dict[str, Any]
FOLDER = Path(__file__).parents[4] / "deploy" / "kubernetes"
#: The oldest that `preStop: sleep` works with.
_RELEASE = "1.30"
WORKLOADS = ("consumer", "edge", "gateway", "management", "publisher")
every_pod = pytest.mark.parametrize("name", [*WORKLOADS, "migrate", "doctor"])
every_workload = pytest.mark.parametrize("name", WORKLOADS)


def _kubectl() -> str:
    own = Path(sys.executable).with_name("kubectl")
    found = str(own) if own.exists() else shutil.which("kubectl")
    if found is None:
        pytest.skip("no kubectl is installed, and there is none among the packages for this kind of machine")
    return found


def rendered(overlay: Path) -> tuple[Manifest, ...]:
    rendering = subprocess.run(  # noqa: S603 - a renderer of ours
        [_kubectl(), "kustomize", str(overlay)], capture_output=True, text=True, check=False
    )
    assert (rendering.returncode, rendering.stderr) == (0, "")
    return tuple(yaml.safe_load_all(rendering.stdout))


@cache
def production() -> tuple[Manifest, ...]:
    return rendered(FOLDER / "overlays" / "production")


def of_kind(*kinds: str) -> dict[str, Manifest]:
    return {one["metadata"]["name"]: one for one in production() if one["kind"] in kinds}


def pod_of(name: str) -> Manifest:
    spec = of_kind("Deployment", "StatefulSet", "Job", "CronJob")[name]["spec"]
    pod: Manifest = spec["jobTemplate"]["spec"]["template"] if "jobTemplate" in spec else spec["template"]
    return pod


def container_of(name: str) -> Manifest:
    """Return the only container of a workload's pods."""
    (container,) = pod_of(name)["spec"]["containers"]
    assert isinstance(container, dict)
    return container


def environment_of(name: str) -> dict[str, str]:
    """Return the variables of that container, with those of config maps."""
    container, maps = container_of(name), of_kind("ConfigMap")
    found: dict[str, str] = {}
    for source in container.get("envFrom", []):
        found |= maps[source["configMapRef"]["name"]]["data"]
    return found | {one["name"]: one["value"] for one in container.get("env", []) if "value" in one}


def mounted_secrets(name: str) -> dict[str, str]:
    """Return the keys of the secret that a workload's pods see, by the names of their files."""
    (volume,) = (one for one in pod_of(name)["spec"]["volumes"] if one["name"] == "secrets")
    assert volume["secret"]["secretName"] == "onboarding"
    return {item["path"]: item["key"] for item in volume["secret"]["items"]}


def ports_of(name: str) -> dict[str, int]:
    return {port["name"]: port["containerPort"] for port in container_of(name).get("ports", [])}


def labels_fit(selector: Manifest, labels: dict[str, str]) -> bool:
    wanted = selector.get("matchLabels", {})
    return all(labels.get(key) == value for key, value in wanted.items()) and all(
        labels.get(one["key"]) in one["values"] for one in selector.get("matchExpressions", [])
    )


def validate(manifest: Manifest) -> None:
    # To import it takes a second and a half, which is not for every worker to spend.
    import_module("kubernetes_validate").validate(manifest, _RELEASE, strict=True)
