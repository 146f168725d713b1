"""Bodies of the public endpoints, field by field (contract, section 4)."""

from datetime import timedelta
from typing import Any

import pytest

from common.errors import InvalidRequestError
from common.json_body import convert_object
from common.timestamps import format_timestamp, utc_now
from common.wire.public_bodies import EventBody, ResolveBody

EVENT = {"eventType": "flow_started", "deviceId": "phone"}


def field_errors(document: dict[str, Any], struct: type[Any]) -> list[tuple[str, str, str]]:
    with pytest.raises(InvalidRequestError) as raised:
        convert_object(document, struct)
    return [(detail.field, detail.code.value, detail.message) for detail in raised.value.details]


def field_error(document: dict[str, Any], struct: type[Any]) -> str:
    """Return the text of the only detail of the error."""
    ((field, code, message),) = field_errors(document, struct)
    assert code == "INVALID_PARAMETER"
    return f"{field} {message}"


def test_resolve_accepts_every_member_of_the_contract() -> None:
    body = convert_object(
        {
            "deviceId": " phone ",
            "platform": "ios",
            "appVersion": "1.2",
            "osVersion": "17",
            "locale": "zh-Hant-TW",
            "country": "tw",
            "attributes": {"plan": "pro", "age": 3.5, "beta": True},
            "assignmentToken": "t",
            "unknown": {"is": "ignored"},
        },
        ResolveBody,
    )
    assert body == ResolveBody(
        device_id="phone",
        platform="ios",
        app_version="1.2",
        os_version="17",
        locale="zh-Hant-TW",
        country="tw",
        attributes={"plan": "pro", "age": 3.5, "beta": True},
        assignment_token="t",
    )


def test_null_counts_as_absent() -> None:
    assert convert_object({"deviceId": "d", "platform": None, "attributes": None}, ResolveBody).platform is None
    assert field_errors({"deviceId": None}, ResolveBody) == [("deviceId", "MISSING_PARAMETER", "is required")]


@pytest.mark.parametrize("device_id", ["d", "d" * 256, "é" * 256, "  " + "😀" * 256, "a\tb\nc"])
def test_device_id_has_1_to_256_code_points(device_id: str) -> None:
    assert convert_object({"deviceId": device_id}, ResolveBody).device_id == device_id.strip()


@pytest.mark.parametrize("device_id", ["", "  ", "d" * 257])
def test_device_id_of_other_length_is_refused(device_id: str) -> None:
    assert field_error({"deviceId": device_id}, ResolveBody) == "deviceId must have 1 to 256 characters"


def test_device_id_with_control_character_is_refused() -> None:
    assert field_error({"deviceId": "a\0b"}, ResolveBody) == "deviceId must not contain control characters"
    assert field_error({"deviceId": 5}, ResolveBody) == "deviceId must be a string"


@pytest.mark.parametrize("locale", ["pt", "pt-BR", "pt_BR", "de-CH-1996", "x-private", "i-klingon"])
def test_language_tag_is_accepted(locale: str) -> None:
    assert convert_object({"deviceId": "d", "locale": locale}, ResolveBody).locale == locale


@pytest.mark.parametrize(
    "locale", ["p", "pt__BR", "pt-", "pt--BR", "portuguese", "x", "pt-" + "a" * 9, "pt" + "-a" * 40]
)
def test_malformed_language_tag_is_refused(locale: str) -> None:
    assert field_error({"deviceId": "d", "locale": locale}, ResolveBody).startswith("locale must be a BCP 47")


@pytest.mark.parametrize("country", ["", "B", "BRA", "1A"])
def test_malformed_country_code_is_refused(country: str) -> None:
    assert field_error({"deviceId": "d", "country": country}, ResolveBody).startswith("country must be an ISO 3166-1")


@pytest.mark.parametrize(
    "attributes",
    [
        [],
        "a",
        {"a": None},
        {"a": []},
        {"a": {}},
        {"": 1},
        {"n" * 129: 1},
        {"a": "v" * 1025},
        {"a": "\x07"},
        {str(number): 1 for number in range(51)},
    ],
)
def test_nested_many_or_long_attributes_are_refused(attributes: object) -> None:
    assert field_error({"deviceId": "d", "attributes": attributes}, ResolveBody).startswith("attributes must be a flat")


