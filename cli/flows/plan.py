"""The difference of a folder and a project: which themes and flows an apply creates, changes and removes."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from cli.flows.client import ApiError, ManagementClient
from cli.flows.files import FlowFile, FlowIds, FolderError, Members, ProjectIds, ThemeFile
from cli.flows.folder import Folder, FolderContent
from cli.flows.project import (
    ARCHIVED,
    LiveItem,
    LiveProject,
    document_by_keys,
    ids_by_key,
    keys_by_id,
    screen_keys,
    theme_file,
    with_new_keys,
)
from cli.flows.words import change_lines, printed, problem_lines
from management_api.db.models.flows import FlowStatus
from management_api.flows.lifecycle.logic_problems import logic_errors
from management_api.flows.lifecycle.validation import screen_errors
from management_api.history.diff import Change, document_changes
from management_api.themes.looks import Looks

NO_DRAFT = 404


@dataclass(frozen=True, slots=True)
class PlannedTheme:
    """A theme of the folder; `live` is None for a new one, `draft` where there is none or it is not read."""

    key: str
    wanted: ThemeFile
    live: LiveItem | None
    changes: list[Change]
    draft: LiveItem | None = None

    @property
    def document(self) -> Members:
        """The document that the file describes."""
        members = self.wanted.members.items()
        return {n: value for n, value in members if n == "description" or (n != "is_default" and value is not None)}

    @property
    def content_differs(self) -> bool:
        """Whether more than the default differs."""
        return any(change.path != "/is_default" for change in self.changes)


@dataclass(frozen=True, slots=True)
class PlannedFlow:
    """A flow of the folder; `live` is None for a new one, `draft` where there is none or it is not read."""

    key: str
    wanted: FlowFile
    live: LiveItem | None
    draft: LiveItem | None
    #: The keys of the screens of the live flow and of the draft, by id.
    screens: Mapping[str, str]
    changes: list[Change]
    #: The members of PUT /flows/:id that differ: status, is_default, priority.
    state: Members

    @property
    def differs(self) -> bool:
        """Whether an apply has something to do."""
        return self.live is None or bool(self.changes or self.state)


@dataclass(frozen=True, slots=True)
class Plan:
    """All that an apply does."""

    project: LiveProject
    ids: ProjectIds
    themes: list[PlannedTheme]
    flows: list[PlannedFlow]
    archived: list[LiveItem] = field(default_factory=list)
    deleted_themes: list[LiveItem] = field(default_factory=list)
    #: Sentences about things that stay as they are.
    notes: list[str] = field(default_factory=list)

    @property
    def theme_keys(self) -> dict[str, str]:
        """The keys of the themes of the folder that exist, by id."""
        return {theme.live.id: theme.key for theme in self.themes if theme.live}

    def lines(self) -> Iterator[str]:
        """Yield the changes in words."""
        for theme in self.themes:
            if theme.changes or theme.live is None:
                yield f"{'change' if theme.live else 'create'} theme {theme.key}"
                yield from (f"  {line}" for line in change_lines(theme.changes) if theme.live)
        for flow in self.flows:
            if flow.differs:
                yield f"{'change' if flow.live else 'create'} flow {flow.key}"
                yield from (f"  {line}" for line in self._flow_lines(flow))
        for item in self.archived:
            yield f"archive flow {printed(item.name)} ({item.id})"
        for item in self.deleted_themes:
            yield f"delete theme {printed(item.name)} ({item.id})"
        yield from (f"note: {note}" for note in self.notes)

    @staticmethod
    def _flow_lines(flow: PlannedFlow) -> Iterator[str]:
        yield from change_lines(flow.changes)
        for name, value in flow.state.items():
            before = f"{printed(flow.live.view[name])} → " if flow.live else ""
            yield f"{name}: {before}{printed(value)}"


def make_plan(
    client: ManagementClient,
    folder: Folder,
    content: FolderContent,
    project: LiveProject,
    only: Collection[str],
    *,
    draft: bool,
    prune: bool,
) -> Plan:
    """Compare a folder with a project; `only` are the keys of flows to apply, all without one.

    Raises FolderError, CommandError before anything is changed.
    """
    ids = folder.read_ids(project.id)
    _check_references(folder, content, only)
    theme_names = {key: theme.name for key, theme in content.themes.items()}
    flow_names = {key: flow.name for key, flow in content.flows.items()}
    themes_found = keys_by_id(theme_names, ids.themes, project.themes, "themes")
    flows_found = keys_by_id(flow_names, ids_by_key(ids), project.flows, "flows")
    theme_keys = with_new_keys(themes_found, project.themes, content.themes, "theme")

    flows = {key: flow for key, flow in content.flows.items() if not only or key in only}
    used = {flow.document["theme"] for flow in flows.values()}
    themes = {key: theme for key, theme in content.themes.items() if not only or key in used}
    notes: list[str] = []
    live_themes = {themes_found[item.id]: item for item in project.themes if item.id in themes_found}
    live_flows = {flows_found[item.id]: item for item in project.flows if item.id in flows_found}
    planned_themes = [_plan_theme(key, theme, live_themes.get(key)) for key, theme in themes.items()]
    if draft:
        planned_themes = [_against_draft(client, theme) if theme.live else theme for theme in planned_themes]
    planned_flows = [
        _plan_flow(client, key, flow, live_flows.get(key), ids.flows.get(key, FlowIds("")), theme_keys, draft=draft)
        for key, flow in flows.items()
    ]
    plan = Plan(project, ids, planned_themes, planned_flows, notes=notes)
    if not draft:
        _check_screens(folder, planned_flows)
    if prune:
        _plan_removals(client, plan, themes_found, flows_found)
    return plan


def _plan_theme(key: str, wanted: ThemeFile, live: LiveItem | None) -> PlannedTheme:
    if live is None:
        return PlannedTheme(key, wanted, None, [])
    present = theme_file(live).members
    unset = {name: None for name in Looks.model_fields if name in present}
    wanted = ThemeFile({**unset, **wanted.members})
    return PlannedTheme(key, wanted, live, _changes(present, {**present, **wanted.members}))


def _against_draft(client: ManagementClient, theme: PlannedTheme) -> PlannedTheme:
    """Return a theme with its draft, and without changes if the draft has them already. The default stays."""
    draft = read_draft(client, f"/themes/{theme.live.id}") if theme.live else None
    changes = [change for change in theme.changes if change.path != "/is_default"]
    if draft and not _changes(draft.view["document"], theme.document):
        changes = []
    return replace(theme, changes=changes, draft=draft)


def _plan_flow(
    client: ManagementClient,
    key: str,
    wanted: FlowFile,
    live: LiveItem | None,
    ids: FlowIds,
    theme_keys: Mapping[str, str],
    *,
    draft: bool,
) -> PlannedFlow:
    state: Members = {}
    if not draft and wanted.status not in {None, live.view["status"] if live else FlowStatus.DRAFT}:
        state["status"] = wanted.status
    if not draft and wanted.is_default not in {None, live.view["is_default"] if live else False}:
        state["is_default"] = wanted.is_default
    if not draft and wanted.priority not in {None, live.view["priority"] if live else 0}:
        state["priority"] = wanted.priority
    if live is None:
        return PlannedFlow(key, wanted, None, None, {}, [], state)
    stored = read_draft(client, f"/flows/{live.id}") if draft else None
    screens = keys_of_screens(live, stored, ids.screens, wanted)
    before = document_by_keys(stored.view["document"] if stored else live.view, screens, theme_keys)
    return PlannedFlow(key, wanted, live, stored, screens, _changes(before, wanted.document), state)


def keys_of_screens(live: LiveItem, draft: LiveItem | None, ids: Mapping[str, str], wanted: FlowFile) -> dict[str, str]:
    """Return the keys of the screens of the live flow and of its draft."""
    listed = list(live.view["screens"])
    if draft:
        present = {screen["id"] for screen in listed}
        # The screens of the draft first: they are the newer ones.
        newer = draft.view["document"]["screens"]
        named = {screen["id"] for screen in newer}
        listed = [*newer, *(screen for screen in listed if screen["id"] in present - named)]
    return screen_keys(listed, ids, wanted.document["screens"])


def read_draft(client: ManagementClient, path: str) -> LiveItem | None:
    """Return the draft of a flow or a theme with its entity tag; None without one."""
    try:
        response = client.get(f"{path}/draft")
    except ApiError as error:
        if error.status == NO_DRAFT:
            return None
        raise
    return LiveItem(response.data, response.tag)


def _changes(before: Mapping[str, Any], after: Mapping[str, Any]) -> list[Change]:
    # A theme has no screens, and no member of that name.
    return document_changes({"screens": [], **before}, {"screens": [], **after})


def _check_references(folder: Folder, content: FolderContent, only: Collection[str]) -> None:
    messages = [f"{folder.path_of('flows', key)}: the file does not exist" for key in only if key not in content.flows]
    for key, flow in content.flows.items():
        theme = flow.document["theme"]
        if theme is not None and theme not in content.themes:
            messages.append(f"{folder.path_of('flows', key)}: theme: there is no {folder.path_of('themes', theme)}")
    if messages:
        raise FolderError(*messages)


def _check_screens(folder: Folder, flows: list[PlannedFlow]) -> None:
    """Raise FolderError for rules without a target, and for new active flows that could not be published."""
    messages = []
    for flow in flows:
        screens = flow.wanted.document["screens"]
        is_published = flow.live is None and flow.wanted.status == FlowStatus.ACTIVE
        errors = [*(screen_errors(screens) if is_published else ()), *logic_errors(screens)]
        problems = [{"field": error.field, "message": error.message} for error in errors]
        path = folder.path_of("flows", flow.key)
        messages += [folder.at_line(path, place, line) for place, line in problem_lines(problems, {})]
    if messages:
        raise FolderError(*messages)


def _plan_removals(
    client: ManagementClient, plan: Plan, themes_found: Mapping[str, str], flows_found: Mapping[str, str]
) -> None:
    """Add the flows to archive and the themes to delete. Raises FolderError for an item that is in use."""
    project = plan.project
    missing = [flow for flow in project.flows if flow.id not in flows_found and flow.view["status"] != ARCHIVED]
    has_default = any(flow.wanted.is_default for flow in plan.flows)
    has_default_theme = any(theme.wanted.members.get("is_default") for theme in plan.themes)
    in_experiments = _flows_in_experiments(client, project.id) if missing else {}
    messages = []
    for flow in missing:
        if flow.view["is_default"] and not has_default:
            messages.append(
                f"--prune: the folder lacks the default flow {printed(flow.name)} ({flow.id}); make another one default"
            )
        if flow.id in in_experiments:
            messages.append(
                f"--prune: the folder lacks the flow {printed(flow.name)} ({flow.id}) of the active experiment"
                f" {printed(in_experiments[flow.id])}; complete the experiment first"
            )
    plan.archived.extend(missing)
    kept = [flow for flow in project.flows if flow.id not in flows_found]
    used = {flow.view["theme_id"]: flow for flow in kept}
    for theme in project.themes:
        if theme.id in themes_found:
            continue
        if theme.view["is_default"] and not has_default_theme:
            messages.append(f"--prune: the folder lacks the default theme {printed(theme.name)} ({theme.id})")
        elif theme.id in used:
            name = printed(used[theme.id].name)
            plan.notes.append(f"theme {printed(theme.name)} stays: the archived flow {name} uses it")
        else:
            plan.deleted_themes.append(theme)
    if messages:
        raise FolderError(*messages)


def _flows_in_experiments(client: ManagementClient, project_id: str) -> dict[str, str]:
    """Return the names of the active experiments by the ids of their flows."""
    return {
        variant["flow_id"]: experiment["name"]
        for status in ("running", "paused")
        for experiment in client.items("/experiments", project_id=project_id, status=status)
        for variant in experiment["variants"]
    }
