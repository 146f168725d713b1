"""The context of a device in the query of a ticket's request, completed by the headers of its client (hosted pages)."""

import re
from collections.abc import Mapping
from functools import lru_cache
from typing import Any

import msgspec
import orjson

from common.errors import InvalidRequestError
from common.json_body import convert_object
from common.rules.locales import ProjectLocales
from common.rules.resolution import Assignment, Choice, evaluate
from common.wire.assignment_tokens import AssignmentTokens
from common.wire.public_bodies import LOCALE, MAX_LOCALE_LENGTH, ResolveBody
from common.wire.stream_records import EventRecord
from edge_api.api.headers import header_text
from edge_api.api.request import ACCEPT_LANGUAGE, USER_AGENT, Headers
from edge_api.snapshots.loaded import LoadedSnapshot

_TEXTS = ("platform", "appVersion", "osVersion", "locale", "country", "assignmentToken")
#: The product tokens of web views and of the network libraries of apps. Apple's library also runs on a Mac, but a
#: project has no other platform of Apple than iOS.
_IOS = re.compile(r"\((?:iPhone|iPad|iPod)\b|\bCFNetwork/\d")
_ANDROID = re.compile(r"\bAndroid\b|^okhttp/\d")
#: Browsers that also claim to be one of the two, or that may be any computer.
_OTHER = re.compile("Windows|Macintosh|X11|CrOS|Tizen|KAIOS")
_LANGUAGE = re.compile(r"\s*([A-Za-z0-9-]+)\s*(?:[,;]|$)")
_ANY_DEVICE = "-"
_WEIGHT = re.compile(r"0(?:\.[0-9]{0,3})?|1(?:\.0{0,3})?")
_MAX_LANGUAGES = 30


def context_of(query: Mapping[str, str], headers: Headers) -> dict[str, Any]:
    """Return the members of a resolve's body, except the device id, as they came.

    Text that is no JSON stays text in `attributes`, so that its validation rejects it.
    """
    document: dict[str, Any] = {name: query[name] for name in _TEXTS if name in query}
    attributes = query.get("attributes")
    if attributes is not None:
        try:
            document["attributes"] = orjson.loads(attributes)
        except orjson.JSONDecodeError:
            document["attributes"] = attributes
    document.setdefault("platform", platform_of(header_text(headers, USER_AGENT)))
    document.setdefault("locale", locale_of(header_text(headers, ACCEPT_LANGUAGE)))
    return document


def platform_of(user_agent: str | None) -> str | None:
    """Return ios or android for a User-Agent that cannot be another platform's; None for all others."""
    agent = user_agent or ""
    is_ios, is_android = _IOS.search(agent) is not None, _ANDROID.search(agent) is not None
    if is_ios == is_android or _OTHER.search(agent) is not None:
        return None
    return "ios" if is_ios else "android"


def page_locale(locales: ProjectLocales, query: Mapping[str, str], headers: Headers) -> str:
    """Return the locale of a page: by the query, else by the first language of Accept-Language that matches."""
    wanted = query.get("locale", "").strip()
    if wanted:
        return locales.match(wanted)
    found = (locales.find(tag) for tag in accepted_languages(header_text(headers, ACCEPT_LANGUAGE)))
    return next((locale for locale in found if locale is not None), locales.default)


# Clients are many, but the values of Accept-Language few.
@lru_cache(maxsize=256)
def accepted_languages(accept_language: str | None) -> tuple[str, ...]:
    """Return the language tags of Accept-Language, the preferred first. One with weight 0 is not accepted."""
    weighted = []
    for member in (accept_language or "").split(",", _MAX_LANGUAGES)[:_MAX_LANGUAGES]:
        tag, *parameters = (part.strip() for part in member.split(";"))
        weight = next((part[2:] for part in parameters if part[:2].lower() == "q="), "1")
        if tag and _WEIGHT.fullmatch(weight):
            weighted.append((tag, float(weight)))
    weighted.sort(key=lambda language: -language[1])
    return tuple(tag for tag, weight in weighted if weight > 0)


def locale_of(accept_language: str | None) -> str | None:
    """Return the first language tag of Accept-Language; None without a well-formed one."""
    found = _LANGUAGE.match(accept_language or "")
    if found is None or len(found[1]) > MAX_LOCALE_LENGTH or LOCALE.fullmatch(found[1]) is None:
        return None
    return found[1]


class PageAssignments:
    """Finds the experiments of the events of pages by the rules of the edge. Create one for each request.

    A page repeats the context of its address in the address of its events. An invalid member counts as absent, because
    events must not be lost by it. Rules are evaluated once for each device, and only for flows of experiments.
    """

    def __init__(self, loaded: LoadedSnapshot, tokens: AssignmentTokens, context: dict[str, Any]) -> None:
        self._project_id = loaded.snapshot.project_id
        self._rules = loaded.answers.rules
        self._flow_ids = {
            choice.flow_id for experiment in self._rules.experiments for choice in experiment.choices.values()
        }
        self._tokens = tokens
        self._context = _lenient(context)
        self._choices: dict[str, Choice | None] = {}

    def assign(self, record: EventRecord) -> EventRecord:
        """Return the event with its experiment and variant: both None if no experiment shows the flow to the device."""
        assignment = self._assignment(record.device_id, record.flow_id)
        experiment_id, variant = (assignment.experiment_id, assignment.variant) if assignment else (None, None)
        if (record.experiment_id, record.variant) == (experiment_id, variant):
            return record
        return msgspec.structs.replace(record, experiment_id=experiment_id, variant=variant)

    def _assignment(self, device_id: str, flow_id: str | None) -> Assignment | None:
        if flow_id not in self._flow_ids:
            return None
        if device_id not in self._choices:
            device = msgspec.structs.replace(self._context, device_id=device_id)
            token = device.assignment_token
            kept = None if token is None else self._tokens.read(self._project_id, device_id, token)
            self._choices[device_id] = evaluate(self._rules, device, kept)
        choice = self._choices[device_id]
        return choice.assignment if choice is not None and choice.flow_id == flow_id else None


def _lenient(context: dict[str, Any]) -> ResolveBody:
    document = {**context, "deviceId": _ANY_DEVICE}
    try:
        return convert_object(document, ResolveBody)
    except InvalidRequestError as error:
        wrong = {detail.field for detail in error.details}
        valid = {name: value for name, value in document.items() if name not in wrong}
        return convert_object(valid, ResolveBody)
