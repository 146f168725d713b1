"""Projects, keys and QA devices in requests and responses (contract, section 3)."""

import re
from collections.abc import Mapping
from datetime import date, timedelta
from typing import Annotated, Any, Literal, NamedTuple, TypeVar, get_args

from pydantic import AliasPath, Field, PlainValidator, WithJsonSchema
from sqlalchemy import Row

from common.text import has_forbidden_characters, text_pattern
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH
from management_api.db.models.projects import MAX_REQUIRED_APPROVALS, DirectWrites, Project
from management_api.http.fields import (
    REQUIRED,
    IdText,
    ProjectDescription,
    ProjectName,
    Rule,
    SearchText,
    field_error,
    one_of,
    whole_number_between,
)
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel, resolve_alias
from management_api.http.responses import CompletionRate, Count, ETagModel, ResponseModel, Timestamp
from management_api.projects.locales import LOCALE_RULE, LOCALES_RULE
from management_api.rollups.usage import Usage, end_of_day

MAX_GRACE_SECONDS = 604_800
DEFAULT_GRACE_SECONDS = 86_400


_PUBLIC_KEY = "Identifies the project in an app; it is not a credential."


class RotationBody(RequestModel):
    """POST /projects/{project_id}/api-keys/rotate; every member may be left out, and so may the body."""

    grace_period_seconds: Annotated[int, whole_number_between(0, MAX_GRACE_SECONDS)] = Field(
        default=DEFAULT_GRACE_SECONDS, examples=[3600]
    )

    @property
    def grace(self) -> timedelta:
        """The time during which the old keys stay valid."""
        return timedelta(seconds=self.grace_period_seconds)


class SecretKeyView(ResponseModel):
    """An active secret key."""

    id: str
    secret_key: str = Field(description="The `X-Secret-Key` of SDKs.")
    created_at: Timestamp
    expires_at: Timestamp | None = Field(description="The end of the key; null until it is replaced.")
    last_used_at: Timestamp | None = Field(
        description="The time of the last use of the key, at most a minute behind; null before the first. "
        "Every public request with the key is a use."
    )


class ProjectKeysView(ResponseModel):
    """All keys of a project."""

    project_id: str
    public_key: str = Field(description=_PUBLIC_KEY)
    secret_keys: list[SecretKeyView] = Field(description="The active secret keys, the newest first.")


Platform = Literal["ios", "android"]
#: In the order that is stored and shown.
PLATFORMS: tuple[Platform, ...] = get_args(Platform)
MAX_HOST_NAME_LENGTH = 253
#: Labels of letters, digits and inner hyphens; at least two, the last one no number, which excludes IP addresses.
HOST_NAME = re.compile(r"(?:[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?\.)+(?!\d+\Z)[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?")


def _platforms(value: object) -> list[Platform]:
    if not isinstance(value, list) or not value or any(item not in PLATFORMS for item in value):
        raise field_error("must be an array of ios, android or both")
    if len(set(value)) != len(value):
        raise field_error("must not name a platform twice")
    return [platform for platform in PLATFORMS if platform in value]


def _host_name(value: object) -> str:
    name = value.strip().lower() if isinstance(value, str) else ""
    if len(name) > MAX_HOST_NAME_LENGTH or not HOST_NAME.fullmatch(name):
        raise field_error("must be a host name such as onboarding.example.com, or null")
    return name


Platforms = Annotated[
    list[Platform],
    Rule(_platforms, {"minItems": 1, "uniqueItems": True}),
]
HostName = Annotated[
    str,
    Rule(
        _host_name,
        {"format": "hostname", "description": "A host name of two or more labels; it is stored in lower case"},
    ),
]


class ProjectListQuery(PageQuery):
    """GET /projects."""

    search: SearchText = ""


class ProjectCreateBody(RequestModel):
    """POST /projects."""

    name: Annotated[ProjectName, REQUIRED] = Field(examples=["Sample app"])
    description: ProjectDescription | None = Field(default=None, examples=["An app"])
    platforms: Platforms = Field(default_factory=lambda: list(PLATFORMS), examples=[["ios", "android"]])


