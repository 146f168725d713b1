"""SVG: written anew from an allow-list, without scripts, links, foreign objects and references to other files.

What the list does not name is left out, so a picture that needs it is drawn without it. The delivery adds a
Content-Security-Policy with a sandbox.
"""

import re
from collections.abc import Iterator
from xml.etree.ElementTree import Element, ParseError, register_namespace, tostring

import tinycss2
from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring
from tinycss2.ast import Declaration, Node, QualifiedRule

from management_api.media.facts import KeptFile, MediaFacts, MediaKind, ReadMedia, Role, UnreadableMediaError

MAX_ELEMENTS = 20_000
MAX_DEPTH = 100
MAX_SIDE = 16_383

_SVG = "http://www.w3.org/2000/svg"
_XLINK = "http://www.w3.org/1999/xlink"
_ELEMENT_NAMES = """
    circle clipPath defs desc ellipse feBlend feColorMatrix feComponentTransfer feComposite feDropShadow feFlood
    feFuncA feFuncB feFuncG feFuncR feGaussianBlur feMerge feMergeNode feMorphology feOffset filter g line
    linearGradient marker mask path pattern polygon polyline radialGradient rect stop style svg symbol text textPath
    title tspan use
    """
_ATTRIBUTE_NAMES = """
    class clip-path clip-rule clipPathUnits color color-interpolation color-interpolation-filters cx cy d
    dominant-baseline dx dy fill fill-opacity fill-rule filter filterUnits flood-color flood-opacity font-family
    font-size font-style font-weight fr fx fy gradientTransform gradientUnits height id in in2 k1 k2 k3 k4
    letter-spacing markerHeight markerUnits markerWidth marker-end marker-mid marker-start mask maskContentUnits
    maskUnits mix-blend-mode mode offset opacity operator orient overflow paint-order pathLength patternContentUnits
    patternTransform patternUnits points preserveAspectRatio primitiveUnits r radius refX refY result rotate rx ry
    slope spreadMethod stdDeviation startOffset stop-color stop-opacity stroke stroke-dasharray stroke-dashoffset
    stroke-linecap stroke-linejoin stroke-miterlimit stroke-opacity stroke-width style tableValues text-anchor
    transform transform-origin type values vector-effect version viewBox visibility width word-spacing x x1 x2 y y1 y2
    """
_ELEMENTS, _ATTRIBUTES = frozenset(_ELEMENT_NAMES.split()), frozenset(_ATTRIBUTE_NAMES.split())
_REFERENCE = re.compile(r"#[A-Za-z_][\w.-]{0,199}", re.ASCII)
_HREFS = frozenset({"href", f"{{{_XLINK}}}href"})
_LENGTH = re.compile(r"\s*([0-9]+(?:\.[0-9]+)?|\.[0-9]+)\s*(?:px)?\s*")
_VIEW_BOX_NUMBERS = 4
#: Functions of CSS that cannot load anything. `url` is judged by its address.
_FUNCTIONS = frozenset(
    {"rgb", "rgba", "hsl", "hsla", "calc", "translate", "translatex", "translatey", "scale", "rotate", "matrix", "var"}
)
_PROPERTY = re.compile(r"-?[a-z][a-z-]*|--[\w-]{1,100}", re.ASCII)


def preload() -> None:
    """Import all parsers, and fill their caches, while files may be opened."""
    read(
        b'<svg xmlns="http://www.w3.org/2000/svg" width="1" height="1"><rect style="fill:red"/></svg>', "image/svg+xml"
    )


def read(data: bytes, _content_type: str) -> ReadMedia:
    """Return the cleaned SVG. Raises UnreadableMediaError."""
    root = _parsed(data)
    _check_weight(root)
    cleaned = _cleaned(root)
    _check_uses(cleaned)
    width, height = _size(cleaned)
    register_namespace("", _SVG)
    content = tostring(cleaned, encoding="unicode").encode()
    kept = KeptFile(
        role=Role.MAIN, content_type="image/svg+xml", size=len(content), width=round(width), height=round(height)
    )
    facts = MediaFacts(kind=MediaKind.IMAGE, files=[kept], width=kept.width, height=kept.height)
    return ReadMedia(facts, [content])


def _parsed(data: bytes) -> Element:
    try:
        root: Element = fromstring(data, forbid_dtd=False, forbid_entities=True, forbid_external=True)
    except DefusedXmlException as error:
        raise UnreadableMediaError("must not declare entities") from error
    except (ParseError, ValueError, LookupError) as error:
        raise UnreadableMediaError("is not an SVG file: its XML is not well-formed") from error
    if root.tag != f"{{{_SVG}}}svg":
        raise UnreadableMediaError(f"is not an SVG file: its root must be svg of the namespace {_SVG}")
    return root


