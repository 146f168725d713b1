"""The files of flows, themes and ids: their members, and the checks of the service.

A flow is checked as the body of a draft, so an error names the member before any request.
"""

import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from typing import Any, TypeAlias

import orjson

from cli.errors import CommandError
from common.errors import MalformedBodyError, RequestError
from common.media_names import MEDIA_TYPES
from management_api.db.models.documents import (
    LOCALIZATIONS,
    LOGIC_OF_SCREEN,
    SCREEN_MEMBERS,
    without_empty_members,
)
from management_api.db.models.flows import FlowStatus
from management_api.flows.lifecycle.schemas import DocumentBody
from management_api.flows.logic import END
from management_api.flows.schemas import FlowUpdateBody
from management_api.http.requests import parse_body
from management_api.media.schemas import MediaUpdateBody
from management_api.themes.schemas import ThemeUpdateBody

MAX_KEY_LENGTH = 64
KEY = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{MAX_KEY_LENGTH - 1}}}")
KEY_RULE = f"must have 1 to {MAX_KEY_LENGTH} of the characters a-z, 0-9, - and _, a letter or digit first"

_FLOW_MEMBERS = frozenset({
    *("name", "description", "status", "is_default", "theme", "priority", "targeting", "variables", "screens"),
})  # fmt: skip
#: The members of a theme that devices see.
_THEME_STYLE = [name for name in ThemeUpdateBody.model_fields if name not in {"name", "description", "is_default"}]

_MEDIA_MEMBERS = frozenset({"file", "name", "alt", "focal_point", "dark", "poster"})

Members: TypeAlias = dict[str, Any]


class FolderError(CommandError):
    """A folder that cannot be read or written; each message names a file and the member."""

    def __init__(self, *messages: str) -> None:
        super().__init__("; ".join(messages))
        self.messages = messages


@dataclass(frozen=True, slots=True)
class FlowFile:
    """A flow of a folder.

    `document` is its document with keys in place of ids: `theme`, and the `id` of its screens. A status, default or
    priority of None stays as it is in the project.
    """

    document: Members
    status: str | None
    is_default: bool | None
    priority: int | None

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.document["name"])


@dataclass(frozen=True, slots=True)
class ThemeFile:
    """A theme of a folder; `is_default` is missing where it stays as it is in the project."""

    members: Members

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.members["name"])


@dataclass(frozen=True, slots=True)
class MediaFile:
    """The facts of a media file. `file` is its name in `files/`; `dark` and `poster` are the keys of other files."""

    file: str
    name: str
    alt: str = ""
    focal_point: Members | None = None
    dark: str | None = None
    poster: str | None = None


@dataclass(frozen=True, slots=True)
class FlowIds:
    """The id of a flow, and the ids of its screens by their keys."""

    id: str
    screens: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProjectIds:
    """The ids that the keys of a folder have in one project."""

    flows: dict[str, FlowIds] = field(default_factory=dict)
    themes: dict[str, str] = field(default_factory=dict)
    media: dict[str, str] = field(default_factory=dict)


def parse_flow(value: object) -> FlowFile:
    """Return the flow of a file. Raises FolderError, whose messages name members."""
    members = _object(value, _FLOW_MEMBERS, "")
    status, theme, is_default = members.pop("status", None), members.pop("theme", None), members.pop("is_default", None)
    priority = members.pop("priority", None)
    messages = []
    if priority is not None:
        priority = _checked(FlowUpdateBody, {"priority": priority}, []).priority
    if status is not None and status not in set(FlowStatus):
        messages.append(f"status: must be one of {', '.join(FlowStatus)}")
    if is_default is not None and not isinstance(is_default, bool):
        messages.append("is_default: must be true or false")
    if is_default and status == FlowStatus.ARCHIVED:
        messages.append("is_default: must not be true for an archived flow")
    if theme is not None and not (isinstance(theme, str) and KEY.fullmatch(theme)):
        messages.append(f"theme: {KEY_RULE}")
    keys = _take_screen_keys(members, messages)
    body = _checked(DocumentBody, members, messages)
    document = without_empty_members(body.document())
    del document["theme_id"]
    named = [{**screen, "id": key} for key, screen in zip(keys, document["screens"], strict=True)]
    return FlowFile({**document, "theme": theme, "screens": named}, status, is_default, priority)


