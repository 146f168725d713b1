"""Translations of flows: their states, and files of them for translators (languages, Interface)."""

import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.auth.access import Caller, check_may_read, get_for_read, get_for_update, project_for_update
from management_api.auth.entity_tags import NO_PRECONDITION, Precondition, etag, tag_of
from management_api.db.models.flow_history import FlowDraft, FlowVersion
from management_api.db.models.flows import Flow, FlowStatus
from management_api.db.models.projects import Project
from management_api.flows.lifecycle.operations import change_draft
from management_api.flows.lifecycle.versions import live_version
from management_api.projects.quotas import Quotas
from management_api.screens.localizations import check_size
from management_api.translations.files import FileFormat, FileRow, write_file
from management_api.translations.machine import chosen, is_drafted
from management_api.translations.schemas import (
    ImportView,
    MachineDraftView,
    ProjectTranslationsView,
    SkippedText,
    TranslationsQuery,
    TranslationsView,
)
from management_api.translations.states import (
    TranslatedScreen,
    TranslationRow,
    TranslationState,
    counts_of,
    rows_of,
    translated_screens,
)

Json = Mapping[str, Any]
#: Neither can be in the JSON of PostgreSQL.
_UNSTORABLE = re.compile("[\0\ud800-\udfff]")
#: A bound of the response: a file may have nothing but unknown keys.
_MAX_SKIPPED = 1_000


class _Imported(NamedTuple):
    """The screens of a document after an import, the numbers of texts, and the skipped keys with their reasons."""

    screens: list[Json]
    imported: int
    unchanged: int
    skipped: list[tuple[str, str]]


def read_translations(session: Session, caller: Caller, flow_id: str, query: TranslationsQuery) -> TranslationsView:
    """Return the states of the draft of a flow, else of the live document.

    Raises FlowNotFoundError, ForbiddenError, InvalidRequestError.
    """
    flow_id = get_for_read(session, caller, Flow, flow_id).id
    flow = session.get_one(Flow, flow_id)
    screens, locales = translated_screens(_texts_of(session, flow).document), flow.project.locales
    locale = None if query.locale is None else _translated(locales, query.locale)
    rows = list(_rows(screens, locale, query.state))
    return TranslationsView.model_validate({"rows": rows, "summary": counts_of(screens, locales[1:])})


def read_project_translations(
    session: Session, caller: Caller, project_id: str, query: TranslationsQuery
) -> tuple[ProjectTranslationsView, str]:
    """Return the states of all flows that are not archived, and the entity tag of their documents.

    Raises ProjectNotFoundError, ForbiddenError, InvalidRequestError.
    """
    check_may_read(session, caller, project_id)
    locales = session.get_one(Project, project_id).locales
    locale = None if query.locale is None else _translated(locales, query.locale)
    flows = _flows(session, project_id)
    screens = {flow.id: translated_screens(document) for flow, document, _ in flows}
    rows = [
        {"flow_id": flow.id, "flow_name": document["name"], **row._asdict()}
        for flow, document, _ in flows
        for row in _rows(screens[flow.id], locale, query.state)
    ]
    summary = counts_of([screen for found in screens.values() for screen in found], locales[1:])
    return ProjectTranslationsView.model_validate({"rows": rows, "summary": summary}), _project_tag(flows)


def _rows(
    screens: Iterable[TranslatedScreen], locale: str | None, state: TranslationState | None
) -> Iterator[TranslationRow]:
    """Yield the rows of a language, of one state or of all; none without a language."""
    if locale is not None:
        for screen in screens:
            yield from (row for row in screen.rows(locale) if state in (None, row.state))


def _project_tag(flows: Iterable["_FlowTexts"]) -> str:
    """Return the entity tag of the documents that an import of a project changes."""
    return etag([[flow.id, flow.live_version, draft and tag_of(FlowDraft, draft)] for flow, _, draft in flows])


def export_flow(session: Session, caller: Caller, flow_id: str, locale: str, file_format: FileFormat) -> bytes:
    """Return the file of the texts of a flow. Raises FlowNotFoundError, ForbiddenError, InvalidRequestError."""
    flow_id = get_for_read(session, caller, Flow, flow_id).id
    flow = session.get_one(Flow, flow_id)
    locales = flow.project.locales
    locale = _translated(locales, locale)
    rows = [_file_row(row.key, row) for row in rows_of(_texts_of(session, flow).document, locale)]
    return write_file(file_format, rows, locales[0], locale)


