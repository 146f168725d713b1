"""Experiments: a status, an audience, and variants that share out its traffic (contract, section 5)."""

from datetime import datetime
from enum import StrEnum
from typing import Any

from sqlalchemy import CheckConstraint, ColumnElement, ForeignKey, Index, and_, or_, text
from sqlalchemy.dialects.postgresql import JSONB
from sqlalchemy.orm import Mapped, mapped_column

from common.rules.bucketing import BUCKETS
from management_api.db.models.base import AuditSpec, CreatedAt, Id, Model, PrimaryId, UpdatedAt


class ExperimentStatus(StrEnum):
    """A draft is started; what runs is paused and started again; both are completed, which is the end."""

    DRAFT = "draft"
    RUNNING = "running"
    PAUSED = "paused"
    COMPLETED = "completed"


#: The statuses in which devices have a variant that must not be taken from them.
ACTIVE = (ExperimentStatus.RUNNING, ExperimentStatus.PAUSED)


class Experiment(Model):
    """An A/B test.

    `variants` is an array of {key, name, flow_id, weight (per cent), is_control, ranges: [[start, end), ...]} in the
    order of the customer. They stand in one column because they only ever change together, and a completed experiment
    keeps naming its flows when these are gone.
    """

    __tablename__ = "experiments"
    __table_args__ = (
        CheckConstraint("char_length(name) BETWEEN 1 AND 100", name="name_length"),
        CheckConstraint("char_length(hypothesis) <= 1000", name="hypothesis_length"),
        CheckConstraint(f"status IN ({', '.join(repr(status.value) for status in ExperimentStatus)})", name="status"),
        CheckConstraint("jsonb_typeof(conditions) = 'array'", name="conditions"),
        CheckConstraint(f"traffic_buckets BETWEEN 0 AND {BUCKETS}", name="traffic_buckets"),
        CheckConstraint("jsonb_typeof(variants) = 'array'", name="variants"),
        CheckConstraint("salt_version > 0", name="salt_version"),
        CheckConstraint("(status = 'draft') = (started_at IS NULL)", name="started_at"),
        CheckConstraint("(status = 'completed') = (ended_at IS NOT NULL)", name="ended_at"),
        CheckConstraint("winner IS NULL OR status = 'completed'", name="winner"),
        Index("ix_experiments_project_id_created_at", "project_id", "created_at"),
        Index("ix_experiments_under_way", "project_id", postgresql_where=text("status IN ('running', 'paused')")),
    )

    audited = AuditSpec(
        "experiment",
        (
            "name",
            "hypothesis",
            "status",
            "conditions",
            "traffic_buckets",
            "variants",
            "primary_event",
            "winner",
            "salt_version",
        ),
    )

    id: Mapped[PrimaryId]
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    name: Mapped[str]
    hypothesis: Mapped[str | None]
    status: Mapped[str] = mapped_column(server_default=ExperimentStatus.DRAFT.value)
    #: The audience.
    conditions: Mapped[list[dict[str, Any]]] = mapped_column(server_default="[]")
    #: The traffic in buckets of 10,000: the percentage of the interface x 100.
    traffic_buckets: Mapped[int] = mapped_column(server_default=str(BUCKETS))
    variants: Mapped[list[dict[str, Any]]]
    primary_event: Mapped[str]
    #: The key of a variant.
    winner: Mapped[str | None]
    #: A part of the hash salt: a higher number assigns all devices again.
    salt_version: Mapped[int] = mapped_column(server_default="1")
    #: The last change of the assignment of devices, by other weights or another salt; None: never.
    reallocated_at: Mapped[datetime | None]
    #: The last reset of the assignments after the start; results count the exposures since then. None: never.
    reset_at: Mapped[datetime | None]
    started_at: Mapped[datetime | None]
    ended_at: Mapped[datetime | None]
    created_at: Mapped[CreatedAt]
    updated_at: Mapped[UpdatedAt]

    @classmethod
    def is_active(cls) -> ColumnElement[bool]:
        """Return the condition of experiments that are running or paused."""
        return or_(*(cls.status == status.value for status in ACTIVE))

    @classmethod
    def is_active_with(cls, flow_id: str, project_id: str) -> ColumnElement[bool]:
        """Return the condition of active experiments of the project that assign the flow to devices."""
        has_flow = cls.variants.contains([{"flow_id": flow_id}])
        return and_(cls.project_id == project_id, cls.is_active(), has_flow)

    @classmethod
    def evaluation_order(cls) -> tuple[ColumnElement[Any], ...]:
        """Return the order in which active experiments are evaluated: as they were started (contract, section 4)."""
        return cls.started_at.asc(), cls.id.asc()


class ExperimentCount(Model):
    """The users and conversions of a completed experiment, which its results are computed from.

    `variants` has an array for each variant: `rollups/experiment_users.py`. They are counted again until late events
    are in, and stay then.
    """

    __tablename__ = "experiment_counts"

    experiment_id: Mapped[PrimaryId] = mapped_column(ForeignKey("experiments.id", ondelete="CASCADE"))
    variants: Mapped[list[Any]] = mapped_column(JSONB)
    counted_at: Mapped[datetime]
