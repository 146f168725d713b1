"""Dead letters as an operator asks for them: some or all, how many of each kind, one by one."""

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy import ColumnElement, Select, func, select, true
from sqlalchemy.orm import Session

from management_api.database.events import DeadLetter

#: The part of a reason that letters are told apart by: the name of the error.
KIND = func.split_part(DeadLetter.reason, ":", 1)


@dataclass(frozen=True, slots=True)
class WhichLetters:
    """Those that fit everything that is named; nothing named means all."""

    ids: tuple[int, ...] = ()
    kind: str | None = None
    project_id: str | None = None
    #: Also those that were replayed and of which nothing was heard since.
    replayed_too: bool = False

    def condition(self) -> ColumnElement[bool]:
        """Give the condition that a letter has to meet."""
        condition: ColumnElement[bool] = true()
        if self.ids:
            condition &= DeadLetter.id.in_(self.ids)
        if self.kind is not None:
            condition &= self.kind == KIND
        if self.project_id is not None:
            condition &= DeadLetter.project_id == self.project_id
        if not self.replayed_too:
            condition &= DeadLetter.replayed_at.is_(None)
        return condition


@dataclass(frozen=True, slots=True)
class KindOfLetters:
    """How many letters there are of one kind. `replayed` of them are on their way through their stream again."""

    kind: str
    letters: int
    replayed: int
    oldest_at: datetime


def kinds_of_letters(session: Session) -> list[KindOfLetters]:
    """Count the letters of each kind, most first."""
    letters = func.count()
    counted = select(KIND, letters, func.count(DeadLetter.replayed_at), func.min(DeadLetter.created_at))
    return [KindOfLetters(*row) for row in session.execute(counted.group_by(KIND).order_by(letters.desc(), KIND))]


def count_letters(session: Session, which: WhichLetters) -> int:
    """Count the letters."""
    return session.scalar(select(func.count()).select_from(DeadLetter).where(which.condition())) or 0


def newest_letters(session: Session, which: WhichLetters, count: int) -> list[DeadLetter]:
    """Give the newest letters, without their bodies' being of interest."""
    return list(session.scalars(_letters(which).order_by(DeadLetter.id.desc()).limit(count)))


def pages_of_letters(session: Session, which: WhichLetters, size: int) -> Iterator[list[DeadLetter]]:
    """Give all letters that there are now, the oldest first, in pages of a bounded size."""
    last = session.scalar(select(func.max(DeadLetter.id))) or 0
    after = 0
    while page := list(
        session.scalars(
            _letters(which).where(DeadLetter.id > after, DeadLetter.id <= last).order_by(DeadLetter.id).limit(size)
        )
    ):
        yield page
        after = page[-1].id
        session.expunge_all()


def _letters(which: WhichLetters) -> Select[DeadLetter]:
    return select(DeadLetter).where(which.condition())
