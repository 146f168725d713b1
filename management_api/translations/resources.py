"""The resources of translations, below /flows/{flow_id}/translations and /projects/{project_id}/translations."""

import falcon

from common.errors import ConflictError, ErrorCode, PayloadTooLargeError, UnsupportedMediaTypeError
from management_api.db.engine import Database
from management_api.db.models.flows import Flow
from management_api.http.idempotency import IdempotentWrites, part_access, project_access
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import MAX_RESPONSE_BYTES, RawResponse, respond
from management_api.http.routing import endpoint
from management_api.projects.quotas import Quotas
from management_api.translations.files import MAX_IMPORT_BYTES, MEDIA_TYPES, FileFormat, FileRow, read_file
from management_api.translations.machine import MachineTranslator
from management_api.translations.operations import (
    export_flow,
    export_project,
    import_flow,
    import_project,
    missing_texts,
    read_project_translations,
    read_translations,
    write_machine_texts,
)
from management_api.translations.schemas import (
    DraftQuery,
    ExportQuery,
    ImportQuery,
    ImportView,
    MachineDraftView,
    ProjectTranslationsView,
    TranslationsQuery,
    TranslationsView,
)

_CONTENT_TYPES = {file_format: media_type for media_type, file_format in MEDIA_TYPES.items()}
_EXPORT = RawResponse(tuple(MEDIA_TYPES))
_CHANGE_ERRORS = (ErrorCode.CONFLICT, ErrorCode.PRECONDITION_FAILED)


class FlowTranslations:
    """GET /flows/{flow_id}/translations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_translations", TranslationsView, errors=[ErrorCode.INVALID_FLOW])
    def on_get(
        self, request: falcon.Request, response: falcon.Response, flow_id: str, query: TranslationsQuery
    ) -> None:
        """Read the translations of a flow with their states.

        They are of the draft if there is one, else of the live flow. `summary` has each language but the default.
        """
        with self._database.reading() as session:
            respond(response, read_translations(session, caller_of(request), flow_id, query))


class FlowTranslationsExport:
    """GET /flows/{flow_id}/translations/export."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("export_translations", _EXPORT, errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT])
    def on_get(self, request: falcon.Request, response: falcon.Response, flow_id: str, query: ExportQuery) -> None:
        """Export the texts of a flow and their translations into one language.

        The key of a text is the id of its screen and its JSON pointer. A cell of CSV that begins with `=`, `+`, `-`,
        `@` or `'` has a `'` in front. XLIFF is of version 2.0, and its units have the keys as `name`.
        """
        with self._database.reading() as session:
            file = export_flow(session, caller_of(request), flow_id, query.locale, query.format)
        _respond_with_file(response, file, query.format, f"{flow_id}.{query.locale}")


class FlowTranslationsImport:
    """POST /flows/{flow_id}/translations/import."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint(
        "import_translations",
        ImportView,
        errors=[ErrorCode.INVALID_FLOW, *_CHANGE_ERRORS],
        uploads=tuple(MEDIA_TYPES),
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, query: ImportQuery) -> None:
        """Write the translations of a file, of at most 5 MiB, into the draft of a flow.

        The draft is made if there is none and a text changes. A text keeps its translation if the file has none. In
        JSON a `text` of null takes it away, and `"confirmed": true` takes `base` as the source of the same text.
        `If-Match` is about the draft. `skipped` has at most 1,000 texts.
        """
        rows = _rows_of(request)
        precondition = if_match_of(request)
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            result = import_flow(session, caller_of(request), flow_id, query.locale, rows, self._quotas, precondition)
            respond(response, result)


class FlowTranslationsDraft:
    """POST /flows/{flow_id}/translations/draft."""

    def __init__(
        self, database: Database, quotas: Quotas, writes: IdempotentWrites, translator: MachineTranslator | None
    ) -> None:
        self._database = database
        self._quotas = quotas
        self._writes = writes
        self._translator = translator

    @endpoint(
        "draft_translations",
        MachineDraftView,
        errors=[ErrorCode.INVALID_FLOW, ErrorCode.CONFLICT, ErrorCode.UNAVAILABLE],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, flow_id: str, query: DraftQuery) -> None:
        """Translate missing texts of a flow by the machine that the operator has named, into the draft.

        One request takes at most 100 texts. Texts that exist are never changed. A translation without the variables of
        its text is not taken. Without such a service: 409, and no text leaves.
        """
        caller = caller_of(request)
        with self._database.reading() as session:
            missing = missing_texts(session, caller, flow_id, query.locale)
        translated: list[str | None] = []
        if missing.texts:
            if self._translator is None:
                raise ConflictError("Machine translation is not set up (ONBOARDING_TRANSLATE_URL)")
            # No transaction is open while the machine works.
            texts = [text for _, text in missing.texts]
            translated = self._translator.translate(texts, missing.base_locale, missing.locale)
        with self._writes.idempotent_transaction(request, response, part_access(Flow, flow_id)) as session:
            respond(response, write_machine_texts(session, caller, flow_id, missing, translated, self._quotas))


class ProjectTranslations:
    """GET /projects/{project_id}/translations."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint(
        "get_project_translations", ProjectTranslationsView, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.CONFLICT]
    )
    def on_get(
        self, request: falcon.Request, response: falcon.Response, project_id: str, query: TranslationsQuery
    ) -> None:
        """Read the translations of all flows of a project that are not archived, with their states.

        They are of the drafts, and of the live flows that have none. The entity tag changes with these documents.
        """
        with self._database.reading() as session:
            view, tag = read_project_translations(session, caller_of(request), project_id, query)
            respond(response, view, tag=tag)


