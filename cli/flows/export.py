"""`onboarding flows export`: write the flows and themes of a project into a folder."""

import os
from collections.abc import Callable, Collection
from dataclasses import dataclass, replace
from pathlib import Path

from cli.errors import CommandError
from cli.flows.client import ManagementClient
from cli.flows.files import FlowIds, FolderError, ProjectIds, ThemeFile, theme_by_keys
from cli.flows.folder import Folder, FolderContent
from cli.flows.media import export_media, with_keys
from cli.flows.project import (
    flow_file,
    flow_ids,
    ids_by_key,
    keys_by_id,
    read_project,
    screen_keys,
    theme_file,
    with_new_keys,
)
from cli.flows.text import Format


@dataclass(frozen=True, slots=True)
class Exported:
    """The numbers of written files, and the files of the folder that the project has nothing for."""

    flows: int
    themes: int
    left: list[str]


def export_project(
    client: ManagementClient,
    project_id: str,
    root: Path,
    file_format: Format | None,
    flow_ids_wanted: Collection[str],
    progress: Callable[[int, int], None],
) -> Exported:
    """Write a project, or some of its flows with their themes, into a folder, whose keys stay.

    Raises CommandError before anything is written.
    """
    is_new = not any(os.path.lexists(root / f"onboarding.{ending}") for ending in Format)
    folder = Folder(root, file_format or Format.YAML) if is_new else Folder.open(root)
    if file_format not in {None, folder.format}:
        raise FolderError(f"{root}: has {folder.format.upper()} files")
    content = FolderContent() if is_new else folder.read()
    known = ProjectIds() if is_new else folder.read_ids(project_id)
    project = read_project(client, project_id, progress)

    flow_names = {key: flow.name for key, flow in content.flows.items()}
    theme_names = {key: theme.name for key, theme in content.themes.items()}
    found = keys_by_id(flow_names, ids_by_key(known), project.flows, "flows")
    flow_keys = with_new_keys(found, project.flows, content.flows, "flow")
    found = keys_by_id(theme_names, known.themes, project.themes, "themes")
    theme_keys = with_new_keys(found, project.themes, content.themes, "theme")

    flows = [flow for flow in project.flows if not flow_ids_wanted or flow.id in flow_ids_wanted]
    missing = set(flow_ids_wanted) - {flow.id for flow in flows}
    if missing:
        raise CommandError(f"the project has no flow {', '.join(sorted(missing))}")
    used = {flow.view["theme_id"] for flow in flows}
    themes = [theme for theme in project.themes if not flow_ids_wanted or theme.id in used]

    if is_new:
        Folder.create(root, folder.format)
    ids = ProjectIds(dict(known.flows), dict(known.themes), dict(known.media)) if flow_ids_wanted else ProjectIds()
    media_keys = export_media(
        client, folder, known.media, [flow.view for flow in flows], [theme.view for theme in themes]
    )
    ids.media.update({key: media_id for media_id, key in media_keys.items()})
    for theme in themes:
        folder.write_theme(theme_keys[theme.id], ThemeFile(theme_by_keys(theme_file(theme).members, media_keys)))
        ids.themes[theme_keys[theme.id]] = theme.id
    for flow in flows:
        key = flow_keys[flow.id]
        former = content.flows.get(key)
        keys = screen_keys(
            flow.view["screens"],
            known.flows.get(key, FlowIds("")).screens,
            former.document["screens"] if former else (),
        )
        exported = flow_file(flow, keys, theme_keys)
        exported = replace(exported, document=with_keys(exported.document, media_keys))
        folder.write_flow(key, exported)
        ids.flows[key] = flow_ids(flow.id, keys, exported.document["screens"])
    folder.write_ids(project_id, ids)
    left = [] if flow_ids_wanted else _left(folder, content, ids)
    return Exported(len(flows), len(themes), left)


def _left(folder: Folder, content: FolderContent, ids: ProjectIds) -> list[str]:
    return [
        *(folder.path_of("themes", key) for key in content.themes if key not in ids.themes),
        *(folder.path_of("flows", key) for key in content.flows if key not in ids.flows),
    ]
