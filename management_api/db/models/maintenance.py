"""The state of each chore (`management_api/background/health.py`)."""

from datetime import datetime

from sqlalchemy.orm import Mapped, mapped_column

from management_api.db.models.base import Model


class MaintenanceChore(Model):
    """The last success of a chore in any process; `failing_since` and `reason` are null after a success."""

    __tablename__ = "maintenance_chores"

    name: Mapped[str] = mapped_column(primary_key=True)
    succeeded_at: Mapped[datetime | None]
    failing_since: Mapped[datetime | None]
    reason: Mapped[str | None]
