"""Rows that tests insert directly, each valid by itself; a test passes only the columns that it is about."""

from datetime import datetime, timedelta
from typing import Any, TypeVar

from pydantic import SecretStr
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.credentials import KeyPrefix, generate_key
from common.ids import IdPrefix, new_id
from common.timestamps import utc_now
from management_api.db.key_vault import KeyVault
from management_api.db.models.base import Model
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import FlowDraft, FlowSchedule, FlowVersion, ScheduleAction, VersionOrigin
from management_api.db.models.flows import Flow, Screen, Theme
from management_api.db.models.outbox import Publication
from management_api.db.models.projects import Member, Project, QaDevice, Role, SecretKey
from management_api.db.models.users import User
from management_api.flows.lifecycle.document import read_live_document
from management_api.flows.lifecycle.versions import append_version, get_version, live_version

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
    """Add a theme."""
    return _added(
        session, Theme(**{"id": new_id(IdPrefix.THEME), "project_id": project.id, "name": "Theme", **columns})
    )


def add_flow(session: Session, project: Project, *, is_default: bool = False, **columns: object) -> Flow:
    """Add an active flow, and make it the default flow of the project if `is_default`."""
    defaults = {"id": new_id(IdPrefix.FLOW), "project_id": project.id, "name": "Flow", "status": "active"}
    flow = _added(session, Flow(**{**defaults, **columns}))
    if is_default:
        project.default_flow_id = flow.id
        session.flush()
    return flow


def add_screen(session: Session, flow: Flow, **columns: object) -> Screen:
    """Append a screen to a flow."""
    order = session.scalar(select(func.count()).where(Screen.flow_id == flow.id))
    defaults = {
        "id": new_id(IdPrefix.SCREEN),
        "flow_id": flow.id,
        "project_id": flow.project_id,
        "type": "welcome",
        "order": order,
    }
    return _added(session, Screen(**{**defaults, **columns}))


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


def add_version(session: Session, flow: Flow, origin: VersionOrigin = VersionOrigin.CREATED) -> FlowVersion:
    """Add the live document of a flow as its next version."""
    return get_version(session, flow.id, append_version(session, flow, origin, None))


def add_draft(session: Session, flow: Flow, author: User, document: dict[str, Any]) -> FlowDraft:
    """Add a draft: the live document of the flow with some members replaced."""
    changed = {**read_live_document(session, flow.id), **document}
    base = live_version(session, flow.id)
    draft = FlowDraft(
        flow_id=flow.id, project_id=flow.project_id, document=changed, base_version=base, updated_by=author.id
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