class ProjectSettingsBody(RequestModel):
    """The `settings` of a PUT; absent members stay as they are."""

    platforms: Platforms = Field(default_factory=list)
    default_flow_id: IdText | None = None
    analytics_enabled: bool = True
    custom_domain: HostName | None = None
    direct_writes: Annotated[DirectWrites, one_of(DirectWrites)] = DirectWrites.ALLOWED
    required_approvals: Annotated[int, whole_number_between(0, MAX_REQUIRED_APPROVALS)] = 0
    record_answers: bool = False
    default_locale: Annotated[str, LOCALE_RULE] = ""
    locales: Annotated[list[str], LOCALES_RULE] = Field(default_factory=list)


class ProjectUpdateBody(RequestModel):
    """PUT /projects/{project_id}; absent members stay as they are."""

    read_only = frozenset({"project_id", "projectId", "quotas"})

    name: ProjectName = Field(default="", examples=["Sample app"])
    description: ProjectDescription | None = None
    settings: ProjectSettingsBody = Field(
        default=ProjectSettingsBody(),
        examples=[{"default_flow_id": "flow_01h455vb4pex5vsknk084sn02q", "custom_domain": None}],
    )

    def columns(self) -> dict[str, Any]:
        """Return the columns that the body has; locales follow from two members and from the stored ones."""
        members = self.model_fields_set - {"settings"}
        settings = self.settings
        return {name: getattr(self, name) for name in members} | {
            name: getattr(settings, name) for name in settings.model_fields_set - {"default_locale", "locales"}
        }


class ListedSettings(ResponseModel):
    """The settings that a list shows."""

    platforms: list[Platform]
    default_flow_id: str | None = Field(
        description="The flow of devices outside of all experiments and targeted flows; null when there is none."
    )


class CreatedSettings(ListedSettings):
    """The settings that a new project shows."""

    analytics_enabled: bool


class ProjectSettings(CreatedSettings):
    """All settings."""

    custom_domain: str | None
    direct_writes: DirectWrites = Field(
        description="Whether changes of flows and screens take effect at once, or drafts are the only way."
    )
    required_approvals: int = Field(
        ge=0,
        le=MAX_REQUIRED_APPROVALS,
        description="Approvals that a draft needs before it is published; above 0 direct writes are refused too.",
    )
    record_answers: bool = Field(
        description="Whether the answers that users give on hosted pages are reported and kept. They are personal data."
    )
    default_locale: str = Field(
        validation_alias=AliasPath("locales", 0), description="The language of the texts in `content`."
    )
    locales: list[str] = Field(description="The languages of the project, the default first.")


class ListedStats(ResponseModel):
    """The statistics that a list shows."""

    total_flows: Count = Field(description="Flows of any status.")
    active_flows: Count = Field(description="Flows whose status is active.")
    total_users: Count = Field(description="Users ever seen, by an event or a resolution.")


class ProjectStats(ListedStats):
    """All statistics of a project; the rate is a fraction."""

    users_today: Count = Field(description="Users seen today, in UTC.")
    completion_rate: CompletionRate


class UsedQuota(ResponseModel):
    """The use of a quota."""

    used: Count
    limit: Count


class UsedQuotasView(ResponseModel):
    """The use of a project's quotas on this UTC day, some seconds behind."""

    resets_at: Timestamp = Field(description="The next midnight in UTC, when the quotas are free again.")
    events: UsedQuota = Field(description="New events. Above a quota, requests with events get 429 until midnight.")
    property_bytes: UsedQuota = Field(description="Bytes of the properties of these events, as JSON.")
    new_devices: UsedQuota = Field(description="Devices that were seen for the first time.")

    @classmethod
    def of_day(cls, day: date, used: Usage, quotas: Usage) -> "UsedQuotasView":
        """Return the use of each quota on a UTC day."""
        views = (UsedQuota(used=number, limit=limit) for number, limit in zip(used, quotas, strict=True))
        return cls(resets_at=end_of_day(day), **dict(zip(Usage._fields, views, strict=True)))


class PublicKeys(ResponseModel):
    """The configuration of an SDK besides the secret key."""

    project_id: str
    public_key: str = Field(description=_PUBLIC_KEY)


class ProjectListItem(ResponseModel):
    """An item of GET /projects."""

    id: str
    name: str
    description: str | None
    created_at: Timestamp
    updated_at: Timestamp
    settings: ListedSettings
    stats: ListedStats


