"""Texts with names in braces, implemented from docs/logic.md alone, in the formats of English and German."""

import re
from collections.abc import Mapping, Sequence
from datetime import date
from decimal import ROUND_HALF_UP, Decimal
from html import escape
from typing import Any, NamedTuple

from tests.support.logic_oracle.formulas import date_of, kind_of, plain_text

_NAMES = {"app_name", "platform", "locale", "country", "appVersion"}
_BRACES = re.compile(r"\\\{\{|\{\{([^{}]*)\}\}")
_MONTHS = {
    "en": "January February March April May June July August September October November December",
    "de": "Januar Februar März April Mai Juni Juli August September Oktober November Dezember",
}
_SIGNS = {"EUR": "€", "USD": "$"}


class Shown(NamedTuple):
    """What texts show: values by their names, and the labels of the options of questions by the same names."""

    values: Mapping[str, Any]
    labels: Mapping[str, Mapping[str, str]]
    language: str


def filled(text: str, shown: Shown, *, is_html: bool = False) -> str:
    """Return a text with values in place of names."""

    def fill(found: re.Match[str]) -> str:
        if found[1] is None:
            return "{{"
        before, bar, fallback = found[1].partition("|")
        name, _, form = (part.strip() for part in before.partition(":"))
        group, dot, rest = name.partition(".")
        is_value = group in {"answers", "attributes", "variables"} and dot and rest and not re.search(r"\s", rest)
        if name not in _NAMES and not is_value:
            return found[0]
        value = _shown(name, form, shown)
        return (escape(value) if is_html else value) or (fallback.strip() if bar else "")

    if not is_html:
        return _BRACES.sub(fill, text)
    # Addresses are not texts.
    parts = re.split(r'((?:href|src)="[^"]*")', text)
    return "".join(part if place % 2 else _BRACES.sub(fill, part) for place, part in enumerate(parts))


def _shown(name: str, form: str, shown: Shown) -> str:
    value = shown.values.get(name)
    if value is None:
        return ""
    labels = shown.labels.get(name, {})
    values = value if isinstance(value, list) else [value]
    # A label can have names itself. There an answer is its value.
    inner = shown._replace(labels={})
    texts = [filled(labels[one], inner) if one in labels else _formatted(one, form, shown.language) for one in values]
    text = _joined(texts, shown.language)
    match form:
        case "upper":
            return text.upper()
        case "lower":
            return text.lower()
        case "title":
            return re.sub(r"(^|\s)(\S)", lambda found: found[1] + found[2].upper(), text)
    return text


def _formatted(value: Any, form: str, language: str) -> str:  # noqa: ANN401 - JSON
    day = date_of(value)
    if day is not None:
        return _date(day, form, language)
    return _number(value, form, language) if kind_of(value) == "number" else plain_text(value)


def _number(value: float, form: str, language: str) -> str:
    is_german = language == "de"
    if form == "percent":
        return _rounded(value * 100, 0, 0, language) + ("\u00a0%" if is_german else "%")
    currency = re.fullmatch(r"currency\((...)\)", form)
    if currency is None:
        return _rounded(value, 0, 0 if form == "integer" else 3, language)
    amount, sign = _rounded(abs(value), 2, 2, language), _SIGNS[currency[1].upper()]
    minus = "-" if value < 0 else ""
    return f"{minus}{amount}\u00a0{sign}" if is_german else f"{minus}{sign}{amount}"


def _rounded(value: float, least: int, most: int, language: str) -> str:
    number = Decimal(repr(float(value))).quantize(Decimal(1).scaleb(-most), ROUND_HALF_UP)
    whole, _, digits = f"{number:,f}".partition(".")
    digits = digits[:least] + digits[least:].rstrip("0")
    if language == "de":
        whole = whole.replace(",", ".")
    return whole + (("," if language == "de" else ".") + digits if digits else "")


def _date(day: date, form: str, language: str) -> str:
    month = _MONTHS[language].split()[day.month - 1]
    if form == "month":
        return month
    return f"{day.day}. {month} {day.year}" if language == "de" else f"{month} {day.day}, {day.year}"


def _joined(texts: Sequence[str], language: str) -> str:
    if len(texts) < 2:
        return "".join(texts)
    word = {"en": "and", "de": "und"}[language]
    comma = "," if language == "en" and len(texts) > 2 else ""
    return f"{', '.join(texts[:-1])}{comma} {word} {texts[-1]}"
