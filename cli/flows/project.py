"""The flows and themes of a project, and the keys of a folder that stand for them.

A key stands for the id that the folder keeps for the project. Without an id that exists, it stands for the one flow,
theme or screen of the same name: a fresh checkout of a folder applies as the folder itself.
"""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import orjson

from cli.errors import CommandError
from cli.flows.client import CONNECTIONS, ApiError, ManagementClient
from cli.flows.files import (
    MAX_KEY_LENGTH,
    FlowFile,
    FlowIds,
    Members,
    ProjectIds,
    ThemeFile,
    theme_members,
)
from common.ids import IdPrefix, new_id
from management_api.db.models.documents import SCREEN_MEMBERS
from management_api.flows.logic import ANSWERS_PREFIX, END, with_screen_ids_renamed

ARCHIVED = "archived"


@dataclass(frozen=True, slots=True)
class LiveItem:
    """A flow or a theme as the API shows it, with its entity tag."""

    view: Mapping[str, Any]
    tag: str | None

    @property
    def id(self) -> str:
        """Its id."""
        return str(self.view["id"])

    @property
    def name(self) -> str:
        """Its name."""
        return str(self.view["name"])


@dataclass(frozen=True, slots=True)
class LiveProject:
    """A project with all its flows and themes."""

    id: str
    required_approvals: int
    flows: Sequence[LiveItem]
    themes: Sequence[LiveItem]


def read_project(
    client: ManagementClient, project_id: str, progress: Callable[[int, int], None] = lambda _done, _total: None
) -> LiveProject:
    """Return a project. Raises CommandError."""
    try:
        project = client.get(f"/projects/{project_id}").data
    except ApiError as error:
        raise CommandError(f"project {project_id}: {error}; is the user of the API key a member?") from None
    themes = [theme["id"] for theme in client.items("/themes", project_id=project_id)]
    flows = [flow["id"] for flow in client.items("/flows", project_id=project_id)]
    items: list[LiveItem] = []
    with ThreadPoolExecutor(CONNECTIONS) as readers:
        paths = [*(f"/themes/{theme_id}" for theme_id in themes), *(f"/flows/{flow_id}" for flow_id in flows)]
        for item in readers.map(lambda path: read_item(client, path), paths):
            items.append(item)
            progress(len(items), len(paths))
    settings = project.get("settings", {})
    return LiveProject(project_id, settings.get("required_approvals", 0), items[len(themes) :], items[: len(themes)])


def read_item(client: ManagementClient, path: str) -> LiveItem:
    """Return a flow or a theme."""
    response = client.get(path)
    return LiveItem(response.data, response.tag)


# --- keys ---


def keys_by_id(named: Mapping[str, str], ids: Mapping[str, str], live: Sequence[LiveItem], kind: str) -> dict[str, str]:
    """Return the keys of the live items that keys of the folder stand for; `named` are the names by key.

    Raises CommandError where a name does not decide.
    """
    present = {item.id for item in live}
    keys = {ids[key]: key for key in named if ids.get(key) in present}
    taken = set(keys.values())
    waiting: dict[str, list[str]] = {}
    for key, name in named.items():
        if key not in taken:
            waiting.setdefault(name, []).append(key)
    unknown: dict[str, list[LiveItem]] = {}
    for item in live:
        if item.id not in keys and item.name in waiting:
            unknown.setdefault(item.name, []).append(item)
    for name, items in unknown.items():
        candidates = [item for item in items if item.view.get("status") != ARCHIVED] or items
        if len(candidates) > 1 or len(waiting[name]) > 1:
            raise CommandError(
                f"{kind}/{waiting[name][0]}: several are named {name!r}; enter the ids in ids/, or change the names"
            )
        keys[candidates[0].id] = waiting[name][0]
    return keys


def with_new_keys(keys: Mapping[str, str], live: Sequence[LiveItem], taken: Iterable[str], kind: str) -> dict[str, str]:
    """Return the keys of all live items: the given keys, and for other items new keys made of their names."""
    used = {*taken, *keys.values()}
    complete = dict(keys)
    for item in live:
        if item.id not in complete:
            complete[item.id] = new_key(item.name or kind, kind, used)
    return complete


