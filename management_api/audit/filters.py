"""The filters of a project's audit log. They are parts of statements that are built once, so an absent one is NULL."""

from dataclasses import dataclass
from datetime import UTC, datetime

from sqlalchemy import ColumnElement, String, and_, bindparam, or_, select

from management_api.db.models.audit_log import AuditEntry
from management_api.db.models.experiments import Experiment
from management_api.db.models.flows import Flow, Theme

#: Before all entries.
BEGINNING = datetime(1970, 1, 1, tzinfo=UTC)
_ESCAPE = "/"


@dataclass(frozen=True, slots=True)
class AuditFilters:
    """The entries that are read: since a time, of one type of object, of one user, with a text in the name."""

    since: datetime | None = None
    entity_type: str | None = None
    user_id: str | None = None
    search: str | None = None

    def parameters(self) -> dict[str, object]:
        """Return the parameters of `IN_PROJECT`, without the project. `user_id` is the caller of a list."""
        text = (self.search or "").strip()
        for character in (_ESCAPE, "%", "_"):
            text = text.replace(character, _ESCAPE + character)
        return {
            "since": self.since or BEGINNING,
            "entity_type": self.entity_type,
            "author_id": self.user_id,
            "searched_id": self.search and self.search.strip(),
            "pattern": f"%{text}%" if text else None,
        }


def _optional(name: str, condition: ColumnElement[bool]) -> ColumnElement[bool]:
    return or_(bindparam(name, type_=String).is_(None), condition)


_PATTERN = bindparam("pattern", type_=String)


def _named_now(model: type[Flow | Theme | Experiment]) -> ColumnElement[bool]:
    named = select(model.id).where(
        model.project_id == bindparam("project_id"), model.name.ilike(_PATTERN, escape=_ESCAPE)
    )
    return and_(AuditEntry.entity_type == model.audited.entity, AuditEntry.entity_id.in_(named))


#: The condition of the entries of the project `project_id` that pass the filters.
IN_PROJECT = and_(
    AuditEntry.project_id == bindparam("project_id"),
    AuditEntry.at >= bindparam("since"),
    _optional("entity_type", AuditEntry.entity_type == bindparam("entity_type", type_=String)),
    _optional("author_id", AuditEntry.user_id == bindparam("author_id", type_=String)),
    _optional(
        "pattern",
        or_(
            AuditEntry.entity_id == bindparam("searched_id", type_=String),
            AuditEntry.before["name"].astext.ilike(_PATTERN, escape=_ESCAPE),
            AuditEntry.after["name"].astext.ilike(_PATTERN, escape=_ESCAPE),
            *(_named_now(model) for model in (Flow, Theme, Experiment)),
        ),
    ),
)
