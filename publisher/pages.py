"""Compiler of hosted pages: the finished HTML of each flow that can be shown (contract, section 8, The page)."""

import gzip

from msgspec import UNSET

from common.wire.localized_bodies import Place, page_string, unmarked
from common.wire.page_assets import AssetManifest
from common.wire.page_document import PageProject, page_document, page_fonts, page_parts, page_scheme
from common.wire.page_shell import ASSETS_PATH, ROOT_OF_PAGE, page_html
from common.wire.public_responses import PublicTheme, ResolvedFlow
from common.wire.snapshot import Page
from publisher.locales import direction_of
from publisher.media import ShownMedia
from publisher.project_records import FlowRecord, PageRecord, ProjectRecord
from publisher.translations import TranslatedFlow
from publisher.words import ENGLISH, page_words

_GZIP_LEVEL = 6
_BODY = '<div id="app"></div><noscript>This page needs JavaScript.</noscript>'


def compile_page(
    project: ProjectRecord,
    record: PageRecord,
    media: ShownMedia,
    theme: PublicTheme | None,
    manifest: AssetManifest,
    translated: TranslatedFlow | None = None,
) -> tuple[Page, tuple[Place, ...]]:
    """Compile a page with links to these assets; equal contents have equal bytes.

    Return the places of the texts that are translated, too.
    """
    whole = _shown(record.flow, theme, media)
    shown = whole if translated is None else _shown(translated.of_page, theme, media, translated)
    document = page_document(
        PageProject(project.project_id, project.name, project.record_answers, project.analytics_enabled),
        shown,
        is_preview=record.is_preview,
        manifest=manifest,
        root=ROOT_OF_PAGE,
        texts=whole,
    )
    html = page_html(
        project.name,
        _BODY,
        manifest,
        ROOT_OF_PAGE,
        document=document,
        parts=page_parts(whole),
        fonts=page_fonts(theme),
        scheme=page_scheme(theme),
        **_language(project, manifest, translated),
    ).encode()
    places: tuple[Place, ...] = ()
    if translated is not None:
        html, places = unmarked(html, translated.prefix, translated.base, page_string)
    content = gzip.compress(html, _GZIP_LEVEL, mtime=0)
    return Page(record.flow.id, record.is_draft, record.is_preview, content, record.valid_from), places


def _language(project: ProjectRecord, manifest: AssetManifest, translated: TranslatedFlow | None) -> dict[str, str]:
    """Return the tag, the direction and the address of the words of a page.

    A project with English alone has none: its pages are those of a project without languages.
    """
    if translated is not None:
        return {"locale": translated.locale, "direction": translated.direction, "words": translated.words}
    [locale] = project.locales
    if locale == ENGLISH:
        return {}
    script = page_words(manifest).script(locale)
    address = f"{ROOT_OF_PAGE}{ASSETS_PATH}{script}" if script else ""
    return {"locale": locale, "direction": direction_of(locale), "words": address}


def _shown(
    flow: FlowRecord, theme: PublicTheme | None, media: ShownMedia, translated: TranslatedFlow | None = None
) -> ResolvedFlow:
    return ResolvedFlow(
        id=flow.id,
        name=flow.name,
        theme=theme,
        screens=media.screens(flow.screens),
        variables=flow.variables,
        locale=UNSET if translated is None else translated.locale,
        direction=UNSET if translated is None else translated.direction,
    )
