"""Media files of a folder: `media/KEY.yaml` has the facts of a file, and `files/KEY.EXTENSION` its content.

Documents of a folder name a file by its key, `{"media": KEY}`, where those of the service have `{"media_id": ID}`. The
file is known by the id that the folder keeps for the project, else by its SHA-256, so nothing is uploaded twice.
"""

import hashlib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from cli.flows.client import ApiError, ManagementClient
from cli.flows.files import FlowFile, FolderError, MediaFile, Members, ThemeFile, theme_by_ids
from cli.flows.folder import Folder, FolderContent
from cli.flows.project import new_key
from common.media_names import MEDIA_TYPES
from management_api.media.references import references_in, replaced, theme_references

_NOT_FOUND = 404
_ID, _KEY = "media_id", "media"
#: The facts that are other files, by their members in the interface.
_PARTNERS = {"dark": "dark_media_id", "poster": "poster_media_id"}


def export_media(
    client: ManagementClient,
    folder: Folder,
    known: Mapping[str, str],
    flows: Iterable[Mapping[str, Any]],
    themes: Iterable[Mapping[str, Any]],
) -> dict[str, str]:
    """Write the files that flows and themes of the service name, with their partners; return their keys by id.

    `known` are the ids of the project by key. An id whose file is gone has no key. Raises CommandError.
    """
    keys = {media_id: key for key, media_id in known.items()}
    used = {*folder.read_media(), *known}
    found: dict[str, Mapping[str, Any]] = {}
    of_flows = (reference for flow in flows for reference in references_in(flow["screens"]))
    of_themes = (reference for theme in themes for reference in theme_references(theme))
    waiting = [str(reference.value[_ID]) for reference in (*of_flows, *of_themes)]
    while waiting:
        media_id = waiting.pop()
        media = None if media_id in found else _read(client, media_id)
        if media is not None:
            found[media_id] = media
            keys.setdefault(media_id, new_key(media["name"].rpartition(".")[0] or media["name"], "picture", used))
            waiting += [media[member] for member in _PARTNERS.values() if media[member] is not None]
    for media_id, media in found.items():
        content = client.download(media["url"])
        extension = media["url"].rpartition(".")[2]
        partners = {name: keys[media[member]] for name, member in _PARTNERS.items() if media[member] in found}
        facts = MediaFile(
            f"{keys[media_id]}.{extension}", media["name"], media["alt"], media["focal_point"], **partners
        )
        folder.write_media(keys[media_id], facts, content)
    return {media_id: keys[media_id] for media_id in found}


def with_keys(document: Members, keys: Mapping[str, str]) -> Members:
    """Return a document of the service with keys in place of the ids of files."""
    return _renamed(document, _ID, _KEY, keys)


@dataclass(frozen=True, slots=True)
class _Planned:
    """A file of a folder; `media` is what the project has of it."""

    key: str
    wanted: MediaFile
    media: Mapping[str, Any] | None

    def changes(self, ids: Mapping[str, str]) -> Members:
        """Return the members that differ; `ids` are those of the files by key."""
        wanted: Members = {"name": self.wanted.name, "alt": self.wanted.alt, "focal_point": self.wanted.focal_point}
        wanted |= {member: ids.get(getattr(self.wanted, name) or "") for name, member in _PARTNERS.items()}
        media = self.media or {"name": self.wanted.name, "alt": "", "poster_media_id": wanted["poster_media_id"]}
        return {name: value for name, value in wanted.items() if value != media.get(name)}


