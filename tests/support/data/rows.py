"""Rows that tests insert directly, each valid by itself; a test passes only the columns that it is about."""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, TypeVar

from pydantic import SecretStr
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key
from common.ids import IdPrefix, new_id
from common.rules.bucketing import BUCKETS
from common.timestamps import utc_now
from management_api.db.key_vault import KeyVault
from management_api.db.models.base import Model
from management_api.db.models.documents import SCREEN_DEFAULTS, upcast
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import (
    FlowDraft,
    FlowSchedule,
    FlowVersion,
    ScheduleAction,
    live_document,
)
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.history import VersionOrigin
from management_api.db.models.media import Media
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Member, Project, QaDevice, Role, SecretKey
from management_api.db.models.theme_history import ThemeDraft, ThemeVersion
from management_api.db.models.users import User
from management_api.flows.lifecycle.document import record_screens
from management_api.flows.lifecycle.versions import live_version, make_live, name_live
from management_api.flows.targeting import percentage_of
from management_api.themes.document import document_of
from management_api.themes.lifecycle.versions import make_live as make_theme_live

RowT = TypeVar("RowT", bound=Model)


def add_user(session: Session, **columns: object) -> User:
    """Add a user of an invented identity provider."""
    user_id = new_id(IdPrefix.USER)
    return _added(session, User(**{"id": user_id, "issuer": "https://issuer.test", "subject": user_id, **columns}))


def add_project(session: Session, **columns: object) -> Project:
    """Add a project with its publication, which waits at revision 1."""
    defaults = {
        "id": new_id(IdPrefix.PROJECT),
        "name": "Project",
        "platforms": ["ios", "android"],
        "public_key_sealed": b"sealed",
    }
    project = _added(session, Project(**{**defaults, **columns}))
    _added(session, Publication(project_id=project.id))
    return project


def add_member(session: Session, project: Project, user: User, role: Role = Role.OWNER) -> Member:
    """Add a user to a project with a role."""
    return _added(session, Member(project_id=project.id, user_id=user.id, role=role.value))


def add_secret_key(
    session: Session, project: Project, master_key: str, *, expires_at: datetime | None = None
) -> tuple[SecretKey, str]:
    """Add a secret key; return its row and the key itself."""
    vault = KeyVault(SecretStr(master_key))
    key = generate_key(KeyPrefix.SECRET)
    row = SecretKey(
        id=new_id(IdPrefix.KEY),
        project_id=project.id,
        digest=vault.lookup_digest(key),
        sealed=vault.encrypt(key, owner_id=project.id),
        expires_at=expires_at,
    )
    return _added(session, row), key


def add_theme(session: Session, project: Project, **columns: object) -> Theme:
    """Add a theme with its first version."""
    theme = _added(
        session, Theme(**{"id": new_id(IdPrefix.THEME), "project_id": project.id, "name": "Theme", **columns})
    )
    session.refresh(theme)
    make_theme_live(session, theme, document_of(theme), VersionOrigin.CREATED, None)
    return theme


def add_theme_version(session: Session, theme: Theme, **members: object) -> ThemeVersion:
    """Add the live document of a theme, with some members replaced, as its next version."""
    return make_theme_live(session, theme, {**document_of(theme), **members}, VersionOrigin.PUBLISHED, None)


def add_theme_draft(session: Session, theme: Theme, author: User, **members: object) -> ThemeDraft:
    """Add a draft: the live document of the theme with some members replaced."""
    draft = ThemeDraft(
        theme_id=theme.id,
        project_id=theme.project_id,
        document={**document_of(theme), **members},
        base_version=theme.live_version,
        updated_by=author.id,
    )
    return _added(session, draft)


def add_media(session: Session, project: Project, **columns: object) -> Media:
    """Add an image of one file, whose object is not in a store."""
    file = {
        "name": f"{'0' * 32}.png",
        "role": "main",
        "content_type": "image/png",
        "size": 100,
        "width": 8,
        "height": 8,
    }
    defaults = {
        "id": new_id(IdPrefix.MEDIA),
        "project_id": project.id,
        "name": "Picture",
        "kind": "image",
        "width": 8,
        "height": 8,
        "upload_digest": "0" * 64,
        "stored_bytes": 100,
        "files": [file],
    }
    return _added(session, Media(**{**defaults, **columns}))