class ProjectTranslationsExport:
    """GET /projects/{project_id}/translations/export."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("export_project_translations", _EXPORT, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.CONFLICT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str, query: ExportQuery) -> None:
        """Export the texts of all flows of a project that are not archived. Keys begin with the id of the flow."""
        with self._database.reading() as session:
            file = export_project(session, caller_of(request), project_id, query.locale, query.format)
        _respond_with_file(response, file, query.format, f"{project_id}.{query.locale}")


class ProjectTranslationsImport:
    """POST /projects/{project_id}/translations/import."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint(
        "import_project_translations",
        ImportView,
        errors=[ErrorCode.INVALID_PROJECT, *_CHANGE_ERRORS],
        uploads=tuple(MEDIA_TYPES),
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, query: ImportQuery) -> None:
        """Write the translations of a file into the drafts of the flows that it names, in one transaction.

        `If-Match` is about the entity tag of `GET /projects/{project_id}/translations`.
        """
        rows = _rows_of(request)
        precondition = if_match_of(request)
        with self._writes.idempotent_transaction(request, response, project_access(project_id)) as session:
            caller = caller_of(request)
            result = import_project(session, caller, project_id, query.locale, rows, self._quotas, precondition)
            respond(response, result)


def _respond_with_file(response: falcon.Response, file: bytes, file_format: FileFormat, name: str) -> None:
    if len(file) > MAX_RESPONSE_BYTES:
        raise ConflictError(f"The file would be larger than {MAX_RESPONSE_BYTES} bytes; export each flow")
    response.content_type = _CONTENT_TYPES[file_format]
    response.downloadable_as = f"{name}.{'xlf' if file_format is FileFormat.XLIFF else file_format}"
    response.data = file


def _rows_of(request: falcon.Request) -> list[FileRow]:
    """Read the file in the body. Raises UnsupportedMediaTypeError, PayloadTooLargeError, InvalidRequestError."""
    content_type = (request.content_type or "").partition(";")[0].strip().lower()
    if content_type not in MEDIA_TYPES:
        raise UnsupportedMediaTypeError(f"Content-Type must be one of {', '.join(MEDIA_TYPES)}")
    declared = request.content_length
    if declared is not None and declared > MAX_IMPORT_BYTES:
        raise PayloadTooLargeError(MAX_IMPORT_BYTES)
    ends_by_itself = declared is None and request.env.get("wsgi.input_terminated")
    body = (request.stream if ends_by_itself else request.bounded_stream).read(MAX_IMPORT_BYTES + 1)
    if len(body) > MAX_IMPORT_BYTES:
        raise PayloadTooLargeError(MAX_IMPORT_BYTES)
    # An Idempotency-Key stands for the query and the type, too.
    request.context.raw_body = b"\0".join((content_type.encode(), request.query_string.encode(), body))
    return read_file(MEDIA_TYPES[content_type], body)
