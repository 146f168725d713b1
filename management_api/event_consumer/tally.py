"""What a consumer has done since it started: counters for metrics and for the file that says it is alive."""

from dataclasses import dataclass, field

from common.telemetry.samples import Histogram


@dataclass(slots=True)
class Tally:
    """The counters of one lane; only its own thread writes them."""

    #: Entries committed to PostgreSQL, repeated ones included.
    stored: int = 0
    batches: int = 0
    dead_letters: int = 0
    #: Entries left for later because somebody holds their project's rows.
    held_back: int = 0
    #: Entries taken over from dead consumers, or tried again.
    taken_over: int = 0
    outages: int = 0
    #: Whether PostgreSQL and Redis answered at the last try.
    is_well: bool = True
    #: Monotonic seconds of the last step that came to an end, be it in an error.
    last_step_at: float = 0.0
    #: How long each batch took to be stored.
    durations: Histogram = field(default_factory=Histogram)
