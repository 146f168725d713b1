"""CSS hex colours and their contrast (WCAG 2.2, Contrast ratio and Relative luminance)."""

#: WCAG 2.2, success criterion 1.4.3, level AA.
MIN_CONTRAST = 4.5
_SHORT_LENGTH = 3


def contrast_ratio(first: str, second: str) -> float:
    """Return the contrast of two CSS hex colours, from 1 to 21; their transparency is ignored."""
    lighter, darker = sorted((luminance(first), luminance(second)), reverse=True)
    return (lighter + 0.05) / (darker + 0.05)


def mixed(first: str, second: str, share: float) -> str:
    """Return the colour that has a share of the second one over the first one."""
    channels = zip(_channels(first), _channels(second), strict=True)
    return "#" + "".join(f"{round(below + (above - below) * share):02x}" for below, above in channels)


def luminance(color: str) -> float:
    """Return the relative luminance of a CSS hex colour, from 0 to 1."""
    red, green, blue = (_linear(channel / 255) for channel in _channels(color))
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def _channels(color: str) -> tuple[int, int, int]:
    digits = color.removeprefix("#")
    if len(digits) == _SHORT_LENGTH:
        digits = "".join(digit * 2 for digit in digits)
    return int(digits[:2], 16), int(digits[2:4], 16), int(digits[4:6], 16)


def _linear(channel: float) -> float:
    is_dark = channel <= 0.04045  # noqa: PLR2004 - the formula's
    return channel / 12.92 if is_dark else ((channel + 0.055) / 1.055) ** 2.4
