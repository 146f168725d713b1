"""Translations of flows: their states, and files of them for translators (languages, Interface)."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from typing import Any, NamedTuple

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.errors import Detail, InvalidRequestError
from management_api.auth.access import Caller, check_may_read, get_for_read, get_for_update, project_for_update
from management_api.auth.entity_tags import NO_PRECONDITION, Precondition, etag, tag_of
from management_api.db.models.flow_history import FlowDraft
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
from management_api.translations.states import TranslationRow, TranslationState, counts_of, rows_of

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
    document, locales = _document(session, flow), flow.project.locales
    locale = None if query.locale is None else _translated(locales, query.locale)
    rows = [] if locale is None else [row for row in rows_of(document, locale) if query.state in (None, row.state)]
    return TranslationsView.model_validate(
        {"rows": rows, "summary": {other: counts_of(document, other) for other in locales[1:]}}
    )


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
    documents = [(flow, _document(session, flow)) for flow in flows]
    rows = [
        {"flow_id": flow.id, "flow_name": document["name"], **asdict(row)}
        for flow, document in documents
        for row in (() if locale is None else rows_of(document, locale))
        if query.state in (None, row.state)
    ]
    summary = {other: _sum(counts_of(document, other) for _, document in documents) for other in locales[1:]}
    return ProjectTranslationsView.model_validate({"rows": rows, "summary": summary}), _project_tag(session, flows)


def _sum(counts: Iterable[Mapping[str, int]]) -> Mapping[str, int]:
    """Return the sums of the counts of flows by their names."""
    total = dict.fromkeys(("total", *TranslationState), 0)
    for found in counts:
        total = {name: number + found[name] for name, number in total.items()}
    return total


def _project_tag(session: Session, flows: Iterable[Flow]) -> str:
    """Return the entity tag of the documents that an import of a project changes."""
    drafts = [(flow, session.get(FlowDraft, flow.id)) for flow in flows]
    return etag([[flow.id, flow.live_version, draft and tag_of(FlowDraft, draft)] for flow, draft in drafts])


def export_flow(session: Session, caller: Caller, flow_id: str, locale: str, file_format: FileFormat) -> bytes:
    """Return the file of the texts of a flow. Raises FlowNotFoundError, ForbiddenError, InvalidRequestError."""
    flow_id = get_for_read(session, caller, Flow, flow_id).id
    flow = session.get_one(Flow, flow_id)
    locales = flow.project.locales
    locale = _translated(locales, locale)
    rows = [_file_row(row.key, row) for row in rows_of(_document(session, flow), locale)]
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
        for flow in _flows(session, project_id)
        for row in rows_of(_document(session, flow), locale)
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
    draft = session.get(FlowDraft, flow.id)
    precondition.check(lambda: None if draft is None else tag_of(FlowDraft, draft))
    locale = _translated(flow.project.locales, locale)
    return _view([_import(session, caller, flow, locale, rows, quotas)])


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
    flows = {flow.id: flow for flow in _flows(session, project.id)}
    precondition.check(lambda: _project_tag(session, flows.values()))
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
        for row in rows_of(_document(session, flow), locale)
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
    present = {row.key: row for row in rows_of(_document(session, flow), missing.locale)}
    rows, skipped = [], []
    for (key, base), text in zip(missing.texts, translated, strict=True):
        row = present.get(key)
        if row is None or row.base != base or row.state is not TranslationState.MISSING:
            skipped.append((key, "the text has changed meanwhile"))
        elif text is None:
            skipped.append((key, "the machine has lost a variable"))
        else:
            rows.append(FileRow(key, base, text, is_machine=True))
    result = _import(session, caller, flow, missing.locale, rows, quotas)
    return MachineDraftView(
        translated=result.imported,
        skipped=[SkippedText(key=key, reason=reason) for key, reason in (*skipped, *result.skipped)],
        left=missing.left,
    )


def _import(
    session: Session, caller: Caller, flow: Flow, locale: str, rows: Iterable[FileRow], quotas: Quotas
) -> _Imported:
    document = _document(session, flow)
    result = _with_texts(document, locale, rows)
    if result.imported:
        draft = session.get(FlowDraft, flow.id)
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


def _document(session: Session, flow: Flow) -> Json:
    draft = session.get(FlowDraft, flow.id)
    return live_version(session, flow).document if draft is None else draft.document


def _flows(session: Session, project_id: str) -> list[Flow]:
    statement = select(Flow).where(Flow.project_id == project_id, Flow.status != FlowStatus.ARCHIVED)
    return list(session.scalars(statement.order_by(*Flow.evaluation_order())))


def _translated(locales: Iterable[str], wanted: str) -> str:
    """Return the language of a project that is not the default. Raises InvalidRequestError."""
    _, *others = locales
    locale = next((locale for locale in others if locale == wanted), None)
    if locale is None:
        message = "must be a language of the project that is not the default"
        raise InvalidRequestError([Detail.invalid("locale", message)])
    return locale
