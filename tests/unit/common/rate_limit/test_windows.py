"""Windows are hours of UTC."""

from common.rate_limit.windows import WINDOW_SECONDS, window_at, window_end

TEN_O_CLOCK = 1_700_000_000 // 3600 * 3600


def test_a_window_is_an_hour_that_begins_with_the_utc_hour() -> None:
    window = window_at(TEN_O_CLOCK)
    assert window_at(TEN_O_CLOCK + 3599.999) == window
    assert window_at(TEN_O_CLOCK - 0.001) == window - 1
    assert window_end(window) == TEN_O_CLOCK + WINDOW_SECONDS
    assert window_at(window_end(window)) == window + 1
