"""Rollups of events and exposures, from which all statistics are read (contract, section 3, Statistics, defined).

Each row can be recomputed from the raw tables, and none depends on the order in which events arrive.
"""

from datetime import date, datetime

from sqlalchemy import BigInteger, ForeignKey, Index
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import Model, PrimaryId

_MOMENTS = ["first_started_at", "first_completed_at"]


class Device(Model):
    """A device that was ever seen in a project, by an event or an exposure, and when first."""

    __tablename__ = "devices"
    __table_args__ = (Index("ix_devices_project_id_first_seen_at", "project_id", "first_seen_at"),)

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    device_id: Mapped[str] = mapped_column(primary_key=True)
    first_seen_at: Mapped[datetime]


class ProjectTotal(Model):
    """How many devices a project has; triggers on `devices` keep it (migration 0005). Without any there is no row."""

    __tablename__ = "project_totals"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    devices: Mapped[int] = mapped_column(BigInteger, server_default="0")


class DailyActivity(Model):
    """What a device did on one UTC day with one flow ('' for events that name none)."""

    __tablename__ = "daily_activity"
    # The views of a flow, which every list of flows shows, are read from the index alone.
    __table_args__ = (
        Index("ix_daily_activity_project_id_flow_id", "project_id", "flow_id", postgresql_include=["starts"]),
    )

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    day: Mapped[date] = mapped_column(primary_key=True)
    flow_id: Mapped[str] = mapped_column(primary_key=True)
    device_id: Mapped[str] = mapped_column(primary_key=True)
    starts: Mapped[int] = mapped_column(server_default="0")
    completions: Mapped[int] = mapped_column(server_default="0")


class FlowJourney(Model):
    """The first start and the first completion of a flow by a device."""

    __tablename__ = "flow_journeys"
    # The rates of a flow and of a project are read from an index alone: the rows themselves lie all over the table.
    __table_args__ = (
        Index("ix_flow_journeys_project_id_first_completed_at", "project_id", "first_completed_at"),
        Index("ix_flow_journeys_project_id_flow_id", "project_id", "flow_id", postgresql_include=_MOMENTS),
        Index("ix_flow_journeys_project_id_device_id", "project_id", "device_id", postgresql_include=_MOMENTS),
    )

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    flow_id: Mapped[str] = mapped_column(primary_key=True)
    device_id: Mapped[str] = mapped_column(primary_key=True)
    first_started_at: Mapped[datetime | None]
    first_completed_at: Mapped[datetime | None]
