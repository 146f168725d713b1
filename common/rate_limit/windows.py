"""The windows that requests are counted in: one hour each, aligned to the UTC hour (contract, section 1)."""

WINDOW_SECONDS = 3600


def window_at(now: float) -> int:
    """Give the number of the window that a Unix time lies in."""
    return int(now // WINDOW_SECONDS)


def window_end(window: int) -> int:
    """Give the Unix second at which a window ends and the next begins."""
    return (window + 1) * WINDOW_SECONDS