def screen_keys(
    live: Sequence[Mapping[str, Any]], ids: Mapping[str, str], wanted: Sequence[Mapping[str, Any]]
) -> dict[str, str]:
    """Return the keys of live screens; `wanted` are the screens of the folder, whose `id` is their key.

    Screens without a known id are found by their content, then by type and name in their order.
    """
    present = {screen["id"] for screen in live}
    keys = {ids[screen["id"]]: screen["id"] for screen in wanted if ids.get(screen["id"]) in present}
    # Rules and conditions name screens by their ids, which differ.
    for attributes in (("type", "name", "content", "settings"), ("type", "name")):
        found = set(keys.values())
        waiting: dict[bytes, list[str]] = {}
        for screen in wanted:
            if screen["id"] not in found:
                waiting.setdefault(_digest(screen, attributes), []).append(screen["id"])
        for screen in live:
            candidates = waiting.get(_digest(screen, attributes))
            if screen["id"] not in keys and candidates:
                keys[screen["id"]] = candidates.pop(0)
    used = {END, *keys.values(), *(screen["id"] for screen in wanted)}
    for screen in live:
        if screen["id"] not in keys:
            keys[screen["id"]] = new_key(screen["name"] or screen["type"], "screen", used)
    return keys


def _digest(screen: Mapping[str, Any], attributes: Iterable[str]) -> bytes:
    return orjson.dumps([screen.get(attribute) for attribute in attributes], option=orjson.OPT_SORT_KEYS)


def new_key(name: str, kind: str, used: set[str]) -> str:
    """Return a key made from a name, and add it to the used ones."""
    plain = unicodedata.normalize("NFKD", name).encode("ascii", "ignore").decode().lower()
    stem = re.sub(r"[^a-z0-9]+", "-", plain).strip("-")[: MAX_KEY_LENGTH - 8].strip("-") or kind
    key, number = stem, 1
    while key in used:
        number += 1
        key = f"{stem}-{number}"
    used.add(key)
    return key


# --- from ids to keys and back ---


def document_by_keys(document: Mapping[str, Any], screens: Mapping[str, str], themes: Mapping[str, str]) -> Members:
    """Return a document of the API with keys in place of ids; a flow has the members of its document, too."""
    theme_id = document["theme_id"]
    members: Members = {
        "name": document["name"],
        "description": document["description"],
        # A deleted theme has no key. Its id is none either, so the difference is seen.
        "theme": None if theme_id is None else themes.get(theme_id, theme_id),
        "targeting": {name: document["targeting"][name] for name in ("percentage", "conditions")},
        "variables": document.get("variables", []),
        "screens": [
            {name: screen[name] for name in ("id", *SCREEN_MEMBERS) if name in screen} for screen in document["screens"]
        ],
    }
    in_formulas = {screen_id: _name_in_formula(key) for screen_id, key in screens.items()}
    return with_screen_ids_renamed(members, screens, in_formulas)


def document_by_ids(document: Mapping[str, Any], screens: Mapping[str, str], themes: Mapping[str, str]) -> Members:
    """Return a document of the folder with ids in place of keys; new screens get new ids."""
    theme = document["theme"]
    ids = {screen["id"]: screens.get(screen["id"]) or new_id(IdPrefix.SCREEN) for screen in document["screens"]}
    in_formulas = {_name_in_formula(key): screen_id for key, screen_id in ids.items()}
    members = with_screen_ids_renamed(document, ids, in_formulas)
    del members["theme"]
    return {**members, "theme_id": None if theme is None else themes[theme]}


def _name_in_formula(key: str) -> str:
    """Return the key of a screen as a formula names it: a hyphen would be a minus."""
    name = key.replace("-", "_")
    return f"_{name}" if name[0].isdigit() else name


def may_name_screens(document: Mapping[str, Any]) -> bool:
    """Return whether a document may name its own screens, so that their ids must be known before it is stored."""
    return any(screen.get("next") for screen in document["screens"]) or ANSWERS_PREFIX.encode() in orjson.dumps(
        document
    )


def flow_file(flow: LiveItem, screens: Mapping[str, str], themes: Mapping[str, str]) -> FlowFile:
    """Return the file of a live flow."""
    document = document_by_keys(flow.view, screens, themes)
    return FlowFile(document, flow.view["status"], flow.view["is_default"], flow.view["priority"])


def theme_file(theme: LiveItem) -> ThemeFile:
    """Return the file of a live theme."""
    return ThemeFile(theme_members(theme.view))


def flow_ids(flow_id: str, screens: Mapping[str, str], wanted: Iterable[Mapping[str, Any]]) -> FlowIds:
    """Return the ids of a flow's keys in the order of its screens; `screens` are the keys by id."""
    by_key = {key: screen_id for screen_id, key in screens.items()}
    return FlowIds(flow_id, {screen["id"]: by_key[screen["id"]] for screen in wanted if screen["id"] in by_key})


def ids_by_key(ids: ProjectIds) -> dict[str, str]:
    """Return the ids of flows by their keys."""
    return {key: flow.id for key, flow in ids.flows.items()}
