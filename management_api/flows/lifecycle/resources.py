"""The resources of drafts, versions, schedules and preview links.

They are /flows/{flow_id}/draft, /publish, /preview-link, /versions and /schedules.
"""

import falcon

from common.errors import ErrorCode
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.flow_history import FlowVersion
from management_api.db.models.flows import Flow
from management_api.flows.lifecycle.operations import (
    VERSIONS,
    add_schedule,
    approve,
    delete_draft,
    list_schedules,
    publish,
    put_draft,
    read_draft,
    remove_schedule,
    restore_live,
    restore_to_draft,
    validate_draft,
)
from management_api.flows.lifecycle.preview_links import PreviewLinks, revoke_preview_links
from management_api.flows.lifecycle.schemas import (
    DraftBody,
    DraftView,
    PreviewLinkBody,
    PreviewLinkView,
    PublishBody,
    ScheduleBody,
    ScheduleListQuery,
    ScheduleView,
    ValidationView,
    VersionView,
    VersionWithDocument,
)
from management_api.flows.lifecycle.versions import FLOWS
from management_api.history.operations import diff_draft, diff_version, read_version, version_number
from management_api.history.schemas import DiffView, RestoreBody, RestoreTarget, VersionDiffQuery, VersionListQuery
from management_api.http.idempotency import IdempotentWrites, part_access
from management_api.http.requests import EmptyBody, caller_of, if_match_of, precondition_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.projects.quotas import Quotas

_NOT_FOUND = (ErrorCode.INVALID_FLOW, ErrorCode.NOT_FOUND)


class FlowDraftItem:
    """GET, PUT and DELETE /flows/{flow_id}/draft."""

    def __init__(self, database: Database, quotas: Quotas) -> None:
        self._database = database
        self._quotas = quotas

    @endpoint("get_draft", DraftView, errors=_NOT_FOUND)
    def on_get(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        """Read the draft of a flow; 404 `NOT_FOUND` when there is none."""
        with self._database.reading() as session:
            draft, tag = read_draft(session, caller_of(request), flow_id)
        respond(response, draft, tag=tag)

    @endpoint(
        "put_draft",
        DraftView,
        errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
        other_responses={201: DraftView},
    )
    def on_put(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: DraftBody) -> None:
        """Create or replace the draft of a flow: 201 or 200.

        The document may be unfinished, and has at most 1 MiB as JSON. Screens without `id` are new and get one; an `id`
        must be new, or that of a screen of the live flow, the draft or a version. Devices get the live flow until the
        draft is published, QA devices with `draft` aside. A change of the draft takes its approvals away.
        `If-None-Match: *` makes a draft only where there is none.
        """
        with self._database.transaction() as session:
            draft, tag, is_new = put_draft(
                session, caller_of(request), flow_id, body, self._quotas, precondition_of(request)
            )
        if is_new:
            response.status = 201
        respond(response, draft, tag=tag)

    @endpoint("delete_draft", errors=_NOT_FOUND)
    def on_delete(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        """Delete the draft of a flow; the live flow stays as it is."""
        with self._database.transaction() as session:
            delete_draft(session, caller_of(request), flow_id, if_match_of(request))
        respond(response, message="Draft deleted")


class FlowDraftDiff:
    """GET /flows/{flow_id}/draft/diff."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("diff_draft", DiffView, errors=_NOT_FOUND)
    def on_get(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        """Compare the draft with the live version."""
        with self._database.repeatable_read() as session:
            diff = diff_draft(session, caller_of(request), FLOWS, flow_id)
        respond(response, diff)


class FlowDraftValidation:
    """POST /flows/{flow_id}/draft/validate."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint("validate_draft", ValidationView, errors=_NOT_FOUND, body_is_optional=True)
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: EmptyBody) -> None:
        """Validate the draft: errors forbid its publication, warnings have to be ignored explicitly."""
        del body  # It has no members.
        with self._writes.idempotent_read(request, response, part_access(Flow, flow_id)) as session:
            respond(response, validate_draft(session, caller_of(request), flow_id))


class FlowDraftApproval:
    """POST /flows/{flow_id}/draft/approve."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint("approve_draft", DraftView, errors=_NOT_FOUND, body_is_optional=True)
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: EmptyBody) -> None:
        """Approve the draft as it is.

        The author of its last change may not: 403. A second approval of the same user changes nothing.
        """
        del body  # It has no members.
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            draft, tag = approve(session, caller_of(request), flow_id)
            respond(response, draft, tag=tag)


class FlowPublication:
    """POST /flows/{flow_id}/publish."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint(
        "publish_draft",
        VersionWithDocument,
        status=201,
        errors=[*_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED],
        body_is_optional=True,
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: PublishBody) -> None:
        """Make the draft live, as a new version.

        Errors of the validation are a 400 with `details`. A 409 has `details` too: warnings without `ignore_warnings`,
        a live version newer than the draft's `base_version`, or missing approvals. `If-Match` is about the draft.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            version = publish(session, caller_of(request), flow_id, body, if_match_of(request))
            respond(response, VersionWithDocument.model_validate(version), tag=tag_of(FlowVersion, version))


class FlowPreviewLink:
    """POST and DELETE /flows/{flow_id}/preview-link."""

    def __init__(self, database: Database, writes: IdempotentWrites, links: PreviewLinks) -> None:
        self._database = database
        self._writes = writes
        self._links = links

    @endpoint(
        "create_preview_link",
        PreviewLinkView,
        status=201,
        errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT],
        body_is_optional=True,
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: PreviewLinkBody) -> None:
        """Create a link that shows a flow on a hosted page.

        For 24 hours everyone with the link can see the draft, or the live flow, as it is at that time. The page records
        nothing. At most two links of a flow are stored, one to the draft and one to the live flow: making one again
        renews it. 409 for an archived flow.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            respond(response, self._links.create(session, caller_of(request), flow_id, body, request.prefix))

    @endpoint("revoke_preview_links", errors=[ErrorCode.INVALID_FLOW])
    def on_delete(self, request: falcon.Request, response: falcon.Response, flow_id: str) -> None:
        """Revoke the preview links of a flow, to the draft and to the live flow.

        Within seconds they no longer open. A link that is made later does not open them again.
        """
        with self._database.transaction() as session:
            revoke_preview_links(session, caller_of(request), flow_id, if_match_of(request))
        respond(response, message="Preview links revoked")


