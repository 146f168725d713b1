"""Reading the audit log of a project (contract, section 3); `db/audit.py` writes it."""

from collections.abc import Mapping, Sequence
from typing import Any

from sqlalchemy import (
    ARRAY,
    Row,
    Select,
    String,
    Text,
    any_,
    bindparam,
    func,
    literal,
    literal_column,
    select,
    union_all,
)

from management_api.audit.filters import IN_PROJECT, AuditFilters
from management_api.auth.access import Caller
from management_api.auth.lists import Page, PagedSelect, PageRequest
from management_api.db.engine import Reader
from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.experiments import Experiment
from management_api.db.models.flow_history import FlowVersion, ScreenId, live
from management_api.db.models.flows import Flow, Theme
from management_api.db.models.projects import Project
from management_api.db.models.users import User

#: Entries that a request counts; the log of a busy project has millions.
MAX_COUNTED = 10_000

_LIST = PagedSelect(
    select(
        AuditEntry.id, AuditEntry.at, AuditEntry.user_id, AuditEntry.action, AuditEntry.entity_type,
        AuditEntry.entity_id, AuditEntry.before, AuditEntry.after,
    ).where(IN_PROJECT),
    # The only time of an entry.
    {"created_at": AuditEntry.at, "updated_at": AuditEntry.at},
    AuditEntry.id,
    max_counted=MAX_COUNTED,
)  # fmt: skip

_MEMBER = "member"
_ENTITY_IDS = bindparam("entity_ids", type_=ARRAY(String))
#: Of the row of `screen_ids`, in the live document of its flow.
_NAME_OF_SCREEN = func.jsonb_path_query_first(
    FlowVersion.document,
    literal_column("'$.screens[*] ? (@.id == $id).name'::jsonpath"),
    func.jsonb_build_object(literal_column("'id'"), ScreenId.id),
).op("#>>", return_type=Text())(literal_column("'{}'"))


def _name_select(model: type[Flow | Theme | Experiment]) -> Select[*tuple[Any, ...]]:
    entity = literal(model.audited.entity).label("entity")
    return select(entity, model.id, model.name).where(
        model.project_id == bindparam("project_id"), model.id == any_(_ENTITY_IDS)
    )


_NAMED = union_all(
    *(_name_select(model) for model in (Flow, Theme, Experiment)),
    select(literal("screen"), ScreenId.id, live(_NAME_OF_SCREEN))
    .join(Flow, Flow.id == ScreenId.flow_id)
    .where(ScreenId.project_id == bindparam("project_id"), ScreenId.id == any_(_ENTITY_IDS)),
    select(literal("project"), Project.id, Project.name).where(Project.id == bindparam("project_id")),
    select(literal(_MEMBER), User.id, func.coalesce(User.name, User.email)).where(
        User.id == any_(bindparam("user_ids", type_=ARRAY(String)))
    ),
).subquery()
_NAMES: Select[*tuple[Any, ...]] = select(_NAMED)


def list_audit_log(
    reader: Reader, caller: Caller, project_id: str, page: PageRequest, filters: AuditFilters
) -> Page[*tuple[Any, ...]]:
    """Return a page of the project's audit log. Raises ProjectNotFoundError, ForbiddenError."""
    return _LIST.read_in_project(reader, caller, project_id, page, **filters.parameters())


def names_in_log(reader: Reader, project_id: str, entries: Sequence[Row[Any]]) -> Mapping[str, Mapping[str, Any]]:
    """Return `entity_name` and `user_name` of each entry as they are now, by the id of the entry.

    The name is None for a deleted object, and for an object without a name.
    """
    user_ids = {entry.user_id for entry in entries}
    user_ids |= {entry.entity_id for entry in entries if entry.entity_type == _MEMBER}
    entity_ids = {entry.entity_id for entry in entries}
    rows = reader.execute(
        _NAMES, {"project_id": project_id, "entity_ids": list(entity_ids), "user_ids": list(user_ids)}
    )
    names: dict[tuple[str, str], str | None] = {(row.entity, row.id): row.name for row in rows}
    return {
        entry.id: {
            "entity_name": names.get((entry.entity_type, entry.entity_id)),
            "user_name": names.get((_MEMBER, entry.user_id)),
        }
        for entry in entries
    }