class CreatedProject(ETagModel):
    """The response of POST /projects."""

    id: str
    name: str
    description: str | None
    created_at: Timestamp
    updated_at: Timestamp
    settings: CreatedSettings
    api_keys: PublicKeys


class ProjectView(ETagModel):
    """The response of GET /projects/{project_id}."""

    id: str
    name: str
    description: str | None
    created_at: Timestamp
    updated_at: Timestamp
    settings: ProjectSettings
    stats: ProjectStats
    quotas: UsedQuotasView
    api_keys: PublicKeys


class UpdatedProject(ETagModel):
    """The response of PUT /projects/{project_id}."""

    id: str
    name: str
    description: str | None
    updated_at: Timestamp
    settings: ProjectSettings


ViewT = TypeVar("ViewT", bound=ResponseModel)


def project_response(model: type[ViewT], project: Project | Row[Any], **members: object) -> ViewT:
    """Return a project as one of the responses above: its columns, `settings` from them too, and other members."""
    names = ("id", "name", "description", "created_at", "updated_at")
    return model.model_validate({name: getattr(project, name) for name in names} | {"settings": project} | members)


MAX_QA_DEVICES = 100


class QaFlow(NamedTuple):
    """The flow of a QA device, and whether the device gets its draft; None where the map has the flow's id alone."""

    flow_id: str
    draft: bool | None


def _qa_flow(value: object) -> QaFlow:
    value = resolve_alias(value, "flowId", "flow_id")
    flow_id, draft = value, None
    if isinstance(value, dict) and value.keys() == {"flow_id", "draft"} and isinstance(value["draft"], bool):
        flow_id, draft = value["flow_id"], value["draft"]
    if not isinstance(flow_id, str) or not flow_id.strip():
        raise field_error("must be the id of a flow, or an object of flow_id and draft")
    return QaFlow(flow_id.strip(), draft)


_ID_SCHEMA: dict[str, Any] = {"type": "string", "pattern": r"\S"}
_QA_FLOW_SCHEMA: dict[str, Any] = {
    "anyOf": [
        _ID_SCHEMA,
        {
            "type": "object",
            "description": "The device gets the draft of the flow while there is one.",
            "properties": {"flow_id": _ID_SCHEMA, "draft": {"type": "boolean"}},
            "required": ["flow_id", "draft"],
            "additionalProperties": False,
        },
    ]
}


def _device_map(value: object) -> object:
    """Trim device ids as the edge does before it looks them up."""
    if not isinstance(value, dict) or len(value) > MAX_QA_DEVICES:
        raise field_error(f"must be an object of at most {MAX_QA_DEVICES} device ids, each with the id of its flow")
    devices = {device_id.strip(): flow_id for device_id, flow_id in value.items()}
    if any(
        not 0 < len(device_id) <= MAX_DEVICE_ID_LENGTH or has_forbidden_characters(device_id) for device_id in devices
    ):
        raise field_error(f"must have device ids of 1 to {MAX_DEVICE_ID_LENGTH} characters, without control characters")
    if len(devices) < len(value):
        raise field_error("must name each device once")
    return devices


DeviceMap = Annotated[
    dict[str, Annotated[QaFlow, PlainValidator(_qa_flow), WithJsonSchema(_QA_FLOW_SCHEMA)]],
    Rule(
        _device_map,
        {"propertyNames": {"pattern": text_pattern(1, MAX_DEVICE_ID_LENGTH)}, "maxProperties": MAX_QA_DEVICES},
    ),
]


class QaDevicesBody(RequestModel):
    """PUT /projects/{project_id}/qa-devices."""

    read_only = frozenset({"project_id", "projectId"})

    devices: Annotated[DeviceMap, REQUIRED] = Field(examples=[{"device-1": "flow_01h455vb4pex5vsknk084sn02q"}])


class QaDraftView(ResponseModel):
    """The flow of a QA device, and whether it gets the flow's draft."""

    flow_id: str
    draft: bool


class QaDevicesView(ETagModel):
    """The QA devices of a project."""

    project_id: str
    devices: Mapping[str, str | QaDraftView]