def test_error_lists_every_bad_field_and_has_first_code() -> None:
    bad = {"platform": "web", "appVersion": "v" * 129, "country": 7}
    assert [(field, code) for field, code, _ in field_errors(bad, ResolveBody)] == [
        ("deviceId", "MISSING_PARAMETER"),
        ("platform", "INVALID_PARAMETER"),
        ("appVersion", "INVALID_PARAMETER"),
        ("country", "INVALID_PARAMETER"),
    ]
    with pytest.raises(InvalidRequestError) as raised:
        convert_object(bad, ResolveBody)
    assert (raised.value.code, raised.value.message) == ("MISSING_PARAMETER", "deviceId is required")


@pytest.mark.parametrize("event_type", ["a", "flow_started", "a.b_c9", "a" * 64])
def test_lower_case_event_type_is_accepted(event_type: str) -> None:
    assert convert_object({**EVENT, "eventType": event_type}, EventBody).event_type == event_type


@pytest.mark.parametrize("event_type", ["", "A", "9a", "_a", "a-b", "a" * 65, "é"])
def test_other_event_type_is_refused(event_type: str) -> None:
    assert field_error({**EVENT, "eventType": event_type}, EventBody).startswith("eventType must have 1 to 64 of")


@pytest.mark.parametrize("field", ["eventId", "screenId", "experimentId", "variant", "sessionId"])
def test_ids_of_event_have_1_to_128_characters(field: str) -> None:
    assert convert_object({**EVENT, field: "i" * 128}, EventBody)
    for wrong in ("", "i" * 129):
        assert field_error({**EVENT, field: wrong}, EventBody) == f"{field} must have 1 to 128 characters"


def test_flow_of_event_is_any_text_except_empty() -> None:
    assert convert_object({**EVENT, "flowId": "no id"}, EventBody).flow_id == "no id"
    assert field_error({**EVENT, "flowId": " "}, EventBody) == "flowId must not be empty"


def test_timestamp_of_event_has_milliseconds() -> None:
    body = convert_object({**EVENT, "timestamp": "2026-11-20T21:12:03.123+02:00"}, EventBody)
    assert body.timestamp is not None
    assert body.timestamp.unix_ms == 1795201923123


@pytest.mark.parametrize("timestamp", ["", "yesterday", "2026-11-20", 1795201923, True, [], {"unix_ms": 1}])
def test_malformed_timestamp_is_refused(timestamp: object) -> None:
    assert field_error({**EVENT, "timestamp": timestamp}, EventBody).startswith("timestamp must be an ISO 8601")


def test_event_before_2000_or_more_than_a_day_ahead_is_refused() -> None:
    now = utc_now()
    ahead = {**EVENT, "timestamp": format_timestamp(now + timedelta(hours=24, minutes=1))}
    before = {**EVENT, "timestamp": "1999-12-31T23:59:59.999Z"}
    assert field_error(ahead, EventBody) == "timestamp must not be more than 24 hours in the future"
    assert field_error(before, EventBody) == "timestamp must not be before the year 2000"
    assert convert_object({**EVENT, "timestamp": "2000-01-01T00:00:00Z"}, EventBody)
    assert convert_object({**EVENT, "timestamp": format_timestamp(now + timedelta(hours=23))}, EventBody)


def test_properties_are_an_object_of_at_most_16_kib() -> None:
    fits = {"a": "x" * (16 * 1024 - len('{"a":""}'))}
    body = convert_object({**EVENT, "properties": fits}, EventBody)
    assert body.properties is not None
    assert body.properties.members == fits
    assert field_error({**EVENT, "properties": {"a": fits["a"] + "x"}}, EventBody).endswith("at most 16 KiB as JSON")
    assert field_error({**EVENT, "properties": [1]}, EventBody) == "properties must be an object"
