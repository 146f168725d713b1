"""A folder of flows: one file for each flow and theme, and the ids that their keys have in each project.

    onboarding.yaml            marks the folder
    flows/KEY.yaml             a flow with its screens
    themes/KEY.yaml            a theme
    ids/PROJECT_ID.yaml        the ids of the keys in a project

A folder may come from a pull request of a stranger: links are not followed, files and their number are bounded.
"""

import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypeAlias

import orjson

from cli.errors import CommandError
from cli.flows.text import Format, TextError, format_text, parse_text
from common.errors import MalformedBodyError, RequestError
from management_api.db.models.flows import FlowStatus
from management_api.flows.lifecycle.schemas import DocumentBody
from management_api.http.requests import parse_body
from management_api.themes.schemas import ThemeUpdateBody

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_FILES = 10_000
MAX_KEY_LENGTH = 64
FORMAT_VERSION = 1

_KEY = re.compile(rf"[a-z0-9][a-z0-9_-]{{0,{MAX_KEY_LENGTH - 1}}}")
_PROJECT_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")
_KEY_RULE = f"must have 1 to {MAX_KEY_LENGTH} of the characters a-z, 0-9, - and _, a letter or digit first"
_FLOW_MEMBERS = frozenset({"name", "description", "status", "is_default", "theme", "priority", "targeting", "screens"})
_SCREEN_MEMBERS = frozenset({"key", "type", "name", "content", "settings"})
_THEME_MEMBERS = frozenset({"name", "description", "is_default", "colors", "typography", "borderRadius"})

Members: TypeAlias = dict[str, Any]


class FolderError(CommandError):
    """A folder that is not read or written; each complaint names a file and the member."""

    def __init__(self, *complaints: str) -> None:
        super().__init__("; ".join(complaints))
        self.complaints = complaints


