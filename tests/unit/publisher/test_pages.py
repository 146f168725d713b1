"""The compiler of pages: finished bytes, equal for equal contents, of every flow that is shown."""

import dataclasses
import gzip

from msgspec.structs import replace

from common.wire.page_assets import AssetManifest
from common.wire.snapshot import Page
from publisher.compiler import compile_snapshot
from publisher.project_records import PageRecord, ProjectRecord
from tests.support.data.pages import MANIFEST
from tests.unit.publisher.records import a_flow, a_project, a_theme


def pages_of(project: ProjectRecord, manifest: AssetManifest = MANIFEST) -> tuple[Page, ...]:
    """Return the pages of the project."""
    pages = compile_snapshot(project, (), manifest).pages
    assert pages is not None
    return pages


def html_of(project: ProjectRecord, manifest: AssetManifest = MANIFEST) -> str:
    """Return the only page of the project."""
    (page,) = pages_of(project, manifest)
    return gzip.decompress(page.gzip).decode()


def test_page_links_to_the_assets_relative_to_the_public_url() -> None:
    screen = replace(a_flow().screens[0], content={"illustration": "welcome"})
    html = html_of(a_project(pages=(PageRecord(a_flow(screens=(screen,))),)))
    assert '<link rel="stylesheet" href="../../../../onboarding/assets/pages.4e5f6071.css">' in html
    assert '<script type="module" src="../../../../onboarding/assets/pages.0a1b2c3d.js"></script>' in html
    assert '"welcome":"../../../../onboarding/assets/welcome.8293a4b5.svg"' in html


def test_page_has_the_name_of_its_project_and_none_of_the_team() -> None:
    html = html_of(a_project(name="Tea & Co", pages=(PageRecord(a_flow(name="Secret price test B")),)))
    assert "<title>Tea &amp; Co</title>" in html
    assert "Secret price test B" not in html
    assert '"screens":[{"id":"screen_1","type":"welcome","content":' in html


def test_page_has_the_theme_of_its_flow() -> None:
    html = html_of(a_project(pages=(PageRecord(a_flow()),), themes=(a_theme(is_default=True),)))
    assert '"colors":{"primary_color":"#ff0000"}' in html


def test_equal_contents_have_equal_bytes() -> None:
    project = a_project(pages=(PageRecord(a_flow()), PageRecord(a_flow(), is_draft=True, is_preview=True)))
    assert pages_of(project) == pages_of(dataclasses.replace(project))


def test_each_kind_of_page_has_its_own_entry() -> None:
    records = [PageRecord(a_flow()), PageRecord(a_flow(), is_draft=True), PageRecord(a_flow(), is_preview=True)]
    pages = pages_of(a_project(pages=tuple(records)))
    assert [(page.flow_id, page.is_draft, page.is_preview) for page in pages] == [
        ("flow_1", False, False),
        ("flow_1", True, False),
        ("flow_1", False, True),
    ]
    assert ['"mode":"preview"' in gzip.decompress(page.gzip).decode() for page in pages] == [False, False, True]


def test_no_pages_are_compiled_without_assets() -> None:
    assert compile_snapshot(a_project(pages=(PageRecord(a_flow()),)), ()).pages is None


def test_page_of_a_three_screen_flow_fits_the_budget() -> None:
    flow = a_flow(screens=a_flow().screens * 3)
    (page,) = pages_of(a_project(pages=(PageRecord(flow),)))
    assert len(page.gzip) <= 12 * 1024
