"""Fonts: parsed and written anew as WOFF2, without hinting programs."""

import encodings
import importlib
import pkgutil
from contextlib import suppress
from io import BytesIO

import brotli  # noqa: F401 - fontTools compresses with it
import fontTools
from fontTools import cffLib, misc, ttLib
from fontTools.subset import Options, Subsetter
from fontTools.ttLib import TTFont, tables

from management_api.media.facts import (
    ACCEPTED_TYPES,
    KeptFile,
    MediaFacts,
    MediaKind,
    ReadMedia,
    Role,
    UnreadableMediaError,
)
from management_api.media.readers.font_metrics import measure, unify_lines

MAX_GLYPHS = 65_535
_MAX_NAME = 100
_SIGNATURES = {"WOFF2": (b"wOF2",), "WOFF": (b"wOFF",), "TTF": (b"\0\1\0\0", b"true"), "OTF": (b"OTTO",)}
_FAMILY_NAMES = (16, 1)
_LIGHTEST, _HEAVIEST, _REGULAR = 1, 1000, 400
_IS_ITALIC = 0x01
#: Tables that a text on a page is drawn with. Others, such as programs and signatures, are left out.
_KEPT_TABLES = """
    BASE CBDT CBLC CFF CFF2 COLR CPAL GDEF GPOS GSUB HVAR MVAR OS/2 STAT VVAR VORG avar cmap fvar glyf gvar head hhea
    hmtx kern loca maxp name post sbix vhea vmtx
"""


def preload() -> None:
    """Import the modules that would be imported when a font needs them: tables, encodings of names, glyph lists."""
    for package in (fontTools, ttLib, tables, cffLib, misc, encodings):
        for module in pkgutil.iter_modules(package.__path__):
            # Some modules are of another system, or need a library that is not there.
            with suppress(ImportError):
                importlib.import_module(f"{package.__name__}.{module.name}")


def read(data: bytes, content_type: str) -> ReadMedia:
    """Return the font as WOFF2. Raises UnreadableMediaError."""
    name = ACCEPTED_TYPES[content_type].name
    if not data.startswith(_SIGNATURES[name]):
        raise UnreadableMediaError(f"is not a {name} font")
    try:
        return _rewritten(data)
    except (UnreadableMediaError, OSError):
        # A file that the process cannot open is a defect of `preload`, which the parent logs.
        raise
    # fontTools reads damaged tables until something fails, with errors of any kind.
    except Exception as error:
        raise UnreadableMediaError(f"is a damaged {name} font") from error


def _rewritten(data: bytes) -> ReadMedia:
    font = TTFont(BytesIO(data), lazy=True, recalcTimestamp=False)
    if font["maxp"].numGlyphs > MAX_GLYPHS:
        raise UnreadableMediaError(f"may have at most {MAX_GLYPHS} glyphs")
    family, weight, style = _described(font)
    metrics = measure(font)
    unify_lines(font)
    options = Options(
        hinting=False,
        layout_features=["*"],
        glyph_names=False,
        legacy_kern=True,
        notdef_outline=True,
        recommended_glyphs=True,
        name_IDs=["*"],
        drop_tables=[tag for tag in font.reader.tables if tag.strip() not in _KEPT_TABLES.split()],
        passthrough_tables=True,
    )
    subsetter = Subsetter(options)
    subsetter.populate(glyphs=font.getGlyphOrder(), unicodes=font.getBestCmap() or {})
    subsetter.subset(font)
    font.flavor = "woff2"
    written = BytesIO()
    font.save(written)
    content = written.getvalue()
    kept = KeptFile(role=Role.MAIN, content_type="font/woff2", size=len(content))
    facts = MediaFacts(kind=MediaKind.FONT, files=[kept], family=family, weight=weight, style=style, metrics=metrics)
    return ReadMedia(facts, [content])


def _described(font: TTFont) -> tuple[str, int, str]:
    """Return the family, the weight from 1 to 1000, and the style. Raises UnreadableMediaError without a family."""
    names = (font["name"].getDebugName(number) for number in _FAMILY_NAMES)
    family = next((name.strip()[:_MAX_NAME] for name in names if name and name.strip()), None)
    if family is None:
        raise UnreadableMediaError("has no name of a family")
    table = font.get("OS/2")
    weight = table.usWeightClass if table is not None else _REGULAR
    is_italic = table is not None and table.fsSelection & _IS_ITALIC
    return family, min(max(weight, _LIGHTEST), _HEAVIEST), "italic" if is_italic else "normal"
