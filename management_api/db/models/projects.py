"""Projects, the roles of their members, their secret keys and their QA devices."""

from datetime import datetime
from enum import StrEnum

from sqlalchemy import (
    CheckConstraint,
    ColumnElement,
    ForeignKey,
    ForeignKeyConstraint,
    Index,
    LargeBinary,
    String,
    Text,
    func,
    or_,
)
from sqlalchemy.dialects.postgresql import ARRAY
from sqlalchemy.orm import Mapped, mapped_column

from common.ids import MAX_ID_LENGTH
from management_api.db.models.base import AuditSpec, CreatedAt, Id, Model, PrimaryId, UpdatedAt


class Role(StrEnum):
    """The roles in a project, from the least to the most."""

    VIEWER = "viewer"
    EDITOR = "editor"
    ADMIN = "admin"
    OWNER = "owner"

    def includes(self, other: "Role") -> bool:
        """Return whether this role has all rights of the other one."""
        return _RANKS[self] >= _RANKS[other]


_RANKS = {role: rank for rank, role in enumerate(Role)}


class DirectWrites(StrEnum):
    """Whether the endpoints of flows and screens change what is live at once, or drafts are the only way."""

    ALLOWED = "allowed"
    REFUSED = "refused"


MAX_REQUIRED_APPROVALS = 5


class Project(Model):
    """The top-level container (contract, section 3)."""

    __tablename__ = "projects"
    __table_args__ = (
        # The default flow is a flow of this very project; when it goes, only the reference goes.
        ForeignKeyConstraint(
            ["default_flow_id", "id"],
            ["flows.id", "flows.project_id"],
            name="fk_projects_default_flow",
            ondelete="SET NULL (default_flow_id)",
            use_alter=True,
        ),
        CheckConstraint("char_length(name) BETWEEN 3 AND 50", name="name_length"),
        CheckConstraint("char_length(description) <= 200", name="description_length"),
        CheckConstraint("platforms <@ ARRAY['ios', 'android'] AND cardinality(platforms) BETWEEN 1 AND 2", "platforms"),
        CheckConstraint(
            f"direct_writes IN ({', '.join(repr(value.value) for value in DirectWrites)})", "direct_writes"
        ),
        CheckConstraint("cardinality(locales) BETWEEN 1 AND 40", "locales"),
        CheckConstraint(f"required_approvals BETWEEN 0 AND {MAX_REQUIRED_APPROVALS}", "required_approvals"),
        Index("ix_projects_default_flow_id", "default_flow_id"),
        Index("ix_projects_created_by", "created_by"),
    )

    audited = AuditSpec(
        "project",
        (
            *("name", "description", "platforms", "default_flow_id", "analytics_enabled", "custom_domain"),
            *("direct_writes", "required_approvals", "record_answers", "locales"),
        ),
    )

    id: Mapped[PrimaryId]
    name: Mapped[str]
    description: Mapped[str | None]
    platforms: Mapped[list[str]] = mapped_column(ARRAY(Text))
    default_flow_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH))
    analytics_enabled: Mapped[bool] = mapped_column(server_default="true")
    custom_domain: Mapped[str | None]
    direct_writes: Mapped[str] = mapped_column(server_default=DirectWrites.ALLOWED.value)
    #: Of a draft, before it may be published.
    required_approvals: Mapped[int] = mapped_column(server_default="0")
    #: Whether hosted pages report the answers of users, which are personal data.
    record_answers: Mapped[bool] = mapped_column(server_default="false")
    #: Tags of BCP 47 in canonical case. The first is the default, whose texts the content of screens has.
    locales: Mapped[list[str]] = mapped_column(ARRAY(Text), server_default="{en}")
    #: The public key is encrypted like the others, so that a dump contains no keys.
    public_key_sealed: Mapped[bytes] = mapped_column(LargeBinary)
    #: The user whose quota it counts for, also after a change of owners. None: unknown, or the user was erased.
    created_by: Mapped[Id | None] = mapped_column(ForeignKey("users.id", ondelete="SET NULL"))
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]

    @property
    def refuses_direct_writes(self) -> bool:
        """Whether documents of flows change by drafts only."""
        return self.direct_writes == DirectWrites.REFUSED or self.required_approvals > 0


class Member(Model):
    """The role of a user in a project."""

    __tablename__ = "members"
    __table_args__ = (
        CheckConstraint(f"role IN ({', '.join(repr(role.value) for role in Role)})", name="role"),
        Index("ix_members_user_id", "user_id"),
    )

    audited = AuditSpec("member", ("role",), id_column="user_id", created="add", deleted="remove", is_published=False)

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    user_id: Mapped[PrimaryId] = mapped_column(ForeignKey("users.id", ondelete="CASCADE"))
    role: Mapped[str]
    #: Whether groups of the identity provider have made it and change it; a change by a person ends that.
    from_groups: Mapped[bool] = mapped_column(server_default="false")
    created_at: Mapped[CreatedAt]


class SecretKey(Model):
    """A secret key of a project; after a rotation the old ones live until `expires_at`."""

    __tablename__ = "secret_keys"
    __table_args__ = (Index("ix_secret_keys_project_id", "project_id"),)

    #: A key changes only when a newer one replaces it and sets the time of its expiry.
    audited = AuditSpec("secret_key", ("expires_at",), updated="rotate")

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    digest: Mapped[bytes] = mapped_column(LargeBinary, unique=True)
    sealed: Mapped[bytes] = mapped_column(LargeBinary)
    created_at: Mapped[CreatedAt]
    expires_at: Mapped[datetime | None]
    last_used_at: Mapped[datetime | None]

    @classmethod
    def is_active(cls) -> ColumnElement[bool]:
        """Return the condition of keys that have not expired."""
        return or_(cls.expires_at.is_(None), cls.expires_at > func.clock_timestamp())


class QaDevice(Model):
    """The override of one device; it goes with its flow."""

    __tablename__ = "qa_devices"
    __table_args__ = (
        ForeignKeyConstraint(
            ["flow_id", "project_id"], ["flows.id", "flows.project_id"], name="fk_qa_devices_flow", ondelete="CASCADE"
        ),
        CheckConstraint("char_length(device_id) BETWEEN 1 AND 256", name="device_id_length"),
        Index("ix_qa_devices_flow_id", "flow_id"),
    )

    audited = AuditSpec("qa_device", ("flow_id", "draft"), id_column="device_id")

    project_id: Mapped[PrimaryId]
    device_id: Mapped[str] = mapped_column(primary_key=True)
    flow_id: Mapped[Id]
    #: Whether the device gets the draft of the flow; None where the map had the id of the flow alone.
    draft: Mapped[bool | None]
