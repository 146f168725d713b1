"""XLIFF 2.0: the core elements that files of translations have (OASIS, XLIFF Version 2.0, section 4)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from xml.etree import ElementTree as ET

from defusedxml import DefusedXmlException
from defusedxml.ElementTree import fromstring

from common.errors import Detail, InvalidRequestError

_NAMESPACE = "urn:oasis:names:tc:xliff:document:2.0"
_CORE = f"{{{_NAMESPACE}}}"
_SPACE = "{http://www.w3.org/XML/1998/namespace}space"
#: The states of segments. An outdated translation has to be reviewed.
_STATES = {"missing": "initial", "outdated": "translated", "done": "final"}
#: Characters that XML cannot have. `cp` has their number.
_CONTROL = re.compile("[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")

#: The children of each element, by the schema of the core, and those that must be there. Others come from modules.
_CHILDREN: Mapping[str, tuple[frozenset[str], frozenset[str]]] = {
    "xliff": (frozenset({"file"}), frozenset({"file"})),
    "file": (frozenset({"skeleton", "notes", "unit", "group"}), frozenset()),
    "group": (frozenset({"notes", "unit", "group"}), frozenset()),
    "unit": (frozenset({"notes", "originalData", "segment", "ignorable"}), frozenset({"segment"})),
    "segment": (frozenset({"source", "target"}), frozenset({"source"})),
    "ignorable": (frozenset({"source", "target"}), frozenset({"source"})),
}
_REQUIRED = {"xliff": ("version", "srcLang"), "file": ("id",), "group": ("id",), "unit": ("id",)}
_TOKEN, _LANGUAGE, _TYPE = r"[\w.:·-]+", "[A-Za-z]{1,8}(-[A-Za-z0-9]{1,8})*", r"[^\s:]+:[^\s:]+"
_YES_NO, _DIRECTION, _ANY = "yes|no", "ltr|rtl|auto", "(?s:.*)"
_PART = {"id": _TOKEN, "canResegment": _YES_NO, "translate": _YES_NO, "srcDir": _DIRECTION, "trgDir": _DIRECTION}
#: The attributes of each element, with the patterns of their values. Those of other namespaces are of modules.
_ATTRIBUTES: Mapping[str, Mapping[str, str]] = {
    "xliff": {"version": _ANY, "srcLang": _LANGUAGE, "trgLang": _LANGUAGE},
    "file": {**_PART, "original": _ANY},
    "group": {**_PART, "name": _ANY, "type": _TYPE},
    "unit": {**_PART, "name": _ANY, "type": _TYPE},
    "segment": {
        "id": _TOKEN,
        "canResegment": _YES_NO,
        "state": "initial|translated|reviewed|final",
        "subState": _ANY,
    },
    "ignorable": {"id": _TOKEN},
    "source": {},
    "target": {"order": "[+]?0*[1-9][0-9]*"},
}
#: Inline elements; the text inside of the spanning ones belongs to the text.
_INLINE = frozenset({"cp", "ph", "pc", "sc", "ec", "mrk", "sm", "em"})
_ONCE = frozenset({"source", "target"})


def write_xliff(rows: Iterable[tuple[str, str, str, str]], base_locale: str, locale: str) -> bytes:
    """Return a document with a unit for each row of key, base, text and state."""
    ET.register_namespace("", _NAMESPACE)
    root = ET.Element(f"{_CORE}xliff", {"version": "2.0", "srcLang": base_locale, "trgLang": locale})
    # A file needs a unit or a group.
    group = ET.SubElement(ET.SubElement(root, f"{_CORE}file", {"id": "f1"}), f"{_CORE}group", {"id": "g1"})
    for number, (key, base, text, state) in enumerate(rows, 1):
        unit = ET.SubElement(group, f"{_CORE}unit", {"id": f"u{number}", "name": key})
        segment = ET.SubElement(unit, f"{_CORE}segment", {"state": _STATES[state]})
        _set_text(ET.SubElement(segment, f"{_CORE}source", {_SPACE: "preserve"}), base)
        if text:
            _set_text(ET.SubElement(segment, f"{_CORE}target", {_SPACE: "preserve"}), text)
    document: bytes = ET.tostring(root, encoding="UTF-8", xml_declaration=True)
    # A parser makes a line feed of a carriage return.
    return document.replace(b"\r", b"&#13;")


def read_xliff(content: bytes) -> Iterator[tuple[str, str, str]]:
    """Yield the name, the source and the target of each unit. Raises InvalidRequestError for another document."""
    try:
        root = fromstring(content, forbid_dtd=True)
    except (ET.ParseError, DefusedXmlException, ValueError) as error:
        raise _invalid("must be XML without a document type") from error
    if root.tag != f"{_CORE}xliff" or root.get("version") != "2.0":
        raise _invalid("must be XLIFF 2.0")
    _check(root)
    for unit in root.iter(f"{_CORE}unit"):
        parts = [part for part in unit if part.tag in {f"{_CORE}segment", f"{_CORE}ignorable"}]
        source = "".join(_text(part.find(f"{_CORE}source")) for part in parts)
        targets = [part.find(f"{_CORE}target") for part in parts]
        yield unit.get("name") or unit.get("id") or "", source, "".join(map(_text, targets))


def _check(element: ET.Element) -> None:
    """Check an element of the core and those inside by the rules of the schema."""
    name = element.tag.removeprefix(_CORE)
    _check_attributes(name, element)
    if name not in _CHILDREN:
        return
    if any((text or "").strip() for text in (element.text, *(child.tail for child in element))):
        raise _invalid(f"must not have text outside of source and target in {name}")
    allowed, required = _CHILDREN[name]
    children = [child.tag.removeprefix(_CORE) for child in element if str(child.tag).startswith(_CORE)]
    for child in children:
        if child not in allowed or (child in _ONCE and children.count(child) > 1):
            raise _invalid(f"must not have the element {child} there in {name}")
    if not required <= set(children) or (name == "file" and not {"unit", "group"} & set(children)):
        raise _invalid(f"must have what belongs into each {name}")
    if name in {"segment", "ignorable"} and children[0] != "source":
        raise _invalid("must have each source before its target")
    for inner in element:
        if str(inner.tag).removeprefix(_CORE) in _ATTRIBUTES:
            _check(inner)


def _check_attributes(name: str, element: ET.Element) -> None:
    missing = [attribute for attribute in _REQUIRED.get(name, ()) if not element.get(attribute)]
    if missing:
        raise _invalid(f"must have the attribute {missing[0]} in each {name}")
    for attribute, value in element.items():
        if not attribute.startswith("{") and not re.fullmatch(_ATTRIBUTES[name].get(attribute, "(?!)"), value):
            raise _invalid(f"must not have the attribute {attribute} with this value in {name}")


def _set_text(element: ET.Element, text: str) -> None:
    start, *others = _CONTROL.split(text)
    element.text = start
    for found, following in zip(_CONTROL.findall(text), others, strict=True):
        ET.SubElement(element, f"{_CORE}cp", {"hex": f"{ord(found):04X}"}).tail = following


def _text(element: ET.Element | None) -> str:
    if element is None:
        return ""
    parts = [element.text or ""]
    for child in element:
        name = str(child.tag).removeprefix(_CORE)
        if name not in _INLINE:
            raise _invalid(f"must not have the element {name} in a text")
        parts.append(_character(child.get("hex")) if name == "cp" else _text(child))
        parts.append(child.tail or "")
    return "".join(parts)


def _character(digits: str | None) -> str:
    try:
        return chr(int(digits or "", 16))
    except (ValueError, OverflowError):
        raise _invalid("must have the number of a character in each cp") from None


def _invalid(message: str) -> InvalidRequestError:
    return InvalidRequestError([Detail.invalid("file", message)])
