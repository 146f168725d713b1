"""The bodies of refusals, word for word, and the headers of every response."""

from pathlib import Path

import pytest
from falcon.testing import Result

from common.credentials import KeyPrefix, generate_key
from deploy.local.loopback_ports import free_port
from tests.contract.route_examples import Row, rows
from tests.support.clients.management import Management, User, management_service


def assert_refusal(response: Result, status: int, code: str, error: str) -> None:
    assert response.status_code == status
    assert response.json == {"success": False, "error": error, "code": code, "status": status}


def test_a_bad_member_is_named_with_its_details(alice: User) -> None:
    response = alice.post("/api/projects", {"name": "ab", "platforms": []})
    assert response.status_code == 400
    assert response.json == {
        "success": False,
        "error": "name must have 3 to 50 characters",
        "code": "INVALID_PARAMETER",
        "status": 400,
        "details": [
            {"field": "name", "code": "INVALID_PARAMETER", "message": "must have 3 to 50 characters"},
            {"field": "platforms", "code": "INVALID_PARAMETER", "message": "must be an array of ios, android or both"},
        ],
    }


def test_a_missing_member_is_named(alice: User) -> None:
    assert alice.post("/api/projects", {}).json == {
        "success": False,
        "error": "name is required",
        "code": "MISSING_PARAMETER",
        "status": 400,
        "details": [{"field": "name", "code": "MISSING_PARAMETER", "message": "is required"}],
    }


def test_an_unknown_member_is_named(alice: User) -> None:
    assert alice.post("/api/projects", {"name": "abc", "nam": 1}).json["error"] == "nam is not a known member"


@pytest.mark.parametrize(
    "path",
    ["/", "/api", "/api/", "/api/v2/projects", "/api/v1", "/api/projects/", "/projects", "/api/nothing",
     "/api/projects/a/b/c/d", "/api/v1/v1/projects", "/api//projects", "/API/projects", "/api/%FF", "/api/%00"],
)  # fmt: skip
def test_unknown_path_without_credentials_is_404(shared_management: Management, path: str) -> None:
    assert_refusal(shared_management.anonymous().get(path), 404, "NOT_FOUND", "Not found")


@pytest.mark.filterwarnings("ignore:Unknown REQUEST_METHOD")  # the client's own check knows fewer methods
@pytest.mark.parametrize("row", rows(), ids=str)
def test_another_method_is_not_allowed_and_the_right_ones_are_named(shared_management: Management, row: Row) -> None:
    # The id of a device, which is erased, may end in "/export".
    paths = {row.path, row.path.removesuffix("/export")}
    same_path = {other.method for other in rows() if other.path in paths}
    allowed = sorted({*same_path, "OPTIONS", *({"HEAD"} if "GET" in same_path else ())})
    for method in {"GET", "POST", "PUT", "DELETE", "PATCH", "TRACE", "CONNECT", "UNHEARD"} - same_path:
        response = shared_management.anonymous().request(method, f"/api{row.path}")
        assert_refusal(response, 405, "METHOD_NOT_ALLOWED", "Method not allowed")
        assert response.headers["allow"] == ", ".join(allowed)
    options = shared_management.anonymous().request("OPTIONS", f"/api{row.path}")
    assert (options.status_code, options.headers["allow"], options.content) == (204, ", ".join(allowed), b"")


def test_head_is_a_get_without_its_body(management: Management, alice: User) -> None:
    got, head = alice.get("/api/projects"), alice.request("HEAD", "/api/projects")
    assert (head.status_code, head.content) == (200, b"")
    assert head.headers["content-length"] == str(len(got.content))
    assert management.anonymous().request("HEAD", "/api/projects").status_code == 401


def test_too_large_a_body(alice: User) -> None:
    body = b'{"name": "' + b"x" * (1024 * 1024) + b'"}'
    response = alice.request("POST", "/api/projects", body=body, headers={"Content-Type": "application/json"})
    assert_refusal(response, 413, "PAYLOAD_TOO_LARGE", "The request body may have at most 1048576 bytes")


