"""Raw analytics: events, exposures, and what could not be stored."""

from datetime import datetime
from typing import Any

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, LargeBinary, UniqueConstraint
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import CreatedAt, Model, PrimaryId


class Event(Model):
    """An event as a device reported it, once for each `event_id` of a project."""

    __tablename__ = "events"
    __table_args__ = (Index("ix_events_project_id_occurred_at", "project_id", "occurred_at"),)

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    event_id: Mapped[str] = mapped_column(primary_key=True)
    event_type: Mapped[str]
    device_id: Mapped[str]
    flow_id: Mapped[str | None]
    screen_id: Mapped[str | None]
    experiment_id: Mapped[str | None]
    variant: Mapped[str | None]
    session_id: Mapped[str | None]
    occurred_at: Mapped[datetime]
    received_at: Mapped[datetime]
    platform: Mapped[str | None]
    app_version: Mapped[str | None]
    properties: Mapped[dict[str, Any]] = mapped_column(server_default="{}")


class Exposure(Model):
    """A device was given a flow: the first time for each (flow, experiment, variant); '' where there is none."""

    __tablename__ = "exposures"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    device_id: Mapped[str] = mapped_column(primary_key=True)
    flow_id: Mapped[str] = mapped_column(primary_key=True)
    experiment_id: Mapped[str] = mapped_column(primary_key=True, server_default="")
    variant: Mapped[str] = mapped_column(primary_key=True, server_default="")
    exposed_at: Mapped[datetime]
    platform: Mapped[str | None]


class DeadLetter(Model):
    """A stream entry that cannot be stored, with the reason, so that the rest can flow."""

    __tablename__ = "dead_letters"
    # An entry that is delivered again, because its acknowledgement was lost, is the same letter.
    __table_args__ = (UniqueConstraint("stream", "entry_id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    stream: Mapped[str]
    entry_id: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    reason: Mapped[str]
    created_at: Mapped[CreatedAt]
