"""`onboarding flows apply`: make a project as its folder: themes first, then each flow in one transaction.

A flow is changed by its draft, which is published at once. The draft's base version proves that no other user changed
the flow since it was compared: a direct write may replace a version, unless a draft refers to it.
"""

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any

from cli.flows.client import ApiError, ApiResponse, FatalApiError, ManagementClient, UnreachableError
from cli.flows.files import FlowIds, Members
from cli.flows.folder import Folder
from cli.flows.plan import NO_DRAFT, Plan, PlannedFlow, PlannedTheme, keys_of_screens, read_draft
from cli.flows.project import (
    ARCHIVED,
    LiveItem,
    document_by_ids,
    document_by_keys,
    flow_ids,
    may_name_screens,
    read_item,
)
from cli.flows.results import Applied, ApplyError, ApplyOptions
from cli.flows.words import problem_lines
from management_api.db.models.documents import SCREEN_MEMBERS
from management_api.db.models.flows import FlowStatus

_CREATED, _NOT_FOUND, _CONFLICT, _PRECONDITION_FAILED = 201, 404, 409, 412


class Applier:
    """Applies a plan. An error of one flow leaves it as it was and does not stop the others."""

    def __init__(self, client: ManagementClient, folder: Folder, plan: Plan, options: ApplyOptions) -> None:
        self._client = client
        self._folder = folder
        self._plan = plan
        self._options = options
        self._theme_ids = {key: theme_id for theme_id, key in plan.theme_keys.items()}
        self._user_id: str | None = None
        self.applied = Applied()

    def run(self, progress: Callable[[int, int], None]) -> Applied:
        """Apply all. An error after which no request can succeed is the last one of the result."""
        try:
            self._apply_themes()
            for done, flow in enumerate(self._plan.flows):
                progress(done, len(self._plan.flows))
                self._attempt("flows", flow.key, partial(self._apply_flow, flow))
            progress(len(self._plan.flows), len(self._plan.flows))
            self._remove()
        except FatalApiError as error:
            self.applied.errors.append(str(error))
            self.applied.is_cut_off = isinstance(error, UnreachableError)
        # The ids of flows and themes that were found by their names are kept, too.
        self._keep_ids()
        return self.applied

    def _attempt(self, kind: str, key: str, action: Callable[[], None]) -> bool:
        path = self._folder.path_of(kind, key)
        try:
            action()
        except ApplyError as error:
            self.applied.errors.append(f"{path}: {error}")
            self.applied.errors += [self._folder.at_line(path, place, line) for place, line in error.problems]
        except ApiError as error:
            self.applied.errors.append(f"{path}: {error}")
            lines = problem_lines(error.details, {})
            self.applied.errors += [
                self._folder.at_line(path, place, line) for place, line in lines if line != str(error)
            ]
        else:
            return True
        return False

    # --- themes ---

    def _apply_themes(self) -> None:
        # The new default first: it unsets the former one, which changes the tag of that.
        themes = sorted(self._plan.themes, key=lambda theme: not theme.wanted.members.get("is_default"))
        for theme in themes:
            self._attempt("themes", theme.key, partial(self._apply_theme, theme))

    def _apply_theme(self, theme: PlannedTheme) -> None:
        members = dict(theme.wanted.members)
        if theme.live is None:
            if self._options.draft:
                # A new default theme would be live at once.
                members.pop("is_default", None)
            created = self._client.post("/themes", {"project_id": self._plan.project.id, **members})
            self._theme_ids[theme.key] = created.data["id"]
            self._keep_ids()
            self.applied.created += 1
            return
        if not theme.changes:
            self._theme_ids[theme.key] = theme.live.id
            self.applied.unchanged += 1
            return
        if self._options.draft:
            self._save_theme_draft(theme, theme.live)
            return
        tag, was_default = theme.live.tag, members.get("is_default") is False and theme.live.view["is_default"]
        if was_default:
            present = read_item(self._client, f"/themes/{theme.live.id}")
            if not present.view["is_default"]:
                # Another theme of this folder has become the default one.
                if _without_default(present) != _without_default(theme.live):
                    raise ApplyError(_conflict("theme"))
                if not theme.content_differs:
                    self.applied.unchanged += 1
                    return
                tag = present.tag
        try:
            self._client.put(f"/themes/{theme.live.id}", members, tag)
        except ApiError as error:
            raise self._explained(error, "theme") from None
        self._theme_ids[theme.key] = theme.live.id
        self.applied.changed += 1
        self._delete_own_draft(f"/themes/{theme.live.id}")

    def _delete_own_draft(self, path: str) -> None:
        """Delete the draft of a theme that a former apply has saved: what it wanted is live."""
        draft = read_draft(self._client, path)
        if draft and draft.view["updated_by"] == self._own_user_id():
            self._delete_draft(path, draft.tag)

    def _save_theme_draft(self, theme: PlannedTheme, live: LiveItem) -> None:
        """Save the wanted document as the draft of a theme. Raises ApplyError for a draft of another user."""
        self._check_draft(theme.draft)
        path = f"/themes/{live.id}"
        present = self._client.get(path, include="draft")
        if present.tag != live.tag:
            raise ApplyError(_conflict("theme"))
        body = {"document": theme.document, "base_version": present.data["version"]}
        try:
            self._client.put(f"{path}/draft", body, theme.draft.tag if theme.draft else None)
        except ApiError as error:
            raise self._explained(error, "draft") from None
        self._theme_ids[theme.key] = live.id
        self.applied.drafts += 1

    def _check_draft(self, draft: LiveItem | None) -> None:
        """Raise ApplyError for a draft of another user, unless it may be overwritten."""
        if draft and not self._options.replace_drafts and draft.view["updated_by"] != self._own_user_id():
            raise ApplyError(
                "another user has saved a draft, which this would overwrite: publish or delete it, or --replace-drafts"
            )

    # --- flows ---

    def _apply_flow(self, flow: PlannedFlow) -> None:
        theme = flow.wanted.document["theme"]
        if theme is not None and theme not in self._theme_ids:
            raise ApplyError(f"its theme {theme} could not be created")
        if flow.live is None:
            self._create(flow)
        elif not flow.differs:
            self._keep_flow(flow.key, flow_ids(flow.live.id, flow.screens, flow.wanted.document["screens"]))
            self.applied.unchanged += 1
        elif self._options.draft:
            self._save_draft(flow, flow.live, flow.draft)
            self.applied.drafts += 1
        else:
            self._change(flow, flow.live)
            self.applied.changed += 1

    def _create(self, flow: PlannedFlow) -> None:
        body: Members = {"project_id": self._plan.project.id, "name": flow.wanted.name}
        if self._options.draft:
            created = self._client.post("/flows", body).data
            self._keep_flow(flow.key, FlowIds(created["id"]))
            live = read_item(self._client, f"/flows/{created['id']}")
            self._save_draft(flow, live, None)
            self.applied.drafts += 1
            return
        if self._plan.project.required_approvals:
            raise ApplyError("the project requires approvals: apply with --draft, have the draft approved, apply again")
        if may_name_screens(flow.wanted.document):
            # The service gives a new flow the ids of its screens. The draft has the ids of its rules.
            created = self._client.post("/flows", body).data
            self._keep_flow(flow.key, FlowIds(created["id"]))
            self._change(flow, read_item(self._client, f"/flows/{created['id']}"))
            self.applied.created += 1
            return
        document = document_by_ids(flow.wanted.document, {}, self._theme_ids)
        created = self._client.post("/flows", {**body, **document, **flow.state}).data
        screens = dict(zip(_keys(flow), (screen["id"] for screen in created["screens"]), strict=True))
        self._keep_flow(flow.key, FlowIds(created["id"], screens))
        self.applied.created += 1

    def _change(self, flow: PlannedFlow, live: LiveItem) -> None:
        state, tag = dict(flow.state), live.tag
        if flow.changes or flow.live is None:
            self._publish(flow, live, activate=state.get("status") == FlowStatus.ACTIVE)
            if state.get("status") == FlowStatus.ACTIVE:
                del state["status"]
            if state:
                tag = read_item(self._client, f"/flows/{live.id}").tag
        else:
            tag = self._tag_after_default(live, f"/flows/{live.id}", "flow")
            self._keep_flow(flow.key, flow_ids(live.id, flow.screens, flow.wanted.document["screens"]))
        if state.get("is_default") is False and any(other.wanted.is_default for other in self._plan.flows):
            # The default moves to the other flow, in one transaction.
            del state["is_default"]
        if state:
            self._put_state(live.id, state, tag)

    def _put_state(self, flow_id: str, state: Members, tag: str | None) -> None:
        try:
            self._client.put(f"/flows/{flow_id}", state, tag)
        except ApiError as error:
            if error.status == _PRECONDITION_FAILED and error.attempts > 1:
                view = read_item(self._client, f"/flows/{flow_id}").view
                if all(view[name] == value for name, value in state.items()):
                    return
            raise self._explained(error, "flow") from None

    def _publish(self, flow: PlannedFlow, live: LiveItem, *, activate: bool) -> None:
        """Publish the wanted document. A draft that is refused is deleted, unless it was there before."""
        draft = read_draft(self._client, f"/flows/{live.id}")
        screens = keys_of_screens(live, draft, self._known_screens(flow.key), flow.wanted)
        is_saved = draft is not None and self._by_keys(draft, screens) == flow.wanted.document
        if not is_saved and self._plan.project.required_approvals:
            raise ApplyError("the project requires approvals: apply with --draft, have the draft approved, apply again")
        saved = draft if is_saved and draft else self._save_draft(flow, live, draft)
        try:
            version = self._client.post(
                f"/flows/{live.id}/publish",
                {
                    "ignore_warnings": self._options.ignore_warnings,
                    "activate": activate,
                    "note": self._options.note,
                },
            ).data
        except ApiError as error:
            if draft is None:
                self._delete_draft(f"/flows/{live.id}", saved.tag)
            keys = dict(zip((screen["id"] for screen in saved.view["document"]["screens"]), _keys(flow), strict=True))
            raise self._explained(error, "flow", keys) from None
        if version["document"] != saved.view["document"]:
            raise ApplyError(f"version {version['number']} is another draft, which was saved meanwhile: read its diff")
        self._keep_document(flow, live.id, version["document"])

    def _save_draft(self, flow: PlannedFlow, live: LiveItem, draft: LiveItem | None) -> LiveItem:
        """Save the wanted document as the draft, based on the live flow that was compared.

        Raises ApplyError for a draft of another user, and where the flow has changed meanwhile.
        """
        self._check_draft(draft)
        path = f"/flows/{live.id}"
        newest = self._client.get(f"{path}/versions", limit=1).data[0]["number"]
        screens = keys_of_screens(live, draft, self._known_screens(flow.key), flow.wanted)
        known = {key: screen_id for screen_id, key in screens.items()}
        document = document_by_ids(flow.wanted.document, known, self._theme_ids)
        tag = draft.tag if draft else None
        try:
            saved = self._client.put(f"{path}/draft", {"document": document, "base_version": newest}, tag)
        except ApiError as error:
            present = read_draft(self._client, f"/flows/{live.id}") if error.attempts > 1 else None
            if error.status != _PRECONDITION_FAILED or present is None or not _has(present, document):
                raise self._explained(error, "draft") from None
            saved = ApiResponse(_CREATED, present.view, present.tag, 0, error.attempts)
        result = LiveItem(saved.data, saved.tag)
        if draft is None and saved.status != _CREATED and saved.attempts == 1:
            raise ApplyError("another user has saved a draft meanwhile, and it was overwritten: see the audit log")
        # The draft protects its base version from being replaced, so the document that is read now stays.
        base = self._client.get(f"{path}/versions/{newest}").data["document"]
        if saved.data["live_version"] != newest or not _is_document_of(base, live):
            if draft is None:
                self._delete_draft(f"/flows/{live.id}", result.tag)
            raise ApplyError(_conflict("flow"))
        self._keep_document(flow, live.id, saved.data["document"])
        return result

    def _delete_draft(self, path: str, tag: str | None) -> None:
        try:
            self._client.delete(f"{path}/draft", tag)
        except ApiError as error:
            if error.status not in {NO_DRAFT, _PRECONDITION_FAILED}:
                raise

    def _by_keys(self, draft: LiveItem, screens: dict[str, str]) -> Members:
        themes = {theme_id: key for key, theme_id in self._theme_ids.items()}
        return document_by_keys(draft.view["document"], screens, themes)

    def _own_user_id(self) -> str:
        if self._user_id is None:
            self._user_id = str(self._client.get("/user").data["id"])
        return self._user_id

    # --- removals ---

    def _remove(self) -> None:
        if self.applied.errors and (self._plan.archived or self._plan.deleted_themes):
            self.applied.errors.append("nothing was archived or deleted because of these errors")
            return
        for flow in self._plan.archived:
            try:
                tag = self._tag_after_default(flow, f"/flows/{flow.id}", "flow")
                self._put_state(flow.id, {"status": ARCHIVED}, tag)
                self.applied.archived += 1
            except (ApiError, ApplyError) as error:
                self.applied.errors.append(f"--prune: flow {flow.id}: {error}")
        for theme in self._plan.deleted_themes:
            try:
                tag = self._tag_after_default(theme, f"/themes/{theme.id}", "theme")
                self._client.delete(f"/themes/{theme.id}", tag)
                self.applied.deleted += 1
            except ApiError as error:
                if error.status == _NOT_FOUND and error.attempts > 1:
                    self.applied.deleted += 1
                    continue
                self.applied.errors.append(f"--prune: theme {theme.id}: {self._explained(error, 'theme')}")
            except ApplyError as error:
                self.applied.errors.append(f"--prune: theme {theme.id}: {error}")

    def _tag_after_default(self, item: LiveItem, path: str, noun: str) -> str | None:
        """Return the tag. A former default has got another one, because this apply has moved the default."""
        if not item.view["is_default"]:
            return item.tag
        present = read_item(self._client, path)
        if _without_default(present) != _without_default(item):
            raise ApplyError(_conflict(noun))
        return present.tag

    # --- ids ---

    def _known_screens(self, key: str) -> dict[str, str]:
        known = self._plan.ids.flows.get(key)
        return dict(known.screens) if known else {}

    def _keep_document(self, flow: PlannedFlow, flow_id: str, document: Any) -> None:  # noqa: ANN401 - JSON of the API
        screens = dict(zip(_keys(flow), (screen["id"] for screen in document["screens"]), strict=True))
        self._keep_flow(flow.key, FlowIds(flow_id, screens))

    def _keep_flow(self, key: str, ids: FlowIds) -> None:
        """Write the ids at once, so that an interrupted apply continues with them."""
        if self._plan.ids.flows.get(key) != ids:
            self._plan.ids.flows[key] = ids
            self._keep_ids()

    def _keep_ids(self) -> None:
        self._plan.ids.themes.update(self._theme_ids)
        self._folder.write_ids(self._plan.project.id, self._plan.ids)

    # --- errors ---

    def _explained(self, error: ApiError, noun: str, screens: dict[str, str] | None = None) -> ApplyError:
        """Return the error for people: a conflict in words, problems by the keys of screens."""
        codes = {detail.get("code") for detail in error.details}
        if error.status == _PRECONDITION_FAILED or "STALE_BASE" in codes:
            return ApplyError(_conflict(noun))
        message = str(error)
        if error.status == _CONFLICT and error.details and not codes & {"APPROVALS_MISSING", "NOTHING_TO_PUBLISH"}:
            message += "; --ignore-warnings publishes it anyway"
        return ApplyError(message, tuple(problem_lines(error.details, screens or {})))