def _take_screen_keys(members: Members, messages: list[str]) -> list[str]:
    """Take the keys of screens out of the members of a flow, and return them. Adds messages about wrong ones."""
    keys: list[str] = []
    if not isinstance(members.get("screens"), list):
        return keys
    # Translations stand in files of their own.
    known = frozenset({"key", *SCREEN_MEMBERS}) - {LOCALIZATIONS}
    members["screens"] = [_object(screen, known, f"screens.{n}.") for n, screen in enumerate(members["screens"])]
    for index, screen in enumerate(members["screens"]):
        key = screen.pop("key", None)
        if not isinstance(key, str) or not KEY.fullmatch(key):
            messages.append(f"screens.{index}.key: {'is required' if key is None else KEY_RULE}")
        elif key == END:
            messages.append(f"screens.{index}.key: {END} is the target of a rule that completes the flow")
        elif key in keys:
            messages.append(f"screens.{index}.key: {key} is the key of another screen too")
        keys.append(str(key))
    return keys


def flow_members(flow: FlowFile) -> Members:
    """Return the content of the file of a flow, in the order of a review."""
    document = flow.document
    members: Members = {"name": document["name"], "description": document["description"]}
    if flow.status is not None:
        members["status"] = flow.status
    if flow.is_default is not None:
        members["is_default"] = flow.is_default
    if flow.priority is not None:
        members["priority"] = flow.priority
    screens = [{"key": screen["id"], **_screen_members(screen)} for screen in document["screens"]]
    variables = [{name: variable[name] for name in ("name", "formula")} for variable in document.get("variables", ())]
    targeting = document["targeting"]
    conditions = [_condition(condition) for condition in targeting["conditions"]]
    return members | {
        "theme": document["theme"],
        "targeting": {"percentage": targeting["percentage"], "conditions": conditions},
        **({"variables": variables} if variables else {}),
        "screens": screens,
    }


def _screen_members(screen: Mapping[str, Any]) -> Members:
    """Return the members of a screen in the file of a flow; logic only where there is some."""
    optional = (*LOGIC_OF_SCREEN, LOCALIZATIONS)
    members = {name: sorted_members(screen[name]) for name in SCREEN_MEMBERS if name not in optional}
    if screen.get("show_if"):
        members["show_if"] = [_condition(condition) for condition in screen["show_if"]]
    if screen.get("next"):
        members["next"] = [
            {"id": rule["id"], "when": [_condition(condition) for condition in rule["when"]], "go_to": rule["go_to"]}
            for rule in screen["next"]
        ]
    return members


def parse_theme(value: object) -> ThemeFile:
    """Return the theme of a file. Raises FolderError, whose messages name members."""
    members = _object(value, frozenset(ThemeUpdateBody.model_fields), "")
    body = _checked(ThemeUpdateBody, theme_by_ids(members, None), [])
    if "name" not in members:
        raise FolderError("name: is required")
    style: Members = {"colors": {}, "typography": {}, "borderRadius": {}}
    checked = {"description": None, "is_default": None, **style, **body.members()}
    return ThemeFile(theme_by_keys(theme_members(checked), None))


def theme_members(theme: Mapping[str, Any]) -> Members:
    """Return the members of the file of a theme, without a default of None."""
    members: Members = {"name": theme["name"], "description": theme["description"]}
    if theme["is_default"] is not None:
        members["is_default"] = theme["is_default"]
    return members | {name: sorted_members(theme[name]) for name in _THEME_STYLE if theme.get(name) is not None}


#: The members of `typography` with the id of a font, and those with the key of a file in a folder.
_FONTS = {"fontMediaId": "fontMedia", "headingFontMediaId": "headingFontMedia"}


def theme_by_keys(theme: Members, keys: Mapping[str, str] | None) -> Members:
    """Return the members of a theme with keys of media files in place of ids; None: the ids are keys."""
    return _theme_renamed(theme, "media_id", "media", _FONTS, keys)


def theme_by_ids(theme: Members, ids: Mapping[str, str] | None) -> Members:
    """Return the members of a theme with ids of media files in place of keys; None: the keys are ids."""
    return _theme_renamed(theme, "media", "media_id", {key: name for name, key in _FONTS.items()}, ids)