class FlowVersionCollection:
    """GET /flows/{flow_id}/versions."""

    @endpoint("list_versions", list[VersionView], errors=[ErrorCode.INVALID_FLOW])
    def on_get(
        self,
        request: falcon.Request,
        response: falcon.Response,
        reader: ColumnReader,
        flow_id: str,
        query: VersionListQuery,
    ) -> None:
        """List the versions of a flow, the newest first, without their documents.

        The newest 200 are kept, older ones as long as a draft or a pending schedule needs them.
        """
        page = VERSIONS.read(reader, caller_of(request), flow_id, query)
        versions = [VersionView.model_validate(version) for version in page.items]
        respond(response, versions, pagination=Pagination.for_page(page.request, page.total))


class FlowVersionItem:
    """GET /flows/{flow_id}/versions/{number}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_version", VersionWithDocument, errors=_NOT_FOUND)
    def on_get(self, request: falcon.Request, response: falcon.Response, flow_id: str, number: str) -> None:
        """Read a version of a flow with its document."""
        with self._database.reading() as session:
            version = read_version(session, caller_of(request), FLOWS, flow_id, number)
            respond(response, VersionWithDocument.model_validate(version), tag=tag_of(FlowVersion, version))


class FlowVersionDiff:
    """GET /flows/{flow_id}/versions/{number}/diff."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("diff_version", DiffView, errors=_NOT_FOUND)
    def on_get(
        self, request: falcon.Request, response: falcon.Response, flow_id: str, number: str, query: VersionDiffQuery
    ) -> None:
        """Compare a version with the one before, or with `against`; version 1 with an empty document."""
        with self._database.reading() as session:
            diff = diff_version(session, caller_of(request), FLOWS, flow_id, number, query.against)
        respond(response, diff)


class FlowVersionRestore:
    """POST /flows/{flow_id}/versions/{number}/restore."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint(
        "restore_version",
        VersionWithDocument,
        status=201,
        errors=[*_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED],
        body_is_optional=True,
        other_responses={200: DraftView},
    )
    def on_post(
        self, request: falcon.Request, response: falcon.Response, flow_id: str, number: str, body: RestoreBody
    ) -> None:
        """Make a version live again, as a new version (201), or make it the draft (200).

        Its screens have the ids that they had, so their statistics go on. Where the project requires approvals, only a
        version that was live in the last 24 hours may be restored to live. A draft that was there is replaced.
        `If-Match` is about the version that is live, for a restore to the draft about the draft.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            caller, wanted, precondition = caller_of(request), version_number(number), precondition_of(request)
            if body.to is RestoreTarget.LIVE:
                version = restore_live(session, caller, flow_id, wanted, body.note, self._quotas, precondition)
                respond(response, VersionWithDocument.model_validate(version), tag=tag_of(FlowVersion, version))
                return
            draft, tag = restore_to_draft(session, caller, flow_id, wanted, self._quotas, precondition)
            response.status = 200
            respond(response, draft, tag=tag)


class FlowScheduleCollection:
    """GET and POST /flows/{flow_id}/schedules."""

    def __init__(self, database: Database, writes: IdempotentWrites) -> None:
        self._database = database
        self._writes = writes

    @endpoint("list_schedules", list[ScheduleView], errors=[ErrorCode.INVALID_FLOW])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, flow_id: str, query: ScheduleListQuery
    ) -> None:
        """List the schedules of a flow, also those that have ended.

        `void_reason` is what would fail a pending one if it ran now: other changes may void it, and void it no more.
        """
        with self._database.reading() as session:
            schedules, total = list_schedules(session, caller_of(request), flow_id, query)
        respond(response, schedules, pagination=Pagination.for_page(query.page_request(), total))

    @endpoint(
        "create_schedule",
        ScheduleView,
        status=201,
        errors=[*_NOT_FOUND, ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, body: ScheduleBody) -> None:
        """Schedule a change of a flow, within 5 seconds of `run_at`, in the name of the caller.

        `publish` fails as `draft_changed` if the draft is another one by then. Warnings are judged now, errors again at
        that time. One that could not run for 24 hours fails as `missed`. At most 20 are pending. `If-Match` is about
        the draft of a publication.
        """
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            schedule = add_schedule(session, caller_of(request), flow_id, body, if_match_of(request))
            respond(response, ScheduleView.model_validate(schedule))


class FlowScheduleItem:
    """DELETE /flows/{flow_id}/schedules/{schedule_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("cancel_schedule", errors=[*_NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, flow_id: str, schedule_id: str) -> None:
        """Cancel a pending schedule; 409 for one that has ended."""
        with self._database.transaction() as session:
            remove_schedule(session, caller_of(request), flow_id, schedule_id, if_match_of(request))
        respond(response, message="Schedule cancelled")
