"""The local stack and the tools stay in the clone: no process imports them, and the wheel does not have them."""

import json
import shutil
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from cli.processes.start import PROCESSES

# To start each process and to build the wheel takes 26 s.
pytestmark = pytest.mark.slow

_ROOT = Path(__file__).parents[3]
_SHIPPED = ("cli", "common", "edge_api", "management_api", "publisher")
#: Runs a process command, with the server replaced, and prints the modules that it has imported.
_SCRIPT = """
import sys
import cli.processes.commands, cli.main
import {module} as server
server.{function} = lambda settings: print(*sys.modules)
sys.argv = ["onboarding", "{process}"]
cli.main.main()
"""
_SERVERS = {
    "edge": ("edge_api.main", "serve"),
    "management": ("management_api.main", "serve"),
    "publisher": ("publisher.main", "run"),
    "consumer": ("management_api.event_consumer.main", "run"),
}
_KEY = "A" * 43 + "="
_ENVIRONMENT = {
    "PYTHONPATH": str(_ROOT),
    "ONBOARDING_REDIS_URL": "redis://127.0.0.1:1/0",
    "ONBOARDING_DATABASE_URL": "postgresql://127.0.0.1:1/database",
    "ONBOARDING_MASTER_KEY": _KEY,
    "ONBOARDING_ASSIGNMENT_KEYS": _KEY,
    "ONBOARDING_IDENTITY_ISSUER": "https://id.example.com/",
    "ONBOARDING_IDENTITY_AUDIENCE": "onboarding",
    "ONBOARDING_IDENTITY_SHARED_SECRET": "secret-of-thirty-two-bytes-length",
}


@pytest.mark.parametrize("process", PROCESSES)
def test_process_imports_neither_the_local_stack_nor_tools(process: str) -> None:
    module, function = _SERVERS[process]
    started = subprocess.run(  # noqa: S603 - a script of this test
        [sys.executable, "-c", _SCRIPT.format(module=module, function=function, process=process)],
        env=_ENVIRONMENT,
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    modules = started.stdout.splitlines()[-1].split()
    assert module in modules, started.stderr
    assert [name for name in modules if name.partition(".")[0] in {"deploy", "tools", "tests"}] == []


@pytest.fixture(scope="module")
def build_context(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Return a copy of what .dockerignore lets through: the folder that the image is built from."""
    context = tmp_path_factory.mktemp("context")
    lines = [line for line in (_ROOT / ".dockerignore").read_text().splitlines() if not line.startswith("#")]
    everything, *rest = lines
    included = [line.removeprefix("!") for line in rest if line.startswith("!")]
    caches = [line.removeprefix("**/") for line in rest if not line.startswith("!")]
    assert everything == "*"
    for path in included:
        origin = _ROOT / path
        (context / path).parent.mkdir(exist_ok=True)
        if origin.is_dir():
            shutil.copytree(origin, context / path, ignore=shutil.ignore_patterns(*caches))
        else:
            shutil.copy2(origin, context / path)
    return context


@pytest.fixture(scope="module")
def wheel(build_context: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Build the wheel of the image, and unpack it."""
    folder = tmp_path_factory.mktemp("wheel")
    build = f"from setuptools.build_meta import build_wheel; build_wheel({str(folder)!r})"
    source = shutil.copytree(build_context, folder / "source")
    subprocess.run([sys.executable, "-c", build], cwd=source, check=True, capture_output=True)  # noqa: S603 - see above
    [file] = folder.glob("*.whl")
    with zipfile.ZipFile(file) as archive:
        archive.extractall(folder / "installed")
    return folder / "installed"


def test_image_is_built_without_the_local_stack_and_other_tools(build_context: Path) -> None:
    packages = {path.name for path in build_context.iterdir() if path.is_dir()}
    assert packages == {*_SHIPPED, "requirements", "tools", "web"}
    modules = {path.name for path in (build_context / "tools").iterdir()}
    assert modules == {"__init__.py", "kotlin.py", "node.py", "sdk.py", "web.py"}


def test_wheel_has_the_product_only(wheel: Path) -> None:
    packages = {path.name for path in wheel.iterdir() if not path.name.endswith(".dist-info")}
    assert packages == set(_SHIPPED)


def test_wheel_has_the_built_pages_and_dashboard(wheel: Path) -> None:
    assert (wheel / "management_api" / "dashboard" / "static" / "index.html").exists(), "run `make web`"
    manifest = json.loads((wheel / "publisher" / "page_assets" / "manifest.json").read_text())
    files = {path.name for path in (wheel / "publisher" / "page_assets").iterdir()}
    assert {name + suffix for name in manifest["files"] for suffix in ("", ".br", ".gz")} <= files


def test_wheel_has_the_notices_of_third_parties(wheel: Path) -> None:
    notices = (wheel / "management_api" / "dashboard" / "static" / "third-party.txt").read_text()
    # The first is of a script, the second of a font.
    assert "Copyright (c) Meta Platforms" in notices
    assert "SIL Open Font License" in notices.replace("SIL OPEN FONT LICENSE", "SIL Open Font License")
    assert "## lottie-web" in (wheel / "publisher" / "page_assets" / "third-party.txt").read_text()
    [packages] = wheel.glob("*.dist-info/licenses/THIRD_PARTY.txt")
    assert "starlette" in packages.read_text()


def test_command_of_the_wheel_has_no_local_stack(wheel: Path) -> None:
    # Without site (-S), the path of the clone is not added to that of the libraries.
    script = (
        f"import sys; sys.path[:0] = {[str(wheel), sysconfig.get_path('purelib')]}; import cli.main; cli.main.main()"
    )
    shown = subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-I", "-S", "-c", script, "--help"],
        cwd=wheel,
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    ).stdout
    words = shown.split()
    assert [command for command in ("edge", "snapshots", "doctor") if command not in words] == []
    assert [command for command in ("up", "token", "postgresql", "seed-demo") if command in words] == []
