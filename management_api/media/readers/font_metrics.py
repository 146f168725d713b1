"""Measures of a font, by which pages give a font of the system its size until the font has arrived."""

from fontTools.ttLib import TTFont

from management_api.media.facts import FontMetrics

#: Of 1,000 letters of English text, with the spaces.
_FREQUENCIES = {
    " ": 183,
    "e": 102,
    "t": 75,
    "a": 65,
    "o": 62,
    "n": 57,
    "i": 57,
    "s": 53,
    "r": 50,
    "h": 50,
    "l": 33,
    "d": 33,
    "u": 23,
    "c": 22,
    "m": 20,
    "f": 20,
    "w": 17,
    "g": 16,
    "p": 15,
    "y": 14,
    "b": 13,
    "v": 8,
    "k": 6,
    "x": 1,
    "j": 1,
}
#: The mean width of these letters in Arial, in em. Arimo, Helvetica and Liberation Sans have its widths; Roboto's are
#: close. Arimo 1.341 has 0.43928, because it rounds each width to 1/2048 em.
_STAND_IN_WIDTH = 0.43924
#: A stand-in of another size than these would not be legible.
_SIZES = (0.4, 2.5)
_DIGITS = 4
_USE_TYPO_METRICS = 1 << 7
_MAX_LINE = 4.0
_LIGHTEST, _HEAVIEST = 1, 1000


def measure(font: TTFont) -> FontMetrics:
    """Return the measures of a font; without a size where it lacks the letters of the comparison."""
    em = float(font["head"].unitsPerEm)
    size = _size(font, em)
    # Browsers multiply the lines of the stand-in by its size.
    share = (size or 1.0) * em
    ascent, descent, line_gap = (round(min(max(line, 0) / share, _MAX_LINE), _DIGITS) for line in _lines(font))
    return FontMetrics(ascent=ascent, descent=descent, line_gap=line_gap, size=size, weights=_weights(font))


def unify_lines(font: TTFont) -> None:
    """Write the lines that OS/2 asks for into hhea, because Apple's systems read hhea alone."""
    font["hhea"].ascent, descent, font["hhea"].lineGap = _lines(font)
    font["hhea"].descent = -descent


def _lines(font: TTFont) -> tuple[int, int, int]:
    """Return the ascent, the descent and the gap between lines, in units of the font, as phones read them."""
    table, header = font.get("OS/2"), font["hhea"]
    if table is not None and table.fsSelection & _USE_TYPO_METRICS:
        return table.sTypoAscender, -table.sTypoDescender, table.sTypoLineGap
    return header.ascent, -header.descent, header.lineGap


def _size(font: TTFont, em: float) -> float | None:
    """Return the size of the stand-in in parts of the font's: its letters take the same space in a text."""
    glyphs, widths = font.getBestCmap() or {}, font["hmtx"].metrics
    if any(ord(letter) not in glyphs for letter in _FREQUENCIES):
        return None
    total = sum(widths[glyphs[ord(letter)]][0] * count for letter, count in _FREQUENCIES.items())
    size = round(total / sum(_FREQUENCIES.values()) / em / _STAND_IN_WIDTH, _DIGITS)
    return size if _SIZES[0] <= size <= _SIZES[1] else None


def _weights(font: TTFont) -> list[int]:
    """Return the lightest and the heaviest weight of a variable font."""
    axes = font["fvar"].axes if "fvar" in font else ()
    return [
        int(min(max(value, _LIGHTEST), _HEAVIEST))
        for axis in axes
        if axis.axisTag == "wght"
        for value in (axis.minValue, axis.maxValue)
    ]
