"""All views of the router are accessible, as small as their rows say, and let viewers write nothing."""

import re
from collections import Counter
from pathlib import Path

import pytest
from playwright.sync_api import Request

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.views.loaded_views import common_scripts, kibibytes, load_view
from tests.browser.dashboard.views.routes import view_paths
from tests.browser.dashboard.views.sample_project import OWNER, VIEWER, SampleProject

_TABLE = Path(__file__).parents[4] / "loadtests" / "RESULTS.md"
_ROW = re.compile(r"^\| `?(all views|/[^`]*)`? \| (\d+) KiB \| (\d*) ?\|", re.MULTILINE)
#: The KiB by which a size may exceed the table.
_GROWTH = 4
_IDS = re.compile(r"\b[a-z]+_[0-9a-z]{26}\b")
#: The buttons that viewers have: they show, choose, copy or download, and send at most a question.
_READING = re.compile(
    r"^(Show|Copy|Download|Sort|Next|Previous|Small|Phone|Tablet|Dark|Right|Texts to test|Start the preview|"
    r"Users|New users|Completion|Time|Successes"
    r"|Actions for|Screens|Preview|Properties|Logic|Flow settings|Version|Clear|Conversions|Answers|\d|[a-z_]+$"
    # Entries of the audit log.
    r"|([A-Z]\w+ed|Read|Made|Could not run)\b.* (the|an?) )"
)


def rows_of_views() -> dict[str, tuple[int, str]]:
    """Return the size in KiB and the number of requests of each view in loadtests/RESULTS.md."""
    return {name: (int(size), requests) for name, size, requests in _ROW.findall(_TABLE.read_text())}


@pytest.mark.slow
def test_every_view_is_accessible_and_has_the_size_and_the_requests_of_its_row(
    visit: Visitor, sample: SampleProject
) -> None:
    rows = rows_of_views()
    opened = visit(user=OWNER)
    views, repeated = [], {}
    for path in view_paths():
        views.append(load_view(opened, path, sample.address(path)))
        # A request for each row would repeat one endpoint with many ids.
        asked = Counter(_IDS.sub("{id}", request) for request in opened.requests)
        repeated[path] = [endpoint for endpoint, times in asked.items() if times > 1]
        opened.assert_accessible()
    assert {path: endpoints for path, endpoints in repeated.items() if endpoints} == {}
    assert set(rows) == {"all views", *(view.path for view in views)}, "run `make bench-dashboard`"
    assert {view.path: str(view.requests) for view in views} == {view.path: rows[view.path][1] for view in views}
    common = common_scripts(views)
    sizes = {"all views": kibibytes(common), **{view.path: kibibytes(view.scripts - common) for view in views}}
    assert {name: size for name, size in sizes.items() if size > rows[name][0] + _GROWTH} == {}


@pytest.mark.slow
def test_viewer_has_no_button_that_writes_in_any_view(visit: Visitor, sample: SampleProject) -> None:
    opened = visit(user=VIEWER)
    writes: list[str] = []

    def note(request: Request) -> None:
        if request.method not in {"GET", "HEAD"} and not request.url.endswith("/explain"):
            writes.append(f"{request.method} {request.url}")

    opened.page.on("request", note)
    found = {}
    for path in view_paths():
        load_view(opened, path, sample.address(path))
        # Heads of tables sort, the list of screens and tabs select.
        buttons = opened.page.get_by_role("main").locator("button:enabled:not(thead *, nav *, [role=tab])")
        names = [button.get_attribute("aria-label") or button.inner_text() for button in buttons.all()]
        found[path] = [name for name in names if not _READING.match(name)]
    # Every user may create a project, and has a personal key.
    assert found.pop("/projects") == ["New project"]
    assert found.pop("/api-keys") == ["Replace key"]
    assert {path: names for path, names in found.items() if names} == {}
    assert writes == []
