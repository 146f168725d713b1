"""From a request's bytes and query to checked models; every bad field becomes a detail (contract, section 1)."""

from collections.abc import Iterator, Mapping
from typing import Any, ClassVar, TypeVar

from pydantic import BaseModel, ConfigDict, ValidationError

from common.errors import Detail, InvalidRequestError
from common.json_body import parse_object

#: Members that the service itself writes; a body may carry them back (GET, edit, PUT), and they are ignored.
READ_ONLY_MEMBERS = frozenset({"id", "created_at", "updated_at", "stats", "api_keys"})

#: An answer is not to grow with what a stranger thinks up: so many bad fields are named, and so much of a name.
MAX_DETAILS = 100
MAX_FIELD_LENGTH = 200


class RequestModel(BaseModel):
    """Base of bodies and queries. Unknown members are refused; what the wire may spell in two ways has one field.

    `spellings` maps the contract's spelling of a member, where it is another one, to the field's name (`projectId` to
    `project_id`); `read_only` are this resource's members that are ignored besides READ_ONLY_MEMBERS;
    `ignored` are those of a model that stands inside of another body, which has to drop them by itself.
    """

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True, hide_input_in_errors=True)

    spellings: ClassVar[Mapping[str, str]] = {}
    read_only: ClassVar[frozenset[str]] = frozenset()
    ignored: ClassVar[frozenset[str]] = frozenset()


ModelT = TypeVar("ModelT", bound=RequestModel)

#: What the client reads for the types of JSON, in place of pydantic's words for those of Python.
_WRONG_TYPES = {
    "bool_type": "must be true or false",
    "dict_type": "must be an object",
    "float_type": "must be a number",
    "int_type": "must be a whole number",
    "list_type": "must be an array",
    "model_type": "must be an object",
    "string_type": "must be a string",
}


def parse_body(model: type[ModelT], body: bytes) -> ModelT:
    """Check a JSON body. Raises MalformedBodyError or InvalidRequestError."""
    document = parse_object(body)
    ignored = (READ_ONLY_MEMBERS | model.read_only) - model.model_fields.keys()
    return _validated(model, {name: value for name, value in document.items() if name not in ignored})


def parse_query(model: type[ModelT], query: Mapping[str, str]) -> ModelT:
    """Check query parameters. Raises InvalidRequestError."""
    return _validated(model, dict(query))


def _validated(model: type[ModelT], document: dict[str, Any]) -> ModelT:
    names_to_tell = _names_to_tell(model, document)
    details = list(_reconcile_spellings(model, document))
    try:
        checked = model.model_validate(document)
    except ValidationError as error:
        details.extend(_detail(item, names_to_tell) for item in error.errors(include_url=False))
    if details:
        raise InvalidRequestError(details[:MAX_DETAILS])
    return checked


def _names_to_tell(model: type[RequestModel], document: dict[str, Any]) -> dict[str, str]:
    """Say which fields to call by their other spelling: what the client called so, and what it left out."""
    return {name: other for other, name in model.spellings.items() if other in document or name not in document}


def _reconcile_spellings(model: type[RequestModel], document: dict[str, Any]) -> Iterator[Detail]:
    """Fold the other spellings into the field names; both given and different is an error."""
    for other, name in model.spellings.items():
        if other not in document:
            continue
        value = document.pop(other)
        if document.setdefault(name, value) != value:
            yield Detail.invalid(other, f"must not differ from {name}")


def _detail(item: Mapping[str, Any], names_to_tell: Mapping[str, str]) -> Detail:
    member, *inner = (str(part) for part in item["loc"])
    field = ".".join((names_to_tell.get(member, member), *inner))[:MAX_FIELD_LENGTH]
    if item["type"] == "missing" or (item["type"] == "required_null"):
        return Detail.missing(field)
    if item["type"] == "extra_forbidden":
        return Detail.invalid(field, "is not a known member")
    message = _WRONG_TYPES.get(item["type"], str(item["msg"]))
    return Detail.invalid(field, message if message.startswith("must ") else f"is invalid: {message}")