def add_flow(
    session: Session,
    project: Project,
    *,
    is_default: bool = False,
    rollout_buckets: int = BUCKETS,
    conditions: Sequence[dict[str, Any]] = (),
    **columns: object,
) -> Flow:
    """Add an active flow with its first version, and make it the default flow of the project if `is_default`."""
    defaults = {"id": new_id(IdPrefix.FLOW), "project_id": project.id, "name": "Flow", "status": "active"}
    flow = _added(session, Flow(**{**defaults, **columns}))
    targeting = {"percentage": percentage_of(rollout_buckets), "conditions": list(conditions)}
    document = upcast({"name": flow.name, "theme_id": flow.theme_id, "targeting": targeting})
    make_live(session, flow, document, VersionOrigin.CREATED, None)
    if is_default:
        project.default_flow_id = flow.id
        session.flush()
    return flow


def add_screen(session: Session, flow: Flow, **members: object) -> dict[str, Any]:
    """Append a screen of any size to the live version of a flow, and return it."""
    screen = {"id": new_id(IdPrefix.SCREEN), "type": "welcome", **SCREEN_DEFAULTS, **members}
    change_document(session, flow, screens=[*live_version(session, flow).document["screens"], screen])
    return screen


def change_document(session: Session, flow: Flow, **members: object) -> None:
    """Replace members of the live document of a flow without another version."""
    version = live_version(session, flow)
    former, version.document = version.document, {**version.document, **members}
    session.flush()
    record_screens(session, flow, former, version.document)
    name_live(session, flow, version)


def add_experiment(session: Session, flow: Flow, other: Flow, **columns: object) -> Experiment:
    """Add a draft between two flows, half and half, the first one the control; any other status has been started."""
    halves = ((flow, [[0, 5000]]), (other, [[5000, 10_000]]))
    defaults = {
        "id": new_id(IdPrefix.EXPERIMENT),
        "project_id": flow.project_id,
        "name": "Experiment",
        "variants": [
            {"key": key, "name": key, "flow_id": of.id, "weight": 50, "is_control": of is flow, "ranges": ranges}
            for key, (of, ranges) in zip("ab", halves, strict=True)
        ],
        "primary_event": "flow_completed",
        "started_at": func.clock_timestamp() if columns.get("status", "draft") != "draft" else None,
    }
    return _added(session, Experiment(**{**defaults, **columns}))


def read_live_document(session: Session, flow_id: str) -> dict[str, Any]:
    """Return the live document of a flow."""
    document: dict[str, Any] = session.scalars(select(live_document()).where(Flow.id == flow_id)).one()
    return document


def add_version(session: Session, flow: Flow, **members: object) -> FlowVersion:
    """Add the live document of a flow, with some members replaced, as its next version."""
    document = {**live_version(session, flow).document, **members}
    return make_live(session, flow, document, VersionOrigin.PUBLISHED, None)


def add_draft(session: Session, flow: Flow, author: User, document: dict[str, Any]) -> FlowDraft:
    """Add a draft: the live document of the flow with some members replaced."""
    changed = {**live_version(session, flow).document, **document}
    draft = FlowDraft(
        flow_id=flow.id,
        project_id=flow.project_id,
        document=changed,
        base_version=flow.live_version,
        updated_by=author.id,
    )
    return _added(session, draft)


def add_schedule(session: Session, flow: Flow, creator: User, **columns: object) -> FlowSchedule:
    """Add a pending schedule that activates a flow tomorrow."""
    defaults = {
        "id": new_id(IdPrefix.SCHEDULE),
        "flow_id": flow.id,
        "project_id": flow.project_id,
        "action": ScheduleAction.ACTIVATE.value,
        "run_at": utc_now() + timedelta(days=1),
        "created_by": creator.id,
    }
    return _added(session, FlowSchedule(**{**defaults, **columns}))


def add_qa_devices(session: Session, project: Project, devices: dict[str, str]) -> None:
    """Add QA devices, each with the id of its flow."""
    for device_id, flow_id in devices.items():
        _added(session, QaDevice(project_id=project.id, device_id=device_id, flow_id=flow_id))


def _added(session: Session, row: RowT) -> RowT:
    session.add(row)
    session.flush()
    return row
