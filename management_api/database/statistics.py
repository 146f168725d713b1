"""What activity is counted in (contract, section 3, Statistics, defined): devices by number, and cells.

All of it can be recomputed from the raw tables, and none depends on the order in which events arrive. Like the raw
tables these have no foreign keys; a trigger on `projects` takes along what is theirs.
"""

from datetime import date, datetime

from sqlalchemy import BigInteger, ForeignKey, Identity, Index, LargeBinary, text
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.model import CreatedAt, Id, Model, PrimaryId


class Device(Model):
    """A device that was ever seen in a project, by an event or an exposure.

    Devices are numbered one after the other in each project, so that a set of them is a small bitmap. A number is never
    given twice.
    """

    __tablename__ = "devices"

    project_id: Mapped[PrimaryId]
    device_id: Mapped[str] = mapped_column(primary_key=True)
    number: Mapped[int]
    #: What was accepted up to here is of the time before its erasure, and is dropped.
    erased_at: Mapped[datetime | None]


class ProjectTotal(Model):
    """How many devices a project has, and the next number for one. Without any there may be no row."""

    __tablename__ = "project_totals"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    devices: Mapped[int] = mapped_column(BigInteger, server_default="0")
    next_number: Mapped[int] = mapped_column(server_default="0")
    #: Its raw events are older than its cells, which upkeep counts.
    is_uncounted: Mapped[bool] = mapped_column(server_default="false")


class _CellColumns:
    """The columns of the tables of cells."""

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


class ActivityCell(_CellColumns, Model):
    """Events of one kind on one UTC day: how many, and of which devices (`activity/cells.py`).

    The event consumer adds pieces of cells, in the transaction of the events that they count; upkeep merges them.
    Readers add up whatever pieces there are.
    """

    __tablename__ = "activity_cells"
    __table_args__ = (
        Index("ix_activity_cells_place", "project_id", "breakdown", "day", "flow_id"),
        Index("ix_activity_cells_pieces", "project_id", "day", postgresql_where=text("NOT is_merged")),
    )


class ResultCell(_CellColumns, Model):
    """Events of one type on one UTC day, with the last moment of each device, counted back from the day's end.

    The results of experiments are read from them; they are written and merged as activity cells are.
    """

    __tablename__ = "result_cells"
    __table_args__ = (
        Index("ix_result_cells_place", "project_id", "day", "event_type"),
        Index("ix_result_cells_pieces", "project_id", "day", postgresql_where=text("NOT is_merged")),
    )


class ErasedDevice(Model):
    """A device whose erasure was asked for; only who knows its id can tell which one it was."""

    __tablename__ = "erased_devices"

    project_id: Mapped[PrimaryId] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    digest: Mapped[bytes] = mapped_column(LargeBinary, primary_key=True)
    erased_at: Mapped[datetime]
    #: Of the release before: the number that the device had, until nothing of it is left.
    pending_number: Mapped[int | None]


class PendingErasure(Model):
    """An erasure that is not complete yet. The row goes when nothing of the device is left."""

    __tablename__ = "pending_erasures"

    id: Mapped[int] = mapped_column(BigInteger, Identity(always=True), primary_key=True)
    project_id: Mapped[Id] = mapped_column(ForeignKey("projects.id", ondelete="CASCADE"))
    device_id: Mapped[str]
    #: The number that the device had, if it had one.
    number: Mapped[int | None]
    #: The events and the dead letters up to these, and no later ones, were stored before the erasure.
    last_stored_no: Mapped[int] = mapped_column(BigInteger)
    last_dead_letter_id: Mapped[int] = mapped_column(BigInteger)
    noted_at: Mapped[CreatedAt]
