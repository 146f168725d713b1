"""The form of every error response (contract, section 1, Errors)."""

from falcon.testing import Result

from common.errors import STATUS_OF, ErrorCode


def assert_is_an_error_of_the_contract(response: Result) -> None:
    """Check a response, which must be an error other than 500."""
    assert 400 <= response.status_code < 500, response.text
    body = response.json
    assert body["success"] is False
    assert isinstance(body["error"], str)
    assert body["error"]
    assert STATUS_OF[ErrorCode(body["code"])] == response.status_code
    assert body.get("status") in {response.status_code, None}
    assert body.keys() <= {"success", "error", "code", "status", "details"}
    for detail in body.get("details", []):
        assert detail.keys() == {"field", "code", "message"}
    # A publication that is a 409 names the problems that forbid it; other details are bad fields.
    if "details" in body and response.status_code == 400:
        first = body["details"][0]
        assert (body["code"], body["error"]) == (first["code"], f"{first['field']} {first['message']}")
    assert response.headers["content-type"] == "application/json"


def assert_is_no_failure_of_ours(response: Result) -> None:
    """Check that a response is either a success or a refusal of the contract."""
    if response.status_code >= 300:
        assert_is_an_error_of_the_contract(response)
