"""The doctor on the health of services; a fake server returns the responses."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest
from pydantic import SecretStr

from cli.doctor.checks.clocks import check_clocks
from cli.doctor.checks.keys import check_assignment_keys
from cli.doctor.checks.services import check_dashboard, check_services
from cli.doctor.installation import Installation
from cli.doctor.result import Level
from cli.settings import CommandSettings
from common.wire.assignment_tokens import AssignmentTokens
from tests.integration.cli.doctor.results import results_of
from tests.support.background import serving
from tests.support.data.assignment_keys import ASSIGNMENT_KEYS, TOKENS

_READY = {
    "status": "ready",
    "snapshots": {"projects": 1, "age_seconds": 0.1, "revision_lag": 0, "disk_copy": "written"},
    "events": {"stored": "redis", "spool": "empty", "spooled_records": 0, "oldest_seconds": None},
    "rate_limits": "shared",
    "redis": "reachable",
    "clock_difference_seconds": 0.0,
    "assignment_keys": TOKENS.fingerprints,
}


@contextmanager
def saying(response: object, status: int = 200) -> Iterator[str]:
    """Yield the URL of a server that returns this response to every request."""

    class Handler(BaseHTTPRequestHandler):
        def do_GET(self) -> None:
            body = json.dumps(response).encode()
            self.send_response(status)
            self.send_header("Content-Length", str(len(body)))
            self.end_headers()
            self.wfile.write(body)

        def log_message(self, *_arguments: object) -> None:
            """Log nothing."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    with serving(server):
        yield f"http://127.0.0.1:{server.server_address[1]}"


@pytest.fixture
def nothing(tmp_path_factory: pytest.TempPathFactory) -> Installation:
    """Return an installation without known servers."""
    return Installation(CommandSettings(state_dir=tmp_path_factory.mktemp("state")))


@pytest.mark.parametrize(
    ("part", "said", "level", "expected"),
    [
        ("status", "ready", Level.OK, "is ready"),
        ("redis_reachable", False, Level.WARNING, "does not reach Redis; its configurations are 0.1 s old"),
        ("events", {"store": "none"}, Level.ERROR, "refuses events"),
        ("events", {"spooled_records": 7, "oldest_seconds": 3.5}, Level.WARNING, "7 events wait in the spool"),
        ("rate_limits", "local", Level.WARNING, "limits requests by worker"),
        ("snapshots", {"disk_copy": "failing"}, Level.WARNING, "cannot copy snapshots to its disk"),
        ("events", "no object", Level.OK, "is ready"),
    ],
)
def test_edge_health_is_reported_in_a_sentence(
    nothing: Installation, part: str, said: object, level: Level, expected: str
) -> None:
    with saying({**_READY, part: said}) as url:
        [(found, sentence)] = results_of(check_services, replace(nothing, edge_urls=[url]))
    assert (found, expected in sentence) == (level, True)


def test_unready_or_unreachable_service_is_wrong(nothing: Installation) -> None:
    with saying({"error": "The database is away"}, status=503) as url:
        both = replace(nothing, edge_urls=[url], management_urls=[url])
        (management, what), (edge, of_edge) = results_of(check_services, both)
    assert (management, edge) == (Level.ERROR, Level.ERROR)
    assert "not ready: The database is away" in what
    assert "not ready: The database is away" in of_edge
    (gone, what), (edge_gone, _) = results_of(check_services, both)
    assert (gone, edge_gone, f"{url} does not answer" in what) == (Level.ERROR, Level.ERROR, True)
    assert [level for level, _ in results_of(check_services, nothing)] == [Level.NOT_CHECKED]


def test_different_assignment_keys_of_edges_are_wrong(nothing: Installation) -> None:
    others = AssignmentTokens([b"2" * 32]).fingerprints
    with saying(_READY) as one, saying({**_READY, "assignment_keys": others}) as two:
        assert results_of(check_assignment_keys, replace(nothing, edge_urls=[one])) == [
            (Level.NOT_CHECKED, "A comparison needs two places: name edges with --edge-url.")
        ]
        [(level, sentence)] = results_of(check_assignment_keys, replace(nothing, edge_urls=[one, two]))
        assert (level, one in sentence, two in sentence) == (Level.ERROR, True, True)
        here = replace(nothing, settings=nothing.settings.model_copy(update={"assignment_keys": _here()}))
        assert [level for level, _ in results_of(check_assignment_keys, replace(here, edge_urls=[one]))] == [Level.OK]
        assert [level for level, _ in results_of(check_assignment_keys, replace(here, edge_urls=[two]))] == [
            Level.ERROR
        ]


def test_assignment_keys_during_a_rotation_are_well(nothing: Installation) -> None:
    first, second = AssignmentTokens([b"1" * 32, b"2" * 32]).fingerprints
    with (
        saying({**_READY, "assignment_keys": [first, second]}) as one,
        saying({**_READY, "assignment_keys": [second, first]}) as two,
    ):
        [(level, sentence)] = results_of(check_assignment_keys, replace(nothing, edge_urls=[one, two]))
    assert (level, "rotation" in sentence) == (Level.OK, True)


@pytest.mark.parametrize(
    ("difference", "level"),
    [
        (0.0, Level.OK),
        (1.0, Level.OK),
        (1.1, Level.WARNING),
        (-1.1, Level.WARNING),
        (60.0, Level.ERROR),
        (-60.0, Level.ERROR),
    ],
)
def test_clocks_of_edges_are_compared_with_redis(installation: Installation, difference: float, level: Level) -> None:
    with saying({**_READY, "clock_difference_seconds": difference}) as url:
        results = results_of(check_clocks, replace(installation, edge_urls=[url]))
    assert [(found, url in sentence) for found, sentence in results] == [
        (level, True),
        (Level.OK, False),
        (Level.OK, False),
    ]


def test_edge_without_rate_limits_has_no_result_about_its_clock(installation: Installation) -> None:
    with saying({**_READY, "clock_difference_seconds": None}) as url:
        results = results_of(check_clocks, replace(installation, edge_urls=[url]))
    assert [level for level, _ in results] == [Level.OK] * 2


def test_clock_of_an_unreachable_edge_is_left_to_the_check_of_services(installation: Installation) -> None:
    results = results_of(check_clocks, replace(installation, edge_urls=["http://127.0.0.1:1"]))
    assert [level for level, _ in results] == [Level.OK] * 2


def _here() -> SecretStr:
    return SecretStr(ASSIGNMENT_KEYS)


@pytest.mark.parametrize(
    ("config", "status", "level"),
    [
        ({"client_id": "dashboard", "development_identity": False}, 200, Level.OK),
        ({"client_id": None, "development_identity": True}, 200, Level.OK),
        ({"client_id": None, "development_identity": False}, 200, Level.WARNING),
        ({}, 404, Level.NOT_CHECKED),
    ],
)
def test_dashboard_without_a_sign_in_is_a_warning(
    nothing: Installation, config: dict[str, object], status: int, level: Level
) -> None:
    with saying(config, status) as url:
        [(found, _)] = results_of(check_dashboard, replace(nothing, management_urls=[url]))
    assert found is level
