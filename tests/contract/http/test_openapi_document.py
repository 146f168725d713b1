"""The OpenAPI document is valid OpenAPI, and the service accepts its examples."""

import json
from importlib import import_module
from typing import Any

import msgspec
import orjson
import pytest
from jsonschema_rs import Draft202012Validator

from common.json_body import convert_object
from common.wire.public_bodies import EventBatchBody, EventBody, ResolveBody
from management_api.http.requests import RequestModel, parse_body
from tests.support.openapi.document import committed_bytes, example_of, operations_of
from tools.openapi.management import Operation, interface_operations

DOCUMENT: dict[str, Any] = orjson.loads(committed_bytes())
PUBLIC_BODIES: dict[str, type[msgspec.Struct]] = {
    "resolve_flow": ResolveBody,
    "track_event": EventBody,
    "track_events": EventBatchBody,
}
with_a_body = pytest.mark.parametrize(
    "operation",
    [operation for operation in interface_operations() if operation.endpoint.body is not None],
    ids=lambda operation: operation.endpoint.operation_id,
)


@pytest.mark.slow
def test_document_is_valid_openapi() -> None:
    # To import these takes a second and a half, which is not for every worker to spend.
    document = import_module("jsonschema_path").SchemaPath.from_dict(DOCUMENT)
    import_module("openapi_spec_validator").OpenAPIV31SpecValidator(document).validate()


def test_every_operation_has_an_id_of_its_own() -> None:
    ids = [operation["operationId"] for _, _, operation in operations_of(DOCUMENT)]
    assert len(ids) == len(set(ids))


def test_no_text_refers_to_a_specification_that_readers_do_not_have() -> None:
    assert not [note for note in (b"(contract", b"(interface", b"section ") if note in committed_bytes()]


@with_a_body
def test_every_body_has_an_example_that_the_service_accepts(operation: Operation) -> None:
    example, body = example_of(DOCUMENT, operation.endpoint.operation_id), operation.endpoint.body
    assert body is not None
    if issubclass(body, RequestModel):
        parse_body(body, json.dumps(example).encode())
    else:
        convert_object(example, body)


@pytest.mark.parametrize("operation_id", PUBLIC_BODIES)
def test_every_public_example_is_accepted(operation_id: str) -> None:
    convert_object(example_of(DOCUMENT, operation_id), PUBLIC_BODIES[operation_id])


def test_every_example_fits_its_schema() -> None:
    for content, location in _contents(DOCUMENT, "#"):
        examples = [example["value"] for example in content.get("examples", {}).values()]
        examples += [content["example"]] if "example" in content else []
        validator = (
            Draft202012Validator({"components": DOCUMENT["components"], **content["schema"]}) if examples else None
        )
        assert [example for example in examples if validator and not validator.is_valid(example)] == [], location


def _contents(part: Any, location: str) -> Any:  # noqa: ANN401 - any JSON
    if isinstance(part, dict):
        for name, inner in part.items():
            if name == "content" and isinstance(inner, dict) and all("/" in key for key in inner):
                yield from ((media, f"{location}/{key}") for key, media in inner.items())
            else:
                yield from _contents(inner, f"{location}/{name}")
    elif isinstance(part, list):
        for number, inner in enumerate(part):
            yield from _contents(inner, f"{location}/{number}")