def _check_weight(root: Element) -> None:
    """Raise UnreadableMediaError for too many elements, or elements that are nested too deeply."""
    count, level = 0, [root]
    for _ in range(MAX_DEPTH):
        count += len(level)
        level = [child for element in level for child in element]
        if not level:
            break
    if level or count > MAX_ELEMENTS:
        raise UnreadableMediaError(f"may have at most {MAX_ELEMENTS} elements in {MAX_DEPTH} levels")


def _cleaned(element: Element) -> Element:
    """Return a copy with the elements and attributes of the lists; texts of left out elements go with them."""
    name = element.tag.removeprefix(f"{{{_SVG}}}")
    copy = Element(element.tag, dict(_attributes(element)))
    copy.text = _stylesheet("".join(element.itertext())) if name == "style" else element.text
    copy.tail = element.tail
    if name == "style":
        return copy
    for child in element:
        tag = child.tag if isinstance(child.tag, str) else ""
        if tag.startswith(f"{{{_SVG}}}") and tag.removeprefix(f"{{{_SVG}}}") in _ELEMENTS:
            copy.append(_cleaned(child))
    return copy


def _attributes(element: Element) -> Iterator[tuple[str, str]]:
    for name, value in element.attrib.items():
        if name in _HREFS and _REFERENCE.fullmatch(value.strip()):
            yield "href", value.strip()
        elif name == "style":
            yield name, tinycss2.serialize(_declarations(tinycss2.parse_blocks_contents(value)))
        elif name in _ATTRIBUTES and ("(" not in value or _is_harmless(tinycss2.parse_component_value_list(value))):
            yield name, value


def _stylesheet(text: str) -> str:
    """Return the rules of a style sheet with harmless declarations; rules such as @import are left out."""
    rules = tinycss2.parse_stylesheet(text, skip_comments=True, skip_whitespace=True)
    kept = []
    for rule in rules:
        if isinstance(rule, QualifiedRule) and _is_harmless(rule.prelude):
            body = tinycss2.serialize(_declarations(tinycss2.parse_blocks_contents(rule.content)))
            kept.append(f"{tinycss2.serialize(rule.prelude)}{{{body}}}")
    return "".join(kept)


def _declarations(nodes: list[Node]) -> list[Node]:
    return [
        node
        for node in nodes
        if isinstance(node, Declaration) and _PROPERTY.fullmatch(node.lower_name) and _is_harmless(node.value)
    ]


def _is_harmless(nodes: list[Node]) -> bool:
    """Return whether values of CSS name no other file: an address must be one of the same picture, `#id`."""
    for node in nodes:
        if node.type == "url" and not _REFERENCE.fullmatch(node.value):
            return False
        if node.type == "function" and not _is_harmless_function(node):
            return False
        if node.type == "error":
            return False
        if node.type in {"() block", "[] block", "{} block"} and not _is_harmless(node.content):
            return False
    return True


def _is_harmless_function(node: Node) -> bool:
    if node.lower_name == "url":
        texts = [argument for argument in node.arguments if argument.type != "whitespace"]
        return len(texts) == 1 and texts[0].type == "string" and bool(_REFERENCE.fullmatch(texts[0].value))
    # Paths, transformations and colours of attributes have few functions; others may load a file.
    return (node.lower_name in _FUNCTIONS or node.lower_name in {"skewx", "skewy"}) and _is_harmless(node.arguments)


def _check_uses(root: Element) -> None:
    """Raise UnreadableMediaError for a `use` of something with another `use`: a few of them draw a million shapes."""
    by_id = {element.get("id"): element for element in root.iter() if element.get("id")}
    for use in root.iter(f"{{{_SVG}}}use"):
        target = by_id.get(use.get("href", "").removeprefix("#"))
        if target is not None and any(True for _ in target.iter(f"{{{_SVG}}}use")):
            raise UnreadableMediaError("must not nest `use` elements")


def _size(root: Element) -> tuple[float, float]:
    """Return the size in pixels, by the attributes or the view box, and set both. Raises UnreadableMediaError."""
    sides = [_LENGTH.fullmatch(root.get(name, "")) for name in ("width", "height")]
    box = [_LENGTH.fullmatch(text) for text in root.get("viewBox", "").replace(",", " ").split()[2:_VIEW_BOX_NUMBERS]]
    found = sides if all(sides) else box
    width, height = (float(side[1]) for side in found if side is not None) if len(found) == 2 and all(found) else (0, 0)  # noqa: PLR2004
    if not 0 < width <= MAX_SIDE or not 0 < height <= MAX_SIDE:
        raise UnreadableMediaError(f"must have a width and a height, or a viewBox, of at most {MAX_SIDE} pixels")
    if "viewBox" not in root.attrib:
        root.set("viewBox", f"0 0 {width:g} {height:g}")
    root.set("width", f"{width:g}")
    root.set("height", f"{height:g}")
    return max(1.0, width), max(1.0, height)
