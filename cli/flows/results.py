"""The options of an apply, and its result."""

from collections.abc import Sequence
from dataclasses import dataclass, field

from cli.errors import CommandError

NOTE = "onboarding flows apply"


class ApplyError(CommandError):
    """A flow or theme that is not applied; `problems` are further lines, each with its place in the file."""

    def __init__(self, message: str, problems: tuple[tuple[Sequence[str], str], ...] = ()) -> None:
        super().__init__(message)
        self.problems = problems


@dataclass(frozen=True, slots=True)
class ApplyOptions:
    """The options of an apply."""

    draft: bool = False
    ignore_warnings: bool = False
    replace_drafts: bool = False
    note: str = NOTE


@dataclass(slots=True)
class Applied:
    """The result of an apply; each error names a file."""

    created: int = 0
    changed: int = 0
    drafts: int = 0
    archived: int = 0
    deleted: int = 0
    unchanged: int = 0
    errors: list[str] = field(default_factory=list)
    #: Whether the service stopped responding.
    is_cut_off: bool = False
