"""A folder of flows: one file for each flow and theme, and the ids that their keys have in each project.

    onboarding.yaml            marks the folder
    flows/KEY.yaml             a flow with its screens
    translations/KEY/de.json   the translations of a flow into a language
    themes/KEY.yaml            a theme
    media/KEY.yaml             the facts of a media file
    files/KEY.EXTENSION        the file itself
    ids/PROJECT_ID.yaml        the ids of the keys in a project

A folder may come from an untrusted pull request: links are not followed, files and their number are bounded.
"""

import os
import re
import stat
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from cli.errors import CommandError
from cli.flows.files import (
    KEY,
    KEY_RULE,
    FlowFile,
    FolderError,
    MediaFile,
    ProjectIds,
    ThemeFile,
    flow_members,
    media_members,
    parse_flow,
    parse_ids,
    parse_media,
    parse_theme,
)
from cli.flows.text import Format, TextError, format_text, line_of, parse_text
from cli.flows.translations import translations_of, with_translations

MAX_FILE_BYTES = 4 * 1024 * 1024
MAX_FILES = 10_000
#: The largest file that the service takes.
MAX_MEDIA_BYTES = 30 * 1024 * 1024
FORMAT_VERSION = 1

_LOCALE = re.compile(r"[A-Za-z0-9]{1,8}(?:-[A-Za-z0-9]{1,8})*")
_PROJECT_ID = re.compile(r"[A-Za-z0-9_-]{1,100}")


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
        for name in ("flows", "translations", "themes", "media", "files", "ids"):
            if os.path.lexists(root / name):
                raise FolderError(f"{root}: has `{name}`, but is no folder of flows: it has no onboarding.yaml")
        folder = cls(root, file_format)
        folder._write(f"onboarding.{file_format}", {"version": FORMAT_VERSION})
        return folder

    def path_of(self, kind: str, key: str) -> str:
        """Return the path of a file inside of the folder."""
        return f"{kind}/{key}.{self.format}"

    def read(self) -> FolderContent:
        """Return all flows and themes. Raises FolderError with a message for each wrong file."""
        messages: list[str] = []
        flows: dict[str, FlowFile] = {}
        themes: dict[str, ThemeFile] = {}
        for key, path in self._files("themes"):
            try:
                themes[key] = parse_theme(self._read(path))
            except CommandError as error:
                messages.extend(self._messages(path, error))
        for key, path in self._files("flows"):
            try:
                flows[key] = parse_flow(self._read(path))
            except CommandError as error:
                messages.extend(self._messages(path, error))
                continue
            for locale, file in self._translation_files(key):
                try:
                    translated = with_translations(flows[key].document, locale, self._read(file, Format.JSON))
                    flows[key] = replace(flows[key], document=translated)
                except CommandError as error:
                    messages.extend(f"{file}: {message}" for message in getattr(error, "messages", (str(error),)))
        for kind, items in (("flows", flows), ("themes", themes)):
            defaults = [key for key, item in items.items() if _is_default(item)]
            messages.extend(
                f"{self.path_of(kind, key)}: is_default: is true in another file too" for key in defaults[1:]
            )
        if messages:
            raise FolderError(*messages)
        return FolderContent(flows, themes)

    def at_line(self, path: str, place: Sequence[str | int], message: str) -> str:
        """Return a message about a member of a file, with the file and the line."""
        try:
            line = line_of(self._read_text(path), place)
        except FolderError:
            line = None
        return f"{path}: line {line}: {message}" if line else f"{path}: {message}"

    def read_media(self) -> dict[str, MediaFile]:
        """Return the facts of all media files by their keys. Raises FolderError."""
        found: dict[str, MediaFile] = {}
        messages: list[str] = []
        for key, path in self._files("media"):
            try:
                found[key] = parse_media(self._read(path))
            except CommandError as error:
                messages.extend(self._messages(path, error))
        if messages:
            raise FolderError(*messages)
        return found

    def read_file(self, name: str) -> bytes:
        """Return the content of a media file. Raises FolderError."""
        self._check_folder("files")
        return self._read_bytes(f"files/{name}", MAX_MEDIA_BYTES)

    def write_media(self, key: str, file: MediaFile, content: bytes) -> None:
        """Write a media file and its facts."""
        self._write_bytes(f"files/{file.file}", content)
        self._write(self.path_of("media", key), media_members(file))

    def read_ids(self, project_id: str) -> ProjectIds:
        """Return the ids of a project; none before its first export or apply. Raises FolderError."""
        path = self._ids_path(project_id)
        self._check_folder("ids")
        if not os.path.lexists(self.root / path):
            return ProjectIds()
        return parse_ids(path, self._read(path))

    def write_flow(self, key: str, flow: FlowFile) -> None:
        """Write the file of a flow, and those of its translations. Files of other languages are deleted."""
        self._write(self.path_of("flows", key), flow_members(flow))
        files = translations_of(flow.document)
        for locale, file in files.items():
            self._write(f"translations/{key}/{locale}.json", file, Format.JSON)
        for locale, path in self._translation_files(key):
            if locale not in files:
                (self.root / path).unlink()

    def write_theme(self, key: str, theme: ThemeFile) -> None:
        """Write the file of a theme."""
        self._write(self.path_of("themes", key), theme.members)

    def write_ids(self, project_id: str, ids: ProjectIds) -> None:
        """Write the ids of a project."""
        flows = {key: {"id": flow.id, "screens": dict(flow.screens)} for key, flow in sorted(ids.flows.items())}
        media = {"media": dict(sorted(ids.media.items()))} if ids.media else {}
        self._write(self._ids_path(project_id), {"flows": flows, "themes": dict(sorted(ids.themes.items())), **media})

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
            if not KEY.fullmatch(key):
                raise FolderError(f"{kind}/{name}: the name without .{self.format} {KEY_RULE}")
            yield key, f"{kind}/{name}"

    def _translation_files(self, key: str) -> Iterator[tuple[str, str]]:
        """Yield the languages of a flow and the paths of their files, sorted. Hidden files are ignored."""
        folder = f"translations/{key}"
        if not (self._check_folder("translations") and self._check_folder(folder)):
            return
        for name in sorted(path.name for path in (self.root / folder).iterdir() if not path.name.startswith(".")):
            locale, _, ending = name.partition(".")
            if ending != "json" or not _LOCALE.fullmatch(locale):
                raise FolderError(f"{folder}/{name}: must be the tag of a language, as pt-BR, and .json")
            yield locale, f"{folder}/{name}"

    def _check_folder(self, kind: str) -> bool:
        """Return whether a folder exists inside of this one. Raises FolderError for a link or a file."""
        path = self.root / kind
        if not os.path.lexists(path):
            return False
        if path.is_symlink() or not path.is_dir():
            raise FolderError(f"{kind}: must be a folder, and not a link")
        return True

    def _messages(self, path: str, error: CommandError) -> Iterator[str]:
        """Yield the messages of an error about a file. They begin with the member: `screens.0.key: is required`."""
        for message in error.messages if isinstance(error, FolderError) else (str(error),):
            if message.startswith(f"{path}: "):
                yield message
            else:
                member = message.partition(": ")[0]
                place = [int(part) if part.isdecimal() else part for part in member.split(".")]
                yield self.at_line(path, place, message)

    def _read(self, path: str, file_format: Format | None = None) -> Any:  # noqa: ANN401 - any JSON
        try:
            return parse_text(self._read_text(path), file_format or self.format)
        except TextError as error:
            raise FolderError(f"{path}: {error}") from None

    def _read_text(self, path: str) -> str:
        try:
            return self._read_bytes(path, MAX_FILE_BYTES).decode()
        except UnicodeDecodeError:
            raise FolderError(f"{path}: is not UTF-8") from None

    def _read_bytes(self, path: str, limit: int) -> bytes:
        try:
            descriptor = os.open(self.root / path, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
        except OSError as error:
            is_link = (self.root / path).is_symlink()
            raise FolderError(f"{path}: {'is a link' if is_link else error.strerror}") from None
        with os.fdopen(descriptor, "rb") as file:
            state = os.fstat(descriptor)
            if not stat.S_ISREG(state.st_mode):
                raise FolderError(f"{path}: is not a plain file")
            content = file.read(limit + 1)
        if len(content) > limit:
            raise FolderError(f"{path}: is larger than {limit // 1024**2} MiB")
        return content

    def _write(self, path: str, value: object, file_format: Format | None = None) -> None:
        self._write_bytes(path, format_text(value, file_format or self.format).encode())

    def _write_bytes(self, path: str, content: bytes) -> None:
        """Replace a file as a whole; an interrupted command leaves the former one."""
        target = self.root / path
        kinds = path.split("/")[:-1]
        for depth in range(1, len(kinds) + 1):
            self._check_folder("/".join(kinds[:depth]))
        target.parent.mkdir(parents=True, exist_ok=True)
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