def export_project(session: Session, caller: Caller, project_id: str, locale: str, file_format: FileFormat) -> bytes:
    """Return the file of the texts of all flows that are not archived.

    Raises ProjectNotFoundError, ForbiddenError, InvalidRequestError.
    """
    check_may_read(session, caller, project_id)
    locales = session.get_one(Project, project_id).locales
    locale = _translated(locales, locale)
    rows = [
        _file_row(f"{flow.id}/{row.key}", row)
        for flow, document, _ in _flows(session, project_id)
        for row in rows_of(document, locale)
    ]
    return write_file(file_format, rows, locales[0], locale)


def import_flow(
    session: Session,
    caller: Caller,
    flow_id: str,
    locale: str,
    rows: Iterable[FileRow],
    quotas: Quotas,
    precondition: Precondition,
) -> ImportView:
    """Write the texts of a file into the draft of a flow. `precondition` is about the draft.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError, ConflictError.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    texts = _texts_of(session, flow)
    precondition.check(lambda: None if texts.draft is None else tag_of(FlowDraft, texts.draft))
    locale = _translated(flow.project.locales, locale)
    return _view([_import(session, caller, texts, locale, rows, quotas)])


def import_project(
    session: Session,
    caller: Caller,
    project_id: str,
    locale: str,
    rows: Iterable[FileRow],
    quotas: Quotas,
    precondition: Precondition,
) -> ImportView:
    """Write the texts of a file into the drafts of all flows that it names. `precondition` is about all documents.

    Raises ProjectNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError, ConflictError.
    """
    project = project_for_update(session, caller, project_id)
    flows = {found.flow.id: found for found in _flows(session, project.id)}
    precondition.check(lambda: _project_tag(flows.values()))
    locale = _translated(project.locales, locale)
    by_flow: dict[str, list[FileRow]] = {}
    unknown = []
    for row in rows:
        flow_id, _, key = row.key.partition("/")
        if flow_id in flows:
            by_flow.setdefault(flow_id, []).append(row._replace(key=key))
        else:
            unknown.append((row.key, "the project has no such flow, or it is archived"))
    results = [_Imported([], 0, 0, unknown)]
    for flow_id, named in by_flow.items():
        result = _import(session, caller, flows[flow_id], locale, named, quotas)
        results.append(result._replace(skipped=[(f"{flow_id}/{key}", reason) for key, reason in result.skipped]))
    return _view(results)


class MissingTexts(NamedTuple):
    """The missing texts of a flow in a language that a machine may translate, by their keys, and the base language."""

    texts: list[tuple[str, str]]
    base_locale: str
    locale: str
    left: int


def missing_texts(session: Session, caller: Caller, flow_id: str, locale: str) -> MissingTexts:
    """Return the texts for one request to a machine. Raises FlowNotFoundError, ForbiddenError, InvalidRequestError."""
    flow = session.get_one(Flow, get_for_read(session, caller, Flow, flow_id).id)
    locales = flow.project.locales
    locale = _translated(locales, locale)
    missing = [
        (row.key, row.base)
        for row in rows_of(_texts_of(session, flow).document, locale)
        if row.state is TranslationState.MISSING and is_drafted(row.key, row.base)
    ]
    texts = list(chosen(missing))
    return MissingTexts(texts, locales[0], locale, len(missing) - len(texts))


def write_machine_texts(
    session: Session,
    caller: Caller,
    flow_id: str,
    missing: MissingTexts,
    translated: Iterable[str | None],
    quotas: Quotas,
) -> MachineDraftView:
    """Write translations of a machine into the draft of a flow, where the same text is still missing.

    Raises FlowNotFoundError, ForbiddenError, InvalidRequestError, ConflictError.
    """
    flow = get_for_update(session, caller, Flow, flow_id)
    texts = _texts_of(session, flow)
    present = {row.key: row for row in rows_of(texts.document, missing.locale)}
    rows, skipped = [], []
    for (key, base), text in zip(missing.texts, translated, strict=True):
        row = present.get(key)
        if row is None or row.base != base or row.state is not TranslationState.MISSING:
            skipped.append((key, "the text has changed meanwhile"))
        elif text is None:
            skipped.append((key, "the machine has lost a variable"))
        else:
            rows.append(FileRow(key, base, text, is_machine=True))
    result = _import(session, caller, texts, missing.locale, rows, quotas)
    return MachineDraftView(
        translated=result.imported,
        skipped=[SkippedText(key=key, reason=reason) for key, reason in (*skipped, *result.skipped)],
        left=missing.left,
    )


def _import(
    session: Session, caller: Caller, texts: "_FlowTexts", locale: str, rows: Iterable[FileRow], quotas: Quotas
) -> _Imported:
    flow, document, draft = texts
    result = _with_texts(document, locale, rows)
    if result.imported:
        base = None if draft is None else draft.base_version
        changed = {**document, "screens": result.screens}
        change_draft(session, flow, changed, base, caller, quotas, NO_PRECONDITION)
    return result


def _with_texts(document: Json, locale: str, rows: Iterable[FileRow]) -> _Imported:
    """Return the screens of a document with the texts of a file. A text that is the same keeps its source."""
    present = {row.key: row for row in rows_of(document, locale)}
    texts: dict[str, dict[str, Json | None]] = {}
    seen: set[str] = set()
    unchanged, skipped = 0, []
    for row in rows:
        known = present.get(row.key)
        reason = "the flow has no such text" if known is None else _reason(known, row)
        if row.key in seen:
            reason = "the file has the key twice"
        seen.add(row.key)
        if reason or known is None:
            skipped.append((row.key, reason))
        elif row.text == known.text and not (row.is_confirmed and _needs_confirmation(known)):
            unchanged += 1
        else:
            mark = {"machine": True} if row.is_machine else {}
            translation = {"text": row.text, "source": row.base or known.base, **mark}
            texts.setdefault(known.screen_id, {})[known.pointer] = None if row.is_taken_away else translation
    screens = [_screen_with(screen, locale, texts.get(screen["id"], {})) for screen in document["screens"]]
    return _Imported(screens, sum(map(len, texts.values())), unchanged, skipped)


def _needs_confirmation(row: TranslationRow) -> bool:
    return row.is_machine or row.state is TranslationState.OUTDATED


def _reason(known: TranslationRow, row: FileRow) -> str:
    """Return why a text is not imported; empty if it is."""
    if known.text and not row.text and not row.is_taken_away:
        return "the text is empty"
    return "the text has characters that cannot be stored" if _UNSTORABLE.search(row.text + row.base) else ""


def _screen_with(screen: Json, locale: str, texts: Mapping[str, Json | None]) -> Json:
    """Return a screen with other translations; None takes one away."""
    if not texts:
        return screen
    localizations = screen.get("localizations", {})
    merged = {**localizations.get(locale, {}), **texts}
    kept = {pointer: translation for pointer, translation in merged.items() if translation is not None}
    changed = {**localizations, locale: kept}
    check_size(changed, f"screens.{screen['id']}.localizations")
    return {**screen, "localizations": changed}


def _view(results: Iterable[_Imported]) -> ImportView:
    found = list(results)
    skipped = [SkippedText(key=key, reason=reason) for result in found for key, reason in result.skipped]
    return ImportView(
        imported=sum(result.imported for result in found),
        unchanged=sum(result.unchanged for result in found),
        skipped=skipped[:_MAX_SKIPPED],
    )


def _file_row(key: str, row: TranslationRow) -> FileRow:
    return FileRow(key, row.base, row.text, row.state)


class _FlowTexts(NamedTuple):
    """A flow with the document whose texts are translated: that of its draft, if there is one, else the live one."""

    flow: Flow
    document: Json
    draft: FlowDraft | None


def _texts_of(session: Session, flow: Flow) -> _FlowTexts:
    draft = session.get(FlowDraft, flow.id)
    return _FlowTexts(flow, live_version(session, flow).document if draft is None else draft.document, draft)


def _flows(session: Session, project_id: str) -> list[_FlowTexts]:
    """Return the flows of a project that are not archived, in their order, by one statement."""
    is_live = (FlowVersion.flow_id == Flow.id) & (FlowVersion.number == Flow.live_version)
    statement = (
        select(Flow, FlowDraft, FlowVersion)
        .outerjoin(FlowDraft, FlowDraft.flow_id == Flow.id)
        .outerjoin(FlowVersion, is_live & FlowDraft.flow_id.is_(None))
        .where(Flow.project_id == project_id, Flow.status != FlowStatus.ARCHIVED)
        .order_by(*Flow.evaluation_order())
    )
    return [
        _FlowTexts(flow, version.document if draft is None else draft.document, draft)
        for flow, draft, version in session.execute(statement)
    ]


def _translated(locales: Iterable[str], wanted: str) -> str:
    """Return the language of a project that is not the default. Raises InvalidRequestError."""
    _, *others = locales
    locale = next((locale for locale in others if locale == wanted), None)
    if locale is None:
        message = "must be a language of the project that is not the default"
        raise InvalidRequestError([Detail.invalid("locale", message)])
    return locale
