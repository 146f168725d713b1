"""The audit log of a project."""

import falcon

from common.errors import ErrorCode
from management_api.audit.export import AuditFormat, export_project_log
from management_api.audit.operations import list_audit_log, names_in_log
from management_api.audit.schemas import AuditEntryView, AuditLogQuery, AuditPart
from management_api.db.engine import ColumnReader
from management_api.http.requests import caller_of
from management_api.http.responses import (
    MEDIA_CSV,
    MEDIA_JSON_LINES,
    Pagination,
    preferred_type,
    respond,
    respond_with_csv,
    respond_with_json_lines,
)
from management_api.http.routing import endpoint


class AuditLog:
    """GET /projects/{project_id}/audit-log."""

    @endpoint(
        "list_audit_log",
        list[AuditEntryView],
        errors=[ErrorCode.INVALID_PROJECT],
        other_media_types=[MEDIA_CSV, MEDIA_JSON_LINES],
    )
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
        stand in it. A read of the secret keys is an entry too, `secret_key.show`, at most one for each user in an hour.

        With `Accept: application/x-ndjson` or `text/csv` the response has the first 10,000 entries, or the first 16 MiB
        of them, regardless of `page` and `limit`. To collect the log, sort by `created_at`, and ask again with the `at`
        of the last entry as `since`. An entry may appear up to a minute behind its `at`, so ask for the last minute
        again, and drop entries by their `id`.
        """
        page, caller = query.page_request(), caller_of(request)
        with_names = query.include is AuditPart.NAMES
        response.append_header("Vary", "Accept")
        media_type = preferred_type(request, MEDIA_CSV, MEDIA_JSON_LINES)
        if media_type != falcon.MEDIA_JSON:
            file_format = AuditFormat.CSV if media_type == MEDIA_CSV else AuditFormat.JSON_LINES
            file = export_project_log(
                reader, caller, project_id, page, query.filters(), file_format, with_names=with_names
            )
            save = respond_with_csv if file_format is AuditFormat.CSV else respond_with_json_lines
            save(response, file, f"audit_log_{project_id}.{file_format}")
            return
        listed = list_audit_log(reader, caller, project_id, page, query.filters())
        entries = [AuditEntryView.model_validate(entry) for entry in listed.items]
        if with_names:
            names = names_in_log(reader, project_id, listed.items)
            entries = [entry.model_copy(update=names[entry.id]) for entry in entries]
        respond(response, entries, pagination=Pagination.for_page(page, listed.total))
