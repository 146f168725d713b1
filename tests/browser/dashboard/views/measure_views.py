"""Measures each view of the dashboard: `python -m tests.browser.dashboard.views.measure_views docs/performance.md`.

The table has the scripts, the requests, and the times of a load of the page and of a change to the view, on a project
of invented users.
"""

import argparse
import gzip
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import Browser

from deploy.local.demo_project import DEMO_EMAIL
from loadtests.measurement.tables import write_between
from tests.browser.dashboard.views.routes import view_paths
from tests.browser.dashboard.views.sample_project import create_sample_project
from tests.browser.dashboard.visit import Visit
from tests.support.browser import running_browser
from tests.support.servers.local_stack import RunningStack

_ASSETS = Path(__file__).parents[4] / "management_api" / "dashboard" / "static" / "assets"
_USERS_A_DAY = 50
_ROUNDS = 3
_START = "/dashboard/projects"
#: Resolves with the milliseconds since a moment when a view with another title than `before` has all of its data.
_SHOWN = """([since, before]) => new Promise((resolve) => {
  const look = () => {
    const title = document.querySelector("main h1")?.textContent;
    if (title && title !== before && !document.querySelector("main .mantine-Skeleton-root")) {
      resolve(performance.now() - since);
    } else {
      requestAnimationFrame(look);
    }
  };
  look();
})"""
#: The router follows changes of the history, as after a click.
_GO = "(address) => { history.pushState({}, '', address); return performance.now(); }"
_SCRIPTS = "performance.getEntriesByType('resource').map((entry) => entry.name).filter((name) => name.endsWith('.js'))"


@dataclass(frozen=True)
class Measured:
    """A view: its scripts, the number of its requests to the interface, and times in seconds."""

    path: str
    scripts: frozenset[str]
    requests: int
    load: float
    change: float


def main() -> None:
    """Measure all views, and write the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("document", type=Path)
    document: Path = parser.parse_args().document
    with tempfile.TemporaryDirectory() as folder, RunningStack(Path(folder)) as stack, running_browser() as browser:
        headers = {"Authorization": f"Bearer {stack.token(DEMO_EMAIL)}"}
        with httpx.Client(base_url=f"{stack.management_url}/api", headers=headers, trust_env=False, timeout=60) as api:
            project = create_sample_project(api, stack, users_a_day=_USERS_A_DAY)
        views = [_measure(browser, stack, path, project.address(path)) for path in view_paths()]
    write_between(document, "dashboard views", _table(views))


def _measure(browser: Browser, stack: RunningStack, path: str, address: str) -> Measured:
    visit = Visit(browser, stack.management_url, stack.token(DEMO_EMAIL), preview=stack.edge_url)
    try:
        visit.sign_in(_START)
        visit.page.wait_for_load_state("networkidle")
        visit.requests.clear()
        loads = []
        for _ in range(_ROUNDS):
            visit.page.goto(stack.management_url + address, wait_until="commit")
            loads.append(visit.page.evaluate(_SHOWN, [0, ""]))
            visit.page.wait_for_load_state("networkidle")
        scripts = frozenset(name.rpartition("/")[2] for name in visit.page.evaluate(_SCRIPTS))
        requests = len(visit.requests) // _ROUNDS
        return Measured(path, scripts, requests, statistics.median(loads) / 1000, _change(visit, address))
    finally:
        visit.close()


def _change(visit: Visit, address: str) -> float:
    times = []
    for _ in range(_ROUNDS):
        visit.open("/dashboard/nowhere")
        before = visit.page.locator("main h1").inner_text()
        visit.page.wait_for_load_state("networkidle")
        started = visit.page.evaluate(_GO, address)
        times.append(visit.page.evaluate(_SHOWN, [started, before]))
    return float(statistics.median(times)) / 1000


def _table(views: list[Measured]) -> str:
    common = frozenset.intersection(*(view.scripts for view in views))
    lines = [
        "| View | scripts of its own, gzip | requests | load | change to it |",
        "|---|---|---|---|---|",
        f"| all views | {_kibibytes(common)} KiB | | | |",
        *(
            f"| `{view.path}` | {_kibibytes(view.scripts - common)} KiB | {view.requests} | {view.load:.2f} s "
            f"| {view.change:.2f} s |"
            for view in views
        ),
    ]
    return "\n".join([*lines, "", f"Medians of {_ROUNDS} rounds. Made by `make bench-dashboard`."])


def _kibibytes(scripts: frozenset[str]) -> int:
    files = [_ASSETS / name for name in scripts if (_ASSETS / name).is_file()]
    return round(sum(len(gzip.compress(file.read_bytes())) for file in files) / 1024)


if __name__ == "__main__":
    main()
