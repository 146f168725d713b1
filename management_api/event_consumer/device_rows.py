"""Devices as rows of PostgreSQL's binary COPY format."""

import struct
from collections.abc import Iterable

from management_api.database.binary_copy import (
    HEADER,
    NULL,
    TRAILER,
    TextFields,
    bytes_field,
    columns_of_row,
    moment_field,
)

#: Takes what `copied_devices` gives.
COPY_DEVICES = "COPY devices (project_id, device_id, number, erased_at) FROM STDIN (FORMAT binary)"

_COLUMNS = columns_of_row(4)
_number = struct.Struct(">ii").pack


def copied_devices(devices: Iterable[tuple[str, str, int, int | None]]) -> bytes:
    """Encode devices: project, id, number, and the millisecond of the erasure, if there was one."""
    projects = TextFields()
    parts = [HEADER]
    for project_id, device_id, number, erased_at_ms in devices:
        parts += (
            _COLUMNS,
            projects[project_id],
            bytes_field(device_id.encode()),
            _number(4, number),
            NULL if erased_at_ms is None else moment_field(erased_at_ms),
        )
    return b"".join((*parts, TRAILER))