@pytest.mark.parametrize("media_type", ["text/plain", "application/jsonp", "application/x-www-form-urlencoded", ""])
def test_another_media_type(alice: User, media_type: str) -> None:
    response = alice.request("POST", "/api/projects", body=b'{"name": "abc"}', headers={"Content-Type": media_type})
    assert_refusal(response, 415, "UNSUPPORTED_MEDIA_TYPE", "Content-Type must be application/json")


def test_parameters_of_the_media_type_are_allowed(alice: User) -> None:
    headers = {"Content-Type": "Application/JSON; charset=utf-8"}
    assert alice.request("POST", "/api/projects", body=b'{"name": "abc"}', headers=headers).status_code == 201


@pytest.mark.parametrize(
    ("body", "error"),
    [
        (b"", "The request body must be valid JSON"),
        (b"{", "The request body must be valid JSON"),
        (b'{"name": NaN}', "The request body must be valid JSON"),
        (b"[]", "The request body must be a JSON object"),
        (b"null", "The request body must be a JSON object"),
    ],
)
def test_a_body_that_is_no_object(alice: User, body: bytes, error: str) -> None:
    response = alice.request("POST", "/api/projects", body=body, headers={"Content-Type": "application/json"})
    assert_refusal(response, 400, "INVALID_PARAMETER", error)


def test_duplicate_member_has_the_last_value(alice: User) -> None:
    headers = {"Content-Type": "application/json"}
    response = alice.request("POST", "/api/projects", body=b'{"name": 1, "name": "abc"}', headers=headers)
    assert response.json["data"]["name"] == "abc"


def test_unexpected_error_has_no_details_and_logs_no_values(
    own_management: Management, capsys: pytest.CaptureFixture[str]
) -> None:
    alice = own_management.user()
    secret_key = alice.secret_key(alice.create_project()["id"])
    with own_management.database.transaction() as session:
        session.connection().exec_driver_sql("ALTER TABLE api_keys RENAME COLUMN sealed TO broken")
    response = alice.get("/api/user/api-key", headers={"X-Request-Id": "broken-1"})
    assert_refusal(response, 500, "INTERNAL_ERROR", "Internal server error")
    written = capsys.readouterr()
    log = written.out + written.err
    assert "broken-1" in log
    assert "ProgrammingError" in log
    assert secret_key not in log
    assert "SELECT" not in log


def test_routes_without_a_database_return_503(master_key: str, tmp_path: Path) -> None:
    with management_service(f"postgresql://nobody@127.0.0.1:{free_port()}/none", master_key, tmp_path) as management:
        for response in (management.user().get("/api/projects"), management.anonymous().get("/health/ready")):
            assert (response.status_code, response.json["code"]) == (503, "UNAVAILABLE")
            assert response.headers["retry-after"] == "1"
        assert management.anonymous().get("/health/live").status_code == 200


# --- headers ----------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("path", ["/api/projects", "/api/nothing", "/health/live"])
def test_every_answer_names_the_request_and_forbids_sniffing(management: Management, path: str) -> None:
    response = management.anonymous().get(path, headers={"X-Request-Id": "abc.DEF_1-2"})
    assert response.headers["x-request-id"] == "abc.DEF_1-2"
    assert response.headers["x-content-type-options"] == "nosniff"


@pytest.mark.parametrize("offered", ["", "a b", "x" * 129, "a\tb", "ä", '"', "{}", "obk_api_abc", "eyJ9.e30.c2ln"])
def test_request_id_that_is_unsafe_or_looks_like_a_credential_is_replaced(management: Management, offered: str) -> None:
    response = management.anonymous().get("/health/live", headers={"X-Request-Id": offered})
    assert len(response.headers["x-request-id"]) == 32


def test_a_key_with_a_typing_error_never_reaches_the_database(management: Management) -> None:
    key = generate_key(KeyPrefix.API)
    mistyped = key[:-1] + ("a" if key[-1] != "a" else "b")
    with management.counted_statements() as statements:
        management.anonymous(Authorization=f"Bearer {mistyped}").get("/api/projects")
    assert statements == []
