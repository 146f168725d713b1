"""By what activity is counted: the breakdowns, the columns that each tells apart, and the moments that are kept.

A question is answered from the coarsest breakdown that has all of its columns; FULL has all there are.
"""

from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from enum import StrEnum


class Breakdown(StrEnum):
    """A way in which the events of a day are divided into cells."""

    # Cells are looked up by it all the time, and an enumeration's own hash is made by Python code.
    __hash__ = str.__hash__

    ALL = "all"
    FLOW = "flow"
    SCREEN = "screen"
    VARIANT = "variant"
    PLATFORM = "platform"
    FULL = "full"
    #: Exposures, which are no events, by flow.
    EXPOSURE = "exposure"
    #: Starts and completions by flow, of all days together.
    EVER = "ever"
    #: For the results of experiments: by type, with the *last* moment of each device. In a table of their own, because
    #: the release before cannot read cells of a breakdown that it does not have.
    TYPE = "type"


#: The columns of the key of a cell, besides project, breakdown and day.
KEY_COLUMNS = ("event_type", "flow_id", "screen_id", "experiment_id", "variant", "platform")

#: The columns that a breakdown of events tells apart, the coarsest first.
_COLUMNS: Mapping[Breakdown, AbstractSet[str]] = {
    Breakdown.ALL: frozenset(),
    Breakdown.PLATFORM: frozenset({"platform"}),
    Breakdown.VARIANT: frozenset({"experiment_id", "variant"}),
    Breakdown.FLOW: frozenset({"event_type", "flow_id"}),
    Breakdown.SCREEN: frozenset({"event_type", "screen_id"}),
    Breakdown.FULL: frozenset(KEY_COLUMNS),
}

#: The tables of cells; each breakdown has its cells in one of them.
ACTIVITY_CELLS, RESULT_CELLS = "activity_cells", "result_cells"
CELL_TABLES = (ACTIVITY_CELLS, RESULT_CELLS)


def table_of(breakdown: Breakdown) -> str:
    """Return the table that has the cells of a breakdown."""
    return RESULT_CELLS if breakdown is Breakdown.TYPE else ACTIVITY_CELLS


STARTED, COMPLETED = "flow_started", "flow_completed"
VIEWED, SCREEN_COMPLETED = "screen_viewed", "screen_completed"
#: The events of which each device's first moment on each day is kept: by flow, and by screen.
JOURNEY_TYPES = frozenset({STARTED, COMPLETED})
VISIT_TYPES = frozenset({VIEWED, SCREEN_COMPLETED})


def breakdown_with(columns: AbstractSet[str]) -> Breakdown:
    """Give the coarsest breakdown of events that tells these columns apart."""
    return next(breakdown for breakdown, known in _COLUMNS.items() if columns <= known)
