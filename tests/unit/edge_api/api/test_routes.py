"""The routes of paths: a request with a ticket is named by its template, never by its path."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from edge_api.api.routes import PAGE, ROUTES, is_page, route_of, ticket_in
from tests.support.data.pages import preview_of, ticket_of
from tests.support.data.snapshots import a_snapshot

SNAPSHOT = a_snapshot(project_id="proj_01h455vb4pex5vsknk084sn02q")


@pytest.mark.parametrize(
    ("path", "template"),
    [
        ("/s/x/onboarding/flow_1/1", PAGE.path),
        ("/s/x/api/onboarding/resolve", "/s/{ticket}/api/onboarding/resolve"),
        ("/s/x/api/analytics/events", "/s/{ticket}/api/analytics/events"),
        ("/s/x/other", "/s/{ticket}"),
        ("/s/", "/s/{ticket}"),
        ("/onboarding/preview", "/onboarding/preview"),
        ("/onboarding/assets/a.b.js", "/onboarding/assets/{asset}"),
        ("/onboarding/other", "/onboarding/other"),
        ("/api/onboarding/resolve", "/api/onboarding/resolve"),
        ("/api/v1/onboarding/resolve", "/api/onboarding/resolve"),
        ("/api/v2/config", "/api/v2/config"),
        ("/health/live", "/health/live"),
    ],
)
def test_path_has_its_template(path: str, template: str) -> None:
    assert route_of(path).path == template


@given(
    st.sampled_from([ticket_of(SNAPSHOT), preview_of(SNAPSHOT)]),
    st.text("/s.%", max_size=8),
    st.text("/s.%?#", max_size=8),
)
def test_no_template_has_a_ticket(ticket: str, before: str, after: str) -> None:
    for path in (f"/s/{ticket}{after}", f"{before}{ticket}{after}", f"/{before}/s/{ticket}/onboarding/{after}"):
        assert ticket not in route_of(path).path


@pytest.mark.parametrize(
    ("path", "ticket"),
    [("/s/x/onboarding/f/1", "x"), ("/s/x", "x"), ("/s/", ""), ("/s", None), ("/sx/y", None), ("/api/s/x", None)],
)
def test_ticket_is_the_second_segment(path: str, ticket: str | None) -> None:
    assert ticket_in(path) == ticket


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/onboarding/", True),
        ("/onboarding", True),
        ("/s/x/onboarding/f/1", True),
        ("/s/x/onboarding", True),
        ("/s/x/api/onboarding/resolve", False),
        ("/api/onboarding/resolve", False),
        ("/onboardings/", False),
        ("/s/x", False),
    ],
)
def test_errors_of_pages_are_html(path: str, *, expected: bool) -> None:
    assert is_page(path) is expected


def test_every_route_is_found_by_its_paths() -> None:
    assert [route_of(path) for route in ROUTES for path in route.paths] == [
        route for route in ROUTES for _ in route.paths
    ]


def test_routes_of_pages_have_html_errors() -> None:
    assert all(route.is_page == is_page(path) for route in ROUTES for path in route.paths)


@pytest.mark.parametrize(
    ("path", "expected"),
    [
        ("/api/v1/config", True),
        ("/s/x/onboarding/f/1", True),
        ("/api/nothing", True),
        ("/onboarding/nothing", True),
        ("/onboarding/preview", False),
        ("/onboarding/assets/junk", False),
        ("/health/ready", False),
        ("/metrics", False),
    ],
)
def test_health_assets_and_the_preview_are_not_counted(path: str, *, expected: bool) -> None:
    assert route_of(path).is_counted is expected
