"""What a recomputation finds."""

from dataclasses import dataclass
from datetime import date


@dataclass(frozen=True, slots=True)
class Difference:
    """Something that is stored otherwise than it follows from the raw tables. `day` is None for all days together."""

    project_id: str
    what: str
    day: date | None
    stored: str
    recomputed: str
