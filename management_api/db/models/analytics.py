"""Raw analytics and rollups: events, exposures, devices, and the counts made of them."""

import hashlib
from datetime import date, datetime
from typing import Any

from sqlalchemy import (
    BigInteger,
    ForeignKey,
    Identity,
    Index,
    LargeBinary,
    Sequence,
    String,
    UniqueConstraint,
    text,
)
from sqlalchemy.orm import Mapped, mapped_column

from common.ids import MAX_ID_LENGTH
from management_api.db.models.base import CreatedAt, Id, Model, PrimaryId

#: Numbers events in the order in which they are stored, independent of clocks. A cache in each session would break it.
EVENT_STORED_NO = Sequence("event_stored_no", metadata=Model.metadata)


class Event(Model):
    """An event as a device reported it, once for each `event_id` of a project.

    In partitions by the month in which it was received (`rollups/partitions.py`), so there is no key that holds across
    them: `EventId` detects a repeated event. Nor is there a foreign key, which would slow down every insert: the
    consumer locks the rows of the projects while it writes, and a trigger on `projects` removes their rows.
    """

    __tablename__ = "events"
    __table_args__ = (
        Index("ix_events_project_id_occurred_at", "project_id", "occurred_at"),
        # Few events have an answer, and only these are in it.
        Index(
            "ix_events_answers",
            "project_id",
            "screen_id",
            "occurred_at",
            postgresql_where=text("event_type = 'question_answered' AND properties ? 'answer'"),
        ),
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
    #: The language of the texts that the user saw.
    locale: Mapped[str | None]
    properties: Mapped[dict[str, Any]] = mapped_column(server_default="{}")
    #: Null in events that were stored before there was this column. An erasure compares it (`rollups/erasure.py`).
    stored_no: Mapped[int | None] = mapped_column(
        BigInteger, server_default=text("nextval('event_stored_no'::regclass)")
    )

    __mapper_args__ = {"primary_key": ["project_id", "event_id"]}  # noqa: RUF012 - the name and form are SQLAlchemy's


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
    #: Null where the bytes name no project.
    project_id: Mapped[str | None] = mapped_column(String(MAX_ID_LENGTH), ForeignKey("projects.id", ondelete="CASCADE"))
    stream: Mapped[str]
    entry_id: Mapped[str]
    body: Mapped[bytes] = mapped_column(LargeBinary)
    #: Its part before the first colon names the kind.
    reason: Mapped[str]
    #: The number of failures; each replay may add one.
    attempts: Mapped[int] = mapped_column(server_default="1")
    created_at: Mapped[CreatedAt]
    last_failed_at: Mapped[CreatedAt]
    #: The time of the last replay; the row is deleted when the entry is stored.
    replayed_at: Mapped[datetime | None]


class Device(Model):
    """A device that a project has had an event or an exposure of.

    Devices are numbered one after the other in each project, so that a set of them is a small bitmap. No number is used
    twice. A row is deleted for its age (`rollups/aging.py`). The index of the primary key includes the number, which
    SQLAlchemy cannot describe: the results of experiments read the number of each device from this index alone.
    """

    __tablename__ = "devices"

    project_id: Mapped[PrimaryId]
    device_id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
    #: Entries that were accepted up to here are of the time before its erasure, and are dropped.
    erased_at: Mapped[datetime | None]


class ProjectTotal(Model):
    """The number of devices of a project, and the next number for one. Without devices there may be no row."""

    __tablename__ = "project_totals"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    #: All that were ever seen, also those whose ids are deleted.
    devices: Mapped[int] = mapped_column(BigInteger, server_default="0")
    next_number: Mapped[int] = mapped_column(server_default="0")
    #: The devices whose ids were deleted for their age (`rollups/aging.py`).
    aged_devices: Mapped[int] = mapped_column(BigInteger, server_default="0")
    #: The first kept day of the last complete pass that looked for such devices.
    aged_to: Mapped[date | None]
    #: Read by release 0.2.0 only. A release after this one drops the column.
    is_uncounted: Mapped[bool] = mapped_column(server_default="false")


class ProjectUsage(Model):
    """The use of a project's quotas on the last UTC day with records (`rollups/usage.py`)."""

    __tablename__ = "project_usage"
    __table_args__ = (Index("ix_project_usage_day", "day"),)

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    day: Mapped[date]
    #: New events, without repeated ones.
    events: Mapped[int] = mapped_column(BigInteger)
    #: The bytes of the properties of these events, as JSON.
    property_bytes: Mapped[int] = mapped_column(BigInteger)
    new_devices: Mapped[int] = mapped_column(BigInteger)


class UncountedBatch(Model):
    """The new records of one project in one batch, until rollups count them (`rollups/uncounted.py`).

    Release 0.2.0 counts in the transaction of the batch, and writes no row here.
    """

    __tablename__ = "uncounted_batches"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    #: Higher than the number of an erasure that was recorded before the batch was stored.
    stored_no: Mapped[int] = mapped_column(
        BigInteger, primary_key=True, autoincrement=False, server_default=text("nextval('event_stored_no'::regclass)")
    )
    stored_at: Mapped[CreatedAt]
    #: The number of records.
    events: Mapped[int]
    records: Mapped[bytes] = mapped_column(LargeBinary)


class EventType(Model):
    """A name of events that the statistics of a project count apart. Events of other names count as `(other)`."""

    __tablename__ = "event_types"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    event_type: Mapped[str] = mapped_column(primary_key=True)


class _RollupColumns:
    """The columns of the tables of rollups.

    Rollups are read for every statistic (contract, section 3, Statistics). They can be rebuilt from the raw
    tables, and do not depend on the order of events. They have no foreign keys; a trigger on `projects` removes them.
    """

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    project_id: Mapped[Id]
    breakdown: Mapped[str]
    #: Of the events' own time; null where all days are counted together.
    day: Mapped[date | None]
    event_type: Mapped[str | None]
    flow_id: Mapped[str | None]
    screen_id: Mapped[str | None]
    experiment_id: Mapped[str | None]
    variant: Mapped[str | None]
    platform: Mapped[str | None]
    events: Mapped[int] = mapped_column(BigInteger)
    #: A Roaring bitmap of their numbers, in its portable format.
    devices: Mapped[bytes] = mapped_column(LargeBinary)
    #: A millisecond of the day for each device, in the order of the numbers, 4 bytes each, little-endian.
    moments: Mapped[bytes | None] = mapped_column(LargeBinary)
    is_merged: Mapped[bool] = mapped_column(server_default="false")


class ActivityRollup(_RollupColumns, Model):
    """A rollup: the number of events of one kind on one UTC day, and their devices (`rollups/rollup.py`).

    Each count of new events adds deltas, which are merged later (`rollups/compaction.py`). Readers combine all rows of
    a key.
    """

    __tablename__ = "activity_cells"
    __table_args__ = (
        Index("ix_activity_cells_types", "project_id", "breakdown", "day", "flow_id", "event_type"),
        Index("ix_activity_cells_pieces", "project_id", "day", postgresql_where=text("NOT is_merged")),
    )


class ResultRollup(_RollupColumns, Model):
    """Events of one type on one UTC day, with the last time of each device, counted back from the end of the day.

    The results of experiments are read from it. It is written and compacted like :class:`ActivityRollup`.
    """

    __tablename__ = "result_cells"
    __table_args__ = (
        Index("ix_result_cells_place", "project_id", "day", "event_type"),
        Index("ix_result_cells_pieces", "project_id", "day", postgresql_where=text("NOT is_merged")),
    )


class LinkRollup(_RollupColumns, Model):
    """The views of one screen on one UTC day to which one rule, or the order, led from one screen.

    The paths of a flow are read from it. It is written and compacted like :class:`ActivityRollup`. Release 0.2.0
    neither reads nor writes it.
    """

    __tablename__ = "link_cells"
    __table_args__ = (
        Index("ix_link_cells_place", "project_id", "day", "screen_id"),
        Index("ix_link_cells_pieces", "project_id", "day", postgresql_where=text("NOT is_merged")),
    )

    #: Empty for the start of the flow.
    from_screen_id: Mapped[str | None]
    rule: Mapped[str | None]


class LocaleRollup(_RollupColumns, Model):
    """The events of one type and flow on one UTC day in one language.

    It is written and compacted like :class:`ActivityRollup`. Release 0.2.0 neither reads nor writes it.
    """

    __tablename__ = "locale_cells"
    __table_args__ = (
        Index("ix_locale_cells_place", "project_id", "day", "flow_id"),
        Index("ix_locale_cells_pieces", "project_id", "day", postgresql_where=text("NOT is_merged")),
    )

    locale: Mapped[str | None]


class FlowTotal(Model):
    """The devices that started a flow of a large project, and those of them that completed it (`rollups/totals.py`).

    The row with an empty `flow_id` counts each device of all flows once.
    """

    __tablename__ = "flow_totals"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    flow_id: Mapped[str] = mapped_column(primary_key=True)
    started: Mapped[int] = mapped_column(BigInteger)
    completed: Mapped[int] = mapped_column(BigInteger)
    #: The digest of the versions of the rollup rows that are counted. The row is void where the rows have another one.
    covered: Mapped[bytes] = mapped_column(LargeBinary)


class RollupCheckpoint(Model):
    """The devices of all days before a day, in a large project (`rollups/checkpoints.py`).

    The row with an empty `flow_id` has the devices of any event or exposure, other rows those that started the flow.
    """

    __tablename__ = "rollup_checkpoints"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    before: Mapped[date] = mapped_column(primary_key=True)
    flow_id: Mapped[str] = mapped_column(primary_key=True)
    #: The rollup rows up to this id are read.
    last_row_id: Mapped[int] = mapped_column(BigInteger)
    devices: Mapped[bytes] = mapped_column(LargeBinary)
    #: The first start of each device: 8 bytes each, little-endian milliseconds since 1970.
    starts: Mapped[bytes | None] = mapped_column(LargeBinary)
    #: The devices that completed the flow.
    completed: Mapped[bytes | None] = mapped_column(LargeBinary)


class ErasedDevice(Model):
    """The digest of a device whose erasure was requested: of its id, and a day later keyed.

    Release 0.2.0 writes and finds digests without a key only (`rollups/device_digests.py`).
    """

    __tablename__ = "erased_devices"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    is_keyed: Mapped[bool] = mapped_column(server_default="false")
    erased_at: Mapped[datetime]
    #: Events and uncounted batches below this number were stored before the last erasure. Null: by release 0.2.0.
    last_stored_no: Mapped[int | None] = mapped_column(BigInteger)
    #: Read by release 0.2.0 only. A release after this one drops the column.
    pending_number: Mapped[int | None]


def digest_of_device(project_id: str, device_id: str) -> bytes:
    """Return the digest of a device of a project. Ids that are addresses or numbers can be found by trial."""
    return hashlib.sha256(f"{project_id}:{device_id}".encode()).digest()


class PendingErasure(Model):
    """An erasure that is not complete yet. The row goes when nothing of the device is left."""

    __tablename__ = "pending_erasures"
    __table_args__ = (Index("ix_pending_erasures_project_id_device_id", "project_id", "device_id"),)

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    device_id: Mapped[str]
    #: The number that the device had, if it had one.
    number: Mapped[int | None]
    #: The events and the dead letters up to these, and no later ones, were stored before the erasure.
    last_stored_no: Mapped[int] = mapped_column(BigInteger)
    last_dead_letter_id: Mapped[int] = mapped_column(BigInteger)
    noted_at: Mapped[CreatedAt]
