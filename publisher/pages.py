"""Compiler of hosted pages: the finished HTML of each flow that can be shown (contract, section 8, The page)."""

import gzip

from common.wire.page_assets import AssetManifest
from common.wire.page_document import PageProject, page_document, page_fonts, page_parts, page_scheme
from common.wire.page_shell import ROOT_OF_PAGE, page_html
from common.wire.public_responses import PublicTheme, ResolvedFlow
from common.wire.snapshot import Page
from publisher.media import ShownMedia
from publisher.project_records import PageRecord, ProjectRecord

_GZIP_LEVEL = 6
_BODY = '<div id="app"></div><noscript>This page needs JavaScript.</noscript>'


def compile_page(
    project: ProjectRecord,
    record: PageRecord,
    media: ShownMedia,
    theme: PublicTheme | None,
    manifest: AssetManifest,
) -> Page:
    """Compile a page with links to these assets; equal contents have equal bytes."""
    flow = record.flow
    shown = ResolvedFlow(
        id=flow.id, name=flow.name, theme=theme, screens=media.screens(flow.screens), variables=flow.variables
    )
    document = page_document(
        PageProject(project.project_id, project.name, project.record_answers, project.analytics_enabled),
        shown,
        is_preview=record.is_preview,
        manifest=manifest,
        root=ROOT_OF_PAGE,
    )
    html = page_html(
        project.name,
        _BODY,
        manifest,
        ROOT_OF_PAGE,
        document=document,
        parts=page_parts(shown),
        fonts=page_fonts(theme),
        scheme=page_scheme(theme),
    )
    content = gzip.compress(html.encode(), _GZIP_LEVEL, mtime=0)
    return Page(flow.id, record.is_draft, record.is_preview, content, record.valid_from)
