"""Compares the devices of a project, their numbers and their count with the raw tables."""

from collections.abc import Iterator
from typing import Any

import psycopg

from management_api.activity.differences import Difference

HOLD_NUMBERING = """
    INSERT INTO project_totals (project_id) SELECT id FROM projects WHERE id = %s
    ON CONFLICT (project_id) DO UPDATE SET devices = project_totals.devices
"""
#: What is left of an erased device has no number, and goes.
UNNUMBERED = """
    SELECT device_id FROM events WHERE project_id = %(project)s
    UNION SELECT device_id FROM exposures WHERE project_id = %(project)s
    EXCEPT SELECT device_id FROM devices WHERE project_id = %(project)s
    EXCEPT SELECT device_id FROM pending_erasures WHERE project_id = %(project)s
    ORDER BY 1
"""
COUNTED = """
    SELECT coalesce((SELECT devices FROM project_totals WHERE project_id = %(project)s), 0),
        (SELECT count(*) FROM devices WHERE project_id = %(project)s)
"""
NUMBER = """
    INSERT INTO devices (project_id, device_id, number)
    SELECT project_id, device_id, next_number - 1 + row_number() OVER (ORDER BY device_id)
    FROM unnest(%(devices)s::text[]) AS given (device_id), project_totals WHERE project_id = %(project)s
"""
#: A number is never given twice, so that those that were given here are passed, too.
COUNT = """
    UPDATE project_totals SET devices = %(count)s, next_number = greatest(next_number, (
        SELECT max(number) + 1 FROM devices WHERE project_id = %(project)s
    )) WHERE project_id = %(project)s
"""


def device_differences(connection: psycopg.Connection[Any], project_id: str, *, repair: bool) -> Iterator[Difference]:
    """Give what differs, and with `repair` put it right; a device that nothing is left of stays known."""
    values = {"project": project_id}
    if repair:
        connection.execute(HOLD_NUMBERING, [project_id])
    unnumbered = [device_id for (device_id,) in connection.execute(UNNUMBERED, values)]
    if unnumbered:
        yield Difference(project_id, "devices without a number", None, "none", str(len(unnumbered)))
    if unnumbered and repair:
        connection.execute(NUMBER, {**values, "devices": unnumbered})
    for kept, counted in connection.execute(COUNTED, values).fetchall():
        if kept != counted:
            yield Difference(project_id, "devices", None, str(kept), str(counted))
        if repair and (unnumbered or kept != counted):
            connection.execute(COUNT, {**values, "count": counted})