class FolderMedia:
    """The files that flows and themes of a folder name, and what a project has of them."""

    def __init__(
        self,
        client: ManagementClient,
        folder: Folder,
        project_id: str,
        flows: Mapping[str, FlowFile],
        themes: Mapping[str, ThemeFile],
    ) -> None:
        """Find the files. Raises FolderError for names without a file, CommandError for those without a content."""
        self._client = client
        self._folder = folder
        self._project_id = project_id
        self._known = folder.read_ids(project_id).media
        self._planned: list[_Planned] = []
        for key, wanted in _used(folder, flows, themes):
            self._planned.append(_Planned(key, wanted, self._find(key, wanted)))

    @property
    def ids(self) -> dict[str, str]:
        """The ids of the files that the project has, by their keys."""
        return {planned.key: planned.media["id"] for planned in self._planned if planned.media is not None}

    def lines(self) -> Iterator[str]:
        """Yield what an apply uploads and changes."""
        for planned in self._planned:
            if planned.media is None:
                yield f"upload files/{planned.wanted.file}"
            else:
                names = ", ".join(planned.changes(self.ids))
                if names:
                    yield f"change media {planned.key}: {names}"

    def resolved(self, content: FolderContent) -> FolderContent:
        """Return the folder with ids in place of keys; a file that is not uploaded yet has a text as its id."""
        names = {planned.key: f"(new) files/{planned.wanted.file}" for planned in self._planned} | self.ids
        flows = {
            key: replace(flow, document=_renamed(flow.document, _KEY, _ID, names))
            for key, flow in content.flows.items()
        }
        themes = {key: ThemeFile(theme_by_ids(theme.members, names)) for key, theme in content.themes.items()}
        return replace(content, flows=flows, themes=themes)

    def upload(self) -> None:
        """Upload the files that the project lacks, partners first, and change the facts of the others."""
        ids = self.ids
        for place, planned in enumerate(self._planned):
            media = planned.media
            if media is None:
                query = {"projectId": self._project_id, "name": planned.wanted.name}
                if planned.wanted.poster is not None:
                    query["poster_media_id"] = ids[planned.wanted.poster]
                kind = MEDIA_TYPES[planned.wanted.file.rpartition(".")[2]]
                content = self._folder.read_file(planned.wanted.file)
                media = self._client.upload("/media", content, kind, **query).data
                ids[planned.key] = media["id"]
            changes = replace(planned, media=media).changes(ids)
            if changes:
                media = self._client.put(f"/media/{media['id']}", changes).data
            self._planned[place] = replace(planned, media=media)

    def _find(self, key: str, wanted: MediaFile) -> Mapping[str, Any] | None:
        known = self._known.get(key)
        media = None if known is None else _read(self._client, known)
        if media is not None and media["project_id"] == self._project_id:
            return media
        digest = hashlib.sha256(self._folder.read_file(wanted.file)).hexdigest()
        taken = self.ids.values()
        equal = [
            media
            for media in self._client.items("/media", projectId=self._project_id, digest=digest)
            if media["id"] not in taken
        ]
        # Equal files of several names stay several.
        return min(equal, key=lambda media: media["name"] != wanted.name, default=None)


def _used(
    folder: Folder, flows: Mapping[str, FlowFile], themes: Mapping[str, ThemeFile]
) -> Iterator[tuple[str, MediaFile]]:
    """Yield the files that flows and themes name, each behind its partners. Raises FolderError."""
    files = folder.read_media()
    messages: list[str] = []
    done: dict[str, MediaFile] = {}

    def add(key: str, place: str, path: Collection[str] = ()) -> None:
        file = files.get(key)
        if file is None:
            messages.append(f"{place}: there is no {folder.path_of('media', key)}")
        elif key not in done and key not in path:
            for name in _PARTNERS:
                partner = getattr(file, name)
                if partner is not None:
                    add(partner, f"{folder.path_of('media', key)}: {name}", (*path, key))
            done[key] = file

    for place, key in _named(folder, flows, themes):
        add(key, place)
    if messages:
        raise FolderError(*messages)
    yield from done.items()


def _named(folder: Folder, flows: Mapping[str, FlowFile], themes: Mapping[str, ThemeFile]) -> Iterator[tuple[str, str]]:
    """Yield the place of each name of a file, and the key that stands there."""
    for flow_key, flow in flows.items():
        for reference in references_in(flow.document["screens"], "screens", _KEY):
            yield f"{folder.path_of('flows', flow_key)}: {reference.path}.media", str(reference.value[_KEY])
    for theme_key, theme in themes.items():
        for reference in theme_references(theme_by_ids(theme.members, None)):
            place = f"{folder.path_of('themes', theme_key)}: {reference.path.removesuffix('Id')}"
            yield place, str(reference.value[_ID])


def _renamed(document: Members, former: str, name: str, names: Mapping[str, str]) -> Members:
    def rename(_member: str, reference: Members) -> Members:
        known = names.get(str(reference[former]))
        others = {member: value for member, value in reference.items() if member != former}
        return reference if known is None else {name: known, **others}

    return {**document, "screens": replaced(document["screens"], rename, former)}


def _read(client: ManagementClient, media_id: str) -> Mapping[str, Any] | None:
    try:
        media: Mapping[str, Any] = client.get(f"/media/{media_id}").data
    except ApiError as error:
        if error.status == _NOT_FOUND:
            return None
        raise
    return media