def _keys(flow: PlannedFlow) -> list[str]:
    return [screen["id"] for screen in flow.wanted.document["screens"]]


def _conflict(noun: str) -> str:
    return f"conflict: someone else has changed the {noun} since it was compared; apply again to see the difference"


def _without_default(item: LiveItem) -> dict[str, Any]:
    changing = {"is_default", "updated_at", "stats"}
    return {name: value for name, value in item.view.items() if name not in changing}


_DOCUMENT = ("name", "description", "theme_id", "targeting", "variables")


def _is_document_of(document: Any, flow: LiveItem) -> bool:  # noqa: ANN401 - JSON of the API
    """Return whether a version is the flow that was compared."""
    members = ("id", *SCREEN_MEMBERS)
    return _comparable(document, members) == _comparable(flow.view, members)


def _has(draft: LiveItem, document: Members) -> bool:
    """Return whether a stored draft is the document that was sent."""
    return _comparable(draft.view["document"], SCREEN_MEMBERS) == _comparable(document, SCREEN_MEMBERS)


def _comparable(document: Mapping[str, Any], members: Sequence[str]) -> tuple[list[Any], list[list[Any]]]:
    """Return the values of a document."""
    screens = [[screen.get(name) for name in members] for screen in document["screens"]]
    return [document.get(name) for name in _DOCUMENT], screens
