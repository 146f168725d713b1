"""Raw analytics: events, exposures, and what could not be stored."""

from datetime import datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    Connection,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    Sequence,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.event import listens_for
from sqlalchemy.orm import Mapped, mapped_column

from common.ids import MAX_ID_LENGTH
from management_api.database.model import CreatedAt, Id, Model, PrimaryId

#: Numbers events in the order of their storing, whatever the clocks. A cache in each session would break the order.
EVENT_STORED_NO = Sequence("event_stored_no", metadata=Model.metadata)


class Event(Model):
    """An event as a device reported it, once for each `event_id` of a project.

    In partitions by the month in which it was received (`activity/partitions.py`), so there is no key that holds across
    them: `EventId` tells a repeated event. Nor is there a foreign key, which every event would pay for: the
    consumer holds the rows of the projects while it writes, and a trigger on `projects` takes along what is theirs.
    """

    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_project_id_occurred_at", "project_id", "occurred_at"),
        {"postgresql_partition_by": "RANGE (received_at)"},
    )

    project_id: Mapped[Id]
    event_id: Mapped[str]
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
    #: Null in events that were stored before there was this column. An erasure compares it (`activity/erasing.py`).
    stored_no: Mapped[int | None] = mapped_column(
        BigInteger, server_default=text("nextval('event_stored_no'::regclass)")
    )

    __mapper_args__ = {"primary_key": ["project_id", "event_id"]}  # noqa: RUF012 - the name and form are SQLAlchemy's


#: Takes what no partition is for, so that a missing one never stops anything.
@listens_for(Event.__table__, "after_create")
def _make_default_partition(_table: object, connection: Connection, **_options: object) -> None:
    connection.execute(text("CREATE TABLE events_default PARTITION OF events DEFAULT"))


class Exposure(Model):
    """A device was given a flow: the first time for each (flow, experiment, variant); '' where there is none."""

    __tablename__ = "exposures"
    # The users of an experiment are counted from an index alone, in the order of their devices.
    __table_args__ = (
        Index(
            "ix_exposures_experiment_id",
            "project_id",
            "experiment_id",
            "device_id",
            postgresql_include=["variant", "exposed_at"],
            postgresql_where=text("experiment_id <> ''"),
        ),
    )

    project_id: Mapped[PrimaryId]
    device_id: Mapped[str] = mapped_column(primary_key=True)
    flow_id: Mapped[str] = mapped_column(primary_key=True)
    experiment_id: Mapped[str] = mapped_column(primary_key=True, server_default="")
    variant: Mapped[str] = mapped_column(primary_key=True, server_default="")
    exposed_at: Mapped[datetime]
    platform: Mapped[str | None]


class DeadLetter(Model):
    """A stream entry that cannot be stored, with the reason, so that the rest can flow."""

    __tablename__ = "dead_letters"
    __table_args__ = (
        # An entry that is delivered again, because its acknowledgement was lost, is the same letter.
        UniqueConstraint("stream", "entry_id"),
        Index("ix_dead_letters_project_id", "project_id"),
    )

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    #: Of bytes that are no record it may not be known.
    project_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH), ForeignKey("projects.id", ondelete="CASCADE"))
    stream: Mapped[str]
    entry_id: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    #: Its part before the first colon names the kind.
    reason: Mapped[str]
    #: How often storing it has failed; one more with each replay.
    attempts: Mapped[int] = mapped_column(server_default="1")
    created_at: Mapped[CreatedAt]
    last_failed_at: Mapped[CreatedAt]
    #: Since when it is in its stream again; the letter goes when the entry is stored.
    replayed_at: Mapped[datetime | None]
