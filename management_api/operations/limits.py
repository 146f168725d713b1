"""How many of each thing there may be: the settings say it, and constructors hand it down to here."""

from dataclasses import dataclass

from sqlalchemy import ColumnElement, func, select
from sqlalchemy.orm import Session

from common.errors import ConflictError
from common.settings import ManagementSettings


@dataclass(frozen=True, slots=True)
class Limits:
    """The most of each kind. What holds a lock while it counts keeps exactly to them."""

    projects_per_user: int
    members_per_project: int
    flows_per_project: int
    screens_per_flow: int
    themes_per_project: int
    living_secret_keys: int

    @classmethod
    def of(cls, settings: ManagementSettings) -> "Limits":
        """Take the limits out of the settings."""
        return cls(
            projects_per_user=settings.max_projects_per_user,
            members_per_project=settings.max_members_per_project,
            flows_per_project=settings.max_flows_per_project,
            screens_per_flow=settings.max_screens_per_flow,
            themes_per_project=settings.max_themes_per_project,
            living_secret_keys=settings.max_living_secret_keys,
        )


def check_room(session: Session, *rows: ColumnElement[bool], at_most: int, complaint: str) -> None:
    """Raise ConflictError when as many rows as there may be are there already; `complaint` says of what."""
    count = session.scalar(select(func.count()).where(*rows)) or 0
    if count >= at_most:
        raise ConflictError(f"{complaint} at most {at_most}")
