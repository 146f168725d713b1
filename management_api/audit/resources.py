"""The audit log of a project."""

import falcon

from common.errors import ErrorCode
from management_api.audit.operations import list_audit_log, names_in_log
from management_api.audit.schemas import AuditEntryView, AuditLogQuery, AuditPart
from management_api.db.engine import ColumnReader
from management_api.http.requests import caller_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint


class AuditLog:
    """GET /projects/{project_id}/audit-log."""

    @endpoint("list_audit_log", list[AuditEntryView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self,
        request: falcon.Request,
        response: falcon.Response,
        reader: ColumnReader,
        project_id: str,
        query: AuditLogQuery,
    ) -> None:
        """List the changes of a project, the newest first.

        `before` and `after` have the changed members; a value that is too large is replaced by its size. Keys never
        stand in it.
        """
        page = query.page_request()
        listed = list_audit_log(reader, caller_of(request), project_id, page)
        entries = [AuditEntryView.model_validate(entry) for entry in listed.items]
        if query.include is AuditPart.NAMES:
            names = names_in_log(reader, project_id, listed.items)
            entries = [entry.model_copy(update=names[entry.id]) for entry in entries]
        respond(response, entries, pagination=Pagination.for_page(page, listed.total))
