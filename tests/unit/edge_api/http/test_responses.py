"""The headers that every response carries."""

from edge_api.api.request import RequestContext
from edge_api.http.responses import response_headers
from tests.snapshots import a_snapshot
from tests.unit.edge_api.api.authenticated import authenticated_project


def test_config_version_is_sent_once_project_is_authenticated() -> None:
    context = RequestContext("/api/config", {}, "unix", b"id")
    assert b"x-config-version" not in dict(response_headers(context))
    context.project = authenticated_project(a_snapshot(revision=7))
    assert dict(response_headers(context))[b"x-config-version"] == b"7"
