"""The event stream of a device."""

from collections import Counter

from common.wire.redis_keys import event_stream_of, event_streams


def test_devices_of_one_project_are_spread_over_all_streams() -> None:
    devices = Counter(event_stream_of("proj_1", f"device {number}") for number in range(1000))
    assert devices.keys() == set(event_streams())
    assert min(devices.values()) > 200
