"""Measures each view of the dashboard: `python -m tests.browser.dashboard.views.measure_views loadtests/RESULTS.md`.

The table has the scripts, the requests, and the times of a load of the page and of a change to the view, on a project
of invented users.
"""

import argparse
import statistics
import tempfile
from dataclasses import dataclass
from pathlib import Path

import httpx
from playwright.sync_api import Browser

from cli.demo.project import DEMO_EMAIL
from loadtests.measurement.tables import write_between
from tests.browser.dashboard.views.loaded_views import LoadedView, common_scripts, kibibytes, load_view
from tests.browser.dashboard.views.routes import view_paths
from tests.browser.dashboard.views.sample_project import create_sample_project
from tests.browser.dashboard.visit import Visit
from tests.support.browser import running_browser
from tests.support.servers.local_stack import RunningStack

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


@dataclass(frozen=True)
class Measured:
    """A view, and the times in seconds of a load of the page and of a change to the view."""

    view: LoadedView
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
        loads = []
        for _ in range(_ROUNDS):
            visit.page.goto(stack.management_url + address, wait_until="commit")
            loads.append(visit.page.evaluate(_SHOWN, [0, ""]))
            visit.page.wait_for_load_state("networkidle")
        view = load_view(visit, path, address)
        return Measured(view, statistics.median(loads) / 1000, _change(visit, address))
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


def _table(measured: list[Measured]) -> str:
    common = common_scripts(one.view for one in measured)
    lines = [
        "| View | scripts of its own, gzip | requests | load | change to it |",
        "|---|---|---|---|---|",
        f"| all views | {kibibytes(common)} KiB | | | |",
        *(
            f"| `{one.view.path}` | {kibibytes(one.view.scripts - common)} KiB | {one.view.requests} "
            f"| {one.load:.2f} s | {one.change:.2f} s |"
            for one in measured
        ),
    ]
    return "\n".join([*lines, "", f"Medians of {_ROUNDS} rounds. Made by `make bench-dashboard`."])


if __name__ == "__main__":
    main()