@dataclass(frozen=True, slots=True)
class FlowFile:
    """A flow of a folder.

    `document` is its document with keys in place of ids: `theme`, and the `id` of its screens. A status or default of
    None stays as it is in the project.
    """

    document: Members
    status: str | None
    is_default: bool | None

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
class FlowIds:
    """The id of a flow and those of its screens by their keys."""

    id: str
    screens: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class ProjectIds:
    """The ids that the keys of a folder have in one project."""

    flows: dict[str, FlowIds] = field(default_factory=dict)
    themes: dict[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FolderContent:
    """The flows and themes of a folder by their keys."""

    flows: Mapping[str, FlowFile] = field(default_factory=dict)
    themes: Mapping[str, ThemeFile] = field(default_factory=dict)


class Folder:
    """A folder on disk; all its files have one format."""

    def __init__(self, root: Path, file_format: Format) -> None:
        self.root = root
        self.format = file_format

    @classmethod
    def open(cls, root: Path) -> "Folder":
        """Return the folder. Raises FolderError for a folder without its mark."""
        if not root.is_dir():
            raise FolderError(f"{root}: is not a folder")
        marks = [file_format for file_format in Format if os.path.lexists(root / f"onboarding.{file_format}")]
        if len(marks) != 1:
            problem = "has two marks" if marks else "is no folder of flows: it has no onboarding.yaml"
            raise FolderError(f"{root}: {problem}")
        folder = cls(root, marks[0])
        mark = f"onboarding.{marks[0]}"
        if folder._read(mark) != {"version": FORMAT_VERSION}:
            raise FolderError(
                f"{mark}: must be `version: {FORMAT_VERSION}`; a newer release may have written the folder"
            )
        return folder

    @classmethod
    def create(cls, root: Path, file_format: Format) -> "Folder":
        """Mark a new folder. Raises FolderError for files that an export would mix with its own."""
        for name in ("flows", "themes", "ids"):
            if os.path.lexists(root / name):
                raise FolderError(f"{root}: has `{name}`, but is no folder of flows: it has no onboarding.yaml")
        folder = cls(root, file_format)
        folder._write(f"onboarding.{file_format}", {"version": FORMAT_VERSION})
        return folder

    def path_of(self, kind: str, key: str) -> str:
        """Return the path of a file inside of the folder."""
        return f"{kind}/{key}.{self.format}"

    def read(self) -> FolderContent:
        """Return all flows and themes. Raises FolderError with a complaint for each wrong file."""
        complaints: list[str] = []
        flows: dict[str, FlowFile] = {}
        themes: dict[str, ThemeFile] = {}
        for key, path in self._files("themes"):
            try:
                themes[key] = parse_theme(self._read(path))
            except CommandError as error:
                complaints.extend(_lines(path, error))
        for key, path in self._files("flows"):
            try:
                flows[key] = parse_flow(self._read(path))
            except CommandError as error:
                complaints.extend(_lines(path, error))
        for kind, items in (("flows", flows), ("themes", themes)):
            defaults = [key for key, item in items.items() if _is_default(item)]
            complaints.extend(
                f"{self.path_of(kind, key)}: is_default: is true in another file too" for key in defaults[1:]
            )
        if complaints:
            raise FolderError(*complaints)
        return FolderContent(flows, themes)

    def read_ids(self, project_id: str) -> ProjectIds:
        """Return the ids of a project; none before its first export or apply. Raises FolderError."""
        path = self._ids_path(project_id)
        self._check_folder("ids")
        if not os.path.lexists(self.root / path):
            return ProjectIds()
        return _parse_ids(path, self._read(path))

    def write_flow(self, key: str, flow: FlowFile) -> None:
        """Write the file of a flow."""
        self._write(self.path_of("flows", key), flow_members(flow))

    def write_theme(self, key: str, theme: ThemeFile) -> None:
        """Write the file of a theme."""
        self._write(self.path_of("themes", key), theme.members)

    def write_ids(self, project_id: str, ids: ProjectIds) -> None:
        """Write the ids of a project."""
        flows = {key: {"id": flow.id, "screens": dict(flow.screens)} for key, flow in sorted(ids.flows.items())}
        self._write(self._ids_path(project_id), {"flows": flows, "themes": dict(sorted(ids.themes.items()))})

    def _ids_path(self, project_id: str) -> str:
        if not _PROJECT_ID.fullmatch(project_id):
            raise FolderError(f"--project: {project_id!r} is not the id of a project")
        return self.path_of("ids", project_id)

    def _files(self, kind: str) -> Iterator[tuple[str, str]]:
        """Yield the keys and paths of the files of a kind, sorted. Hidden files are ignored."""
        if not self._check_folder(kind):
            return
        names = sorted(path.name for path in (self.root / kind).iterdir() if not path.name.startswith("."))
        if len(names) > MAX_FILES:
            raise FolderError(f"{kind}: has more than {MAX_FILES:,} files")
        for name in names:
            key, _, ending = name.partition(".")
            if ending != self.format:
                raise FolderError(f"{kind}/{name}: must end in .{self.format}, as all files of this folder")
            if not _KEY.fullmatch(key):
                raise FolderError(f"{kind}/{name}: the name without .{self.format} {_KEY_RULE}")
            yield key, f"{kind}/{name}"

    def _check_folder(self, kind: str) -> bool:
        """Return whether a folder exists inside of this one. Raises FolderError for a link or a file."""
        path = self.root / kind
        if not os.path.lexists(path):
            return False
        if path.is_symlink() or not path.is_dir():
            raise FolderError(f"{kind}: must be a folder, and not a link")
        return True

    def _read(self, path: str) -> Any:  # noqa: ANN401 - any JSON
        try:
            descriptor = os.open(self.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            is_link = (self.root / path).is_symlink()
            raise FolderError(f"{path}: {'is a link' if is_link else error.strerror}") from None
        with os.fdopen(descriptor, "rb") as file:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise FolderError(f"{path}: is not a plain file")
            content = file.read(MAX_FILE_BYTES + 1)
        if len(content) > MAX_FILE_BYTES:
            raise FolderError(f"{path}: is larger than {MAX_FILE_BYTES // 1024**2} MiB")
        try:
            return parse_text(content.decode(), self.format)
        except UnicodeDecodeError:
            raise FolderError(f"{path}: is not UTF-8") from None
        except TextError as error:
            raise FolderError(f"{path}: {error}") from None

    def _write(self, path: str, value: object) -> None:
        """Replace a file as a whole; an interrupted command leaves the former one."""
        target = self.root / path
        kind = path.rpartition("/")[0]
        if kind:
            self._check_folder(kind)
        target.parent.mkdir(parents=True, exist_ok=True)
        content = format_text(value, self.format).encode()
        if target.is_file() and not target.is_symlink() and target.read_bytes() == content:
            return
        descriptor, name = tempfile.mkstemp(prefix=".onboarding-", dir=target.parent)
        temporary = Path(name)
        try:
            with os.fdopen(descriptor, "wb") as file:
                os.fchmod(descriptor, 0o644)
                file.write(content)
            temporary.replace(target)
        except BaseException:
            temporary.unlink(missing_ok=True)
            raise


def _is_default(item: FlowFile | ThemeFile) -> bool:
    return bool(item.is_default if isinstance(item, FlowFile) else item.members.get("is_default"))


def _lines(path: str, error: CommandError) -> list[str]:
    complaints = error.complaints if isinstance(error, FolderError) else (str(error),)
    return [line if line.startswith(f"{path}: ") else f"{path}: {line}" for line in complaints]


# --- the content of files ---


def parse_flow(value: object) -> FlowFile:
    """Return the flow of a file. Raises FolderError; complaints name members."""
    members = _object(value, _FLOW_MEMBERS, "")
    status, theme, is_default = members.pop("status", None), members.pop("theme", None), members.pop("is_default", None)
    complaints = []
    if status is not None and status not in set(FlowStatus):
        complaints.append(f"status: must be one of {', '.join(FlowStatus)}")
    if is_default is not None and not isinstance(is_default, bool):
        complaints.append("is_default: must be true or false")
    if is_default and status == FlowStatus.ARCHIVED:
        complaints.append("is_default: must not be true for an archived flow")
    if theme is not None and not (isinstance(theme, str) and _KEY.fullmatch(theme)):
        complaints.append(f"theme: {_KEY_RULE}")
    keys: list[str] = []
    screens = members.get("screens")
    if isinstance(screens, list):
        members["screens"] = [_object(screen, _SCREEN_MEMBERS, f"screens.{n}.") for n, screen in enumerate(screens)]
        for index, screen in enumerate(members["screens"]):
            key = screen.pop("key", None)
            if not isinstance(key, str) or not _KEY.fullmatch(key):
                complaints.append(f"screens.{index}.key: {'is required' if key is None else _KEY_RULE}")
            elif key in keys:
                complaints.append(f"screens.{index}.key: {key} is the key of another screen too")
            keys.append(str(key))
    body = _checked(DocumentBody, members, complaints)
    document = body.document()
    del document["theme_id"]
    named = [{**screen, "id": key} for key, screen in zip(keys, document["screens"], strict=True)]
    return FlowFile({**document, "theme": theme, "screens": named}, status, is_default)


def flow_members(flow: FlowFile) -> Members:
    """Return the content of the file of a flow, in the order of a review."""
    document = flow.document
    members: Members = {"name": document["name"], "description": document["description"]}
    if flow.status is not None:
        members["status"] = flow.status
    if flow.is_default is not None:
        members["is_default"] = flow.is_default
    screens = [
        {
            "key": screen["id"],
            "type": screen["type"],
            "name": screen["name"],
            "content": sorted_members(screen["content"]),
            "settings": sorted_members(screen["settings"]),
        }
        for screen in document["screens"]
    ]
    targeting = document["targeting"]
    conditions = [_condition(condition) for condition in targeting["conditions"]]
    return members | {
        "theme": document["theme"],
        "priority": document["priority"],
        "targeting": {"percentage": targeting["percentage"], "conditions": conditions},
        "screens": screens,
    }


def parse_theme(value: object) -> ThemeFile:
    """Return the theme of a file. Raises FolderError; complaints name members."""
    members = _object(value, _THEME_MEMBERS, "")
    body = _checked(ThemeUpdateBody, members, [])
    if "name" not in members:
        raise FolderError("name: is required")
    return ThemeFile(theme_members({**body.model_dump(mode="json"), "is_default": members.get("is_default")}))


def theme_members(theme: Mapping[str, Any]) -> Members:
    """Return the members of the file of a theme, without a default of None."""
    members: Members = {"name": theme["name"], "description": theme["description"]}
    if theme["is_default"] is not None:
        members["is_default"] = theme["is_default"]
    return members | {name: sorted_members(theme[name]) for name in ("colors", "typography", "borderRadius")}


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


def _checked(model: Any, members: Members, complaints: list[str]) -> Any:  # noqa: ANN401 - one of two models
    """Return the body of the API that the members make, checked as the service checks it."""
    try:
        body = parse_body(model, orjson.dumps(members))
    except MalformedBodyError as error:
        complaints.append(str(error).removeprefix("The request body "))
    except RequestError as error:
        complaints.extend(f"{detail.field}: {detail.message}" for detail in error.details)
    except (TypeError, ValueError):
        complaints.append("has a text or a number that JSON cannot have")
    if complaints:
        raise FolderError(*complaints)
    return body


def _parse_ids(path: str, value: object) -> ProjectIds:
    wrong = FolderError(f"{path}: must be as `onboarding flows export` writes it")
    members = value if isinstance(value, dict) else {}
    flows, themes = members.get("flows", {}), members.get("themes", {})
    if not isinstance(flows, dict) or not _is_texts(themes) or members.keys() - {"flows", "themes"}:
        raise wrong
    ids = ProjectIds(themes=dict(themes))
    for key, flow in flows.items():
        if not isinstance(flow, dict) or not isinstance(flow.get("id"), str) or not _is_texts(flow.get("screens", {})):
            raise wrong
        ids.flows[key] = FlowIds(flow["id"], flow.get("screens", {}))
    every = [*ids.themes.values(), *(flow.id for flow in ids.flows.values())]
    for flow in ids.flows.values():
        every.extend(flow.screens.values())
    if len(every) != len(set(every)):
        raise FolderError(f"{path}: has an id twice")
    return ids


def _is_texts(value: object) -> bool:
    return isinstance(value, dict) and all(isinstance(text, str) for text in value.values())
