"""Queries and responses of translations."""

from typing import Annotated

from pydantic import Field

from management_api.http.fields import REQUIRED, Rule, one_of
from management_api.http.requests import RequestModel
from management_api.http.responses import Count, ETagModel, ResponseModel, is_false
from management_api.projects.locales import LOCALE_RULE
from management_api.translations.files import FileFormat
from management_api.translations.states import TranslationState


def _tag(value: object) -> object:
    return value.strip().replace("_", "-") if isinstance(value, str) else value


Locale = Annotated[str, LOCALE_RULE, Rule(_tag, {"examples": ["de"]})]


class TranslationsQuery(RequestModel):
    """GET /flows/{flow_id}/translations."""

    locale: Locale | None = Field(default=None, description="The language of the rows; without it there are none.")
    state: Annotated[TranslationState, one_of(TranslationState)] | None = None


class ExportQuery(RequestModel):
    """GET /flows/{flow_id}/translations/export."""

    locale: Annotated[Locale, REQUIRED]
    format: Annotated[FileFormat, one_of(FileFormat)] = FileFormat.CSV


class ImportQuery(RequestModel):
    """POST /flows/{flow_id}/translations/import, and that of a project."""

    locale: Annotated[Locale, REQUIRED]


class TranslationRowView(ResponseModel):
    """A text with its translation."""

    screen_id: str
    screen_name: str | None
    pointer: str = Field(description="The JSON pointer of the text in the content of its screen.")
    base: str = Field(description="The text in the default language.")
    text: str = Field(description="The translation; empty where it is missing.")
    state: TranslationState
    machine: bool | None = Field(
        default=None,
        validation_alias="is_machine",
        exclude_if=is_false,
        description="True for a translation by a machine that is not confirmed yet; else left out.",
    )


class TranslationCounts(ResponseModel):
    """The texts of a language by their states."""

    total: Count
    done: Count
    missing: Count
    outdated: Count


class TranslationsView(ResponseModel):
    """The translations of a flow."""

    rows: list[TranslationRowView] = Field(description="The texts in the order of the screens, of one language.")
    summary: dict[str, TranslationCounts] = Field(description="The counts of each language but the default.")


class ProjectTranslationRowView(TranslationRowView):
    """A text of one of the flows of a project, with its translation."""

    flow_id: str
    flow_name: str


class ProjectTranslationsView(ETagModel):
    """The translations of all flows of a project that are not archived. The tag is that of their documents."""

    rows: list[ProjectTranslationRowView] = Field(description="The texts by flow and screen, of one language.")
    summary: dict[str, TranslationCounts] = Field(description="The counts of each language but the default.")


class DraftQuery(RequestModel):
    """POST /flows/{flow_id}/translations/draft."""

    locale: Annotated[Locale, REQUIRED]


class SkippedText(ResponseModel):
    """A text of a file that was not imported."""

    key: str
    reason: str


class MachineDraftView(ResponseModel):
    """The result of a machine translation of missing texts."""

    translated: Count = Field(description="Texts that have a translation now. It is marked until it is confirmed.")
    skipped: list[SkippedText]
    left: Count = Field(description="Missing texts that one request does not take; repeat it for them.")


class ImportView(ResponseModel):
    """The result of an import."""

    imported: Count = Field(description="Translations that have changed.")
    unchanged: Count
    skipped: list[SkippedText]