def _theme_renamed(
    theme: Members, former: str, name: str, fonts: Mapping[str, str], names: Mapping[str, str] | None
) -> Members:
    """Return a theme with other names of media files; a name that is not known stays under its member."""

    def rename(found: Members, members: Mapping[str, str]) -> Members:
        renamed = {}
        for member, value in found.items():
            other = members.get(member)
            known = value if other is None or names is None else names.get(value)
            renamed[member if other is None or known is None else other] = value if known is None else known
        return renamed

    renamed = dict(theme)
    for member, members in (("background", {former: name}), ("logo", {former: name}), ("typography", fonts)):
        if isinstance(theme.get(member), dict):
            renamed[member] = sorted_members(rename(theme[member], members))
    return renamed


def sorted_members(value: Any) -> Any:  # noqa: ANN401 - any JSON
    """Return JSON with the members of all objects sorted: PostgreSQL keeps no order."""
    if isinstance(value, dict):
        return {name: sorted_members(value[name]) for name in sorted(value)}
    return [sorted_members(item) for item in value] if isinstance(value, list) else value


def _condition(condition: Mapping[str, Any]) -> Members:
    return {name: condition[name] for name in ("attribute", "operator", "value") if name in condition}


def _object(value: object, known: frozenset[str], place: str) -> Members:
    if not isinstance(value, dict):
        raise FolderError(f"{place.rstrip('.') + ': ' if place else ''}must be an object")
    unknown = sorted(value.keys() - known)
    if unknown:
        raise FolderError(*(f"{place}{name}: is not a known member" for name in unknown))
    return dict(value)


def _checked(model: Any, members: Members, messages: list[str]) -> Any:  # noqa: ANN401 - one of two models
    """Return the body of the API that the members make, checked as the service checks it."""
    try:
        body = parse_body(model, orjson.dumps(members))
    except MalformedBodyError as error:
        messages.append(str(error).removeprefix("The request body "))
    except RequestError as error:
        messages.extend(f"{detail.field}: {detail.message}" for detail in error.details)
    except (TypeError, ValueError):
        messages.append("has a text or a number that JSON cannot have")
    if messages:
        raise FolderError(*messages)
    return body


def parse_media(value: object) -> MediaFile:
    """Return the facts of a media file. Raises FolderError, whose messages name members."""
    members = _object(value, _MEDIA_MEMBERS, "")
    file = members.pop("file", None)
    stem, _, extension = file.partition(".") if isinstance(file, str) else ("", "", "")
    if not KEY.fullmatch(stem) or extension not in MEDIA_TYPES:
        raise FolderError(f"file: must be KEY.EXTENSION, with one of {', '.join(MEDIA_TYPES)}")
    messages = [
        f"{name}: {KEY_RULE}"
        for name in ("dark", "poster")
        if members.get(name) is not None and not (isinstance(members[name], str) and KEY.fullmatch(members[name]))
    ]
    if "name" not in members:
        messages.append("name: is required")
    partners = {name: members.pop(name, None) for name in ("dark", "poster")}
    _checked(MediaUpdateBody, members, messages)
    return MediaFile(file=str(file), **members, **partners)


def media_members(file: MediaFile) -> Members:
    """Return the content of the facts of a media file."""
    return {name: value for name, value in asdict(file).items() if value is not None}


def parse_ids(path: str, value: object) -> ProjectIds:
    """Return the ids of a file. Raises FolderError."""
    wrong = FolderError(f"{path}: must be as `onboarding flows export` writes it")
    members = value if isinstance(value, dict) else {}
    flows, themes, media = (members.get(name, {}) for name in ("flows", "themes", "media"))
    is_known = not members.keys() - {"flows", "themes", "media"}
    if not (is_known and isinstance(flows, dict) and _is_texts(themes) and _is_texts(media)):
        raise wrong
    ids = ProjectIds(themes=dict(themes), media=dict(media))
    for key, flow in flows.items():
        if not isinstance(flow, dict) or not isinstance(flow.get("id"), str) or not _is_texts(flow.get("screens", {})):
            raise wrong
        ids.flows[key] = FlowIds(flow["id"], flow.get("screens", {}))
    every = [*ids.themes.values(), *ids.media.values(), *(flow.id for flow in ids.flows.values())]
    for flow in ids.flows.values():
        every.extend(flow.screens.values())
    if len(every) != len(set(every)):
        raise FolderError(f"{path}: has an id twice")
    return ids


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
