"""The budgets of the dashboard: bytes of the first load, and the sizes and counts in docs/performance.md."""

import re
from pathlib import Path

import pytest
from playwright.sync_api import expect

from tests.browser.dashboard.conftest import Visitor
from tests.browser.dashboard.views.loaded_views import common_scripts, kibibytes, load_view, loaded_scripts
from tests.browser.dashboard.views.routes import view_paths
from tests.browser.dashboard.views.sample_project import OWNER, SampleProject

_SOURCES = Path(__file__).parents[4]
_ASSETS = _SOURCES / "management_api" / "dashboard" / "static" / "assets"
_TABLE = _SOURCES / "docs" / "performance.md"
_ROW = re.compile(r"^\| `?(all views|/[^`]*)`? \| (\d+) KiB \| (\d*) ?\|", re.MULTILINE)
_MAX_FIRST_LOAD = 250
#: A size may grow by so many KiB until the table is made again.
_GROWTH = 4


def test_first_load_is_within_its_size(visit: Visitor) -> None:
    """The scripts of the first view, with those of a sign-in at a provider."""
    page = visit().page
    expect(page.get_by_text("Create your first project")).to_be_visible()
    [sign_in] = _ASSETS.glob("openIdSession-*.js")
    assert kibibytes(loaded_scripts(page) | {sign_in.name}) <= _MAX_FIRST_LOAD


@pytest.mark.slow
def test_each_view_has_the_size_and_the_requests_of_its_row(visit: Visitor, sample: SampleProject) -> None:
    rows = {name: (int(size), requests) for name, size, requests in _ROW.findall(_TABLE.read_text())}
    opened = visit(user=OWNER)
    views = [load_view(opened, path, sample.address(path)) for path in view_paths()]
    assert set(rows) == {"all views", *(view.path for view in views)}, "run `make bench-dashboard`"
    assert {view.path: str(view.requests) for view in views} == {view.path: rows[view.path][1] for view in views}
    common = common_scripts(views)
    sizes = {"all views": kibibytes(common), **{view.path: kibibytes(view.scripts - common) for view in views}}
    assert {name: size for name, size in sizes.items() if size > rows[name][0] + _GROWTH} == {}
