"""Loads of views, and their costs: the scripts of the build, and the requests to the interface."""

import gzip
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, expect

from tests.browser.dashboard.visit import Visit

_ASSETS = Path(__file__).parents[4] / "management_api" / "dashboard" / "static" / "assets"
_RESOURCES = "performance.getEntriesByType('resource').map(entry => entry.name)"


@dataclass(frozen=True)
class LoadedView:
    """A view with the names of its scripts and the number of its requests to the interface."""

    path: str
    scripts: frozenset[str]
    requests: int


def load_view(opened: Visit, path: str, address: str) -> LoadedView:
    """Load the page at the address of a view, and return its costs once it has all of its data and charts."""
    # The view before may still send its requests.
    opened.page.wait_for_load_state("networkidle")
    opened.requests.clear()
    opened.open(address)
    expect(opened.page.get_by_role("heading", level=1).first).to_be_visible()
    # Charts are fetched when the browser is idle.
    expect(opened.page.locator("main .mantine-Skeleton-root")).to_have_count(0)
    opened.page.wait_for_load_state("networkidle")
    return LoadedView(path, loaded_scripts(opened.page), len(opened.requests))


def loaded_scripts(page: Page) -> frozenset[str]:
    """Return the names of the scripts of the build that a page has loaded."""
    names = (Path(name).name for name in page.evaluate(_RESOURCES) if name.endswith(".js"))
    return frozenset(name for name in names if (_ASSETS / name).is_file())


def common_scripts(views: Iterable[LoadedView]) -> frozenset[str]:
    """Return the names of the scripts that all views need."""
    return frozenset.intersection(*(view.scripts for view in views))


def kibibytes(scripts: Iterable[str]) -> int:
    """Return the size of scripts after compression by gzip."""
    return round(sum(len(gzip.compress((_ASSETS / name).read_bytes())) for name in scripts) / 1024)
