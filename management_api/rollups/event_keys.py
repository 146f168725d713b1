"""The columns by which an event is counted, for new events and for stored ones that are counted again.

A `screen_viewed` says by its properties how the path led to the screen: `from_screen_id`,
which is null on the first screen, and `rule`, which is null for the order of the screens. After Back it has `is_back`.
Events of older SDKs have none of them, and add no link.
"""

import re
from collections.abc import Mapping
from typing import Any

from common.wire.stream_records import EventRecord
from management_api.rollups.rollup import VIEWED, EventKey

#: In place of a screen: the start of a flow.
START = ""
#: Longer names are no ids of screens.
MAX_SCREEN_ID_LENGTH = 100
_RULE = re.compile(r"[a-z0-9_]{1,32}")

#: The columns of a stored event for `stored_event_key`, in its order.
STORED_KEY_COLUMNS = f"""event_type, flow_id, screen_id, experiment_id, variant, platform, locale,
        CASE WHEN event_type = '{VIEWED}' AND properties ? 'from_screen_id' THEN properties END"""


def event_key(record: EventRecord) -> EventKey:
    """Return the columns by which an event is counted."""
    return stored_event_key(
        record.event_type, record.flow_id, record.screen_id, record.experiment_id, record.variant, record.platform,
        record.locale, record.properties,
    )  # fmt: skip


def stored_event_key(  # noqa: PLR0913, PLR0917 - the columns of a row
    event_type: str,
    flow_id: str | None,
    screen_id: str | None,
    experiment_id: str | None,
    variant: str | None,
    platform: str | None,
    locale: str | None,
    properties: Mapping[str, Any] | None,
) -> EventKey:
    """Return the columns by which an event is counted, given its values; the properties of other views may be None."""
    from_screen_id = rule = None
    if event_type == VIEWED and screen_id is not None and properties and "from_screen_id" in properties:
        from_screen_id, rule = _link(screen_id, properties)
    return event_type, flow_id, screen_id, experiment_id, variant, platform, from_screen_id, rule, locale


def _link(screen_id: str, properties: Mapping[str, Any]) -> tuple[str | None, str | None]:
    """Return the screen before the view (START: none), and the rule. No screen: the view adds no link."""
    before, rule = properties["from_screen_id"], properties.get("rule")
    if before is None:
        before = START
    elif not isinstance(before, str) or not 0 < len(before) <= MAX_SCREEN_ID_LENGTH:
        return None, None
    if properties.get("is_back") is True or before == screen_id:
        return None, None
    return before, rule if isinstance(rule, str) and _RULE.fullmatch(rule) else None
