"""Devices of testers, which are always given one flow (contract, section 4)."""

from sqlalchemy import CheckConstraint, ForeignKeyConstraint, Index
from sqlalchemy.orm import Mapped, mapped_column

from management_api.database.audited import Audited
from management_api.database.model import Id, Model, PrimaryId


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

    audited = Audited("qa_device", ("flow_id",), id_column="device_id")

    project_id: Mapped[PrimaryId]
    device_id: Mapped[str] = mapped_column(primary_key=True)
    flow_id: Mapped[Id]
