"""The document of a page: its members, HTML of customers, and texts that would end a script."""

import re
from typing import Any

import msgspec
import orjson
import pytest
from hypothesis import given
from hypothesis import strategies as st

from common.wire.page_assets import AssetManifest
from common.wire.page_document import PageProject, page_document, page_parts, sanitize_html
from common.wire.page_shell import content_security_policy, embed_json, page_html
from common.wire.public_responses import PublicRule, PublicScreen, PublicTheme, ResolvedFlow, ScreenType
from tests.support.data.custom_html import CUSTOM_HTML
from tests.support.data.pages import ASSETS, MANIFEST

HOSTILE = ["</script><script>alert(1)</script>", "<!--", "]]>", "\u2028\u2029", "&lt;", "\x00", "'\"`", "</SCRIPT >"]


def a_document(
    *screens: PublicScreen,
    name: str = "First steps",
    theme: PublicTheme | None = None,
    manifest: AssetManifest | None = None,
    is_preview: bool = False,
) -> dict[str, Any]:
    project = PageProject("proj_1", "Shop", record_answers=True, analytics_enabled=True)
    flow = ResolvedFlow(id="flow_1", name=name, theme=theme, screens=screens)
    return page_document(project, flow, is_preview=is_preview, manifest=manifest, root="../")


def a_screen(kind: ScreenType, **content: object) -> PublicScreen:
    return PublicScreen(id="screen_1", type=kind, name=None, order=0, content=content, settings={"skippable": True})


def test_document_has_the_logic_of_a_flow() -> None:
    screen = msgspec.structs.replace(a_screen(ScreenType.CUSTOM), next=[PublicRule(id="a", when=[], go_to="end")])
    [shown] = a_document(screen)["screens"]
    assert shown["next"] == [{"id": "a", "when": [], "goTo": "end"}]
    assert "showIf" not in shown


def test_document_has_the_members_that_the_script_reads() -> None:
    theme = PublicTheme(
        id="theme_1",
        name="Light",
        colors={"primary": "#f00"},
        typography={"fontFamily": "Inter"},
        border_radius={"b": 8},
    )
    screen = a_screen(ScreenType.WELCOME, title="Hi", illustration="welcome")
    assert a_document(screen, theme=theme, manifest=MANIFEST) == {
        "version": 1,
        "mode": "live",
        "projectId": "proj_1",
        "projectName": "Shop",
        "flowId": "flow_1",
        "theme": {"colors": {"primary": "#f00"}, "typography": {"fontFamily": "Inter"}, "borderRadius": {"b": 8}},
        "screens": [
            {
                "id": "screen_1",
                "type": "welcome",
                "content": {"title": "Hi", "illustration": "welcome"},
                "settings": {"skippable": True},
            }
        ],
        "recordAnswers": True,
        "analyticsEnabled": True,
        "assets": {"illustrations": {"welcome": "../onboarding/assets/welcome.8293a4b5.svg"}},
    }


@pytest.mark.parametrize(
    ("screen", "parts"),
    [
        (a_screen(ScreenType.WELCOME, title="{{ app_name }}"), []),
        (a_screen(ScreenType.WELCOME, title="{{platform}}"), ["logic"]),
        (a_screen(ScreenType.WELCOME, title="\\{{app_name}}"), ["logic"]),
        (
            msgspec.structs.replace(a_screen(ScreenType.PAYWALL), next=[PublicRule("a", [], "end")]),
            ["logic", "paywall"],
        ),
        (a_screen(ScreenType.PAYWALL, layout="comparison"), ["paywall", "versus"]),
        (a_screen(ScreenType.PAYWALL, layout="cards"), ["paywall", "offers"]),
        (a_screen(ScreenType.PAYWALL, layout="timeline"), ["paywall", "timeline"]),
        (msgspec.structs.replace(a_screen(ScreenType.CUSTOM), settings={"layout": "hero"}), ["layouts"]),
        (a_screen(ScreenType.WELCOME, background={"gradient": ["#fff", "#000"]}), ["layouts"]),
        (a_screen(ScreenType.QUESTION_PICKER), ["picker"]),
        (a_screen(ScreenType.SIGNUP), ["signup"]),
        (msgspec.structs.replace(a_screen(ScreenType.CUSTOM), settings={"delay_seconds": 3}), ["timing"]),
        (a_screen(ScreenType.PERMISSIONS), ["iconset"]),
        (a_screen(ScreenType.FEATURE, items=[{"icon": "bell"}]), ["iconset"]),
        (a_screen(ScreenType.NATIVE, name="sign_in"), ["app", "logic"]),
        (msgspec.structs.replace(a_screen(ScreenType.WELCOME), settings={"required": True}), ["app", "logic"]),
        (msgspec.structs.replace(a_screen(ScreenType.WELCOME), settings={"await_app": True}), ["app", "logic"]),
        (msgspec.structs.replace(a_screen(ScreenType.WELCOME), settings={"required": False}), []),
        (a_screen(ScreenType.QUESTION_SINGLE_CHOICE, options=["a", {"label": "b", "description": "c"}]), []),
        (a_screen(ScreenType.QUESTION_SINGLE_CHOICE, options=["a", {"label": "b", "emoji": "c"}]), ["options"]),
        (a_screen(ScreenType.QUESTION_MULTIPLE_CHOICE, choices=[{"image": {"url": "/b"}}]), ["options"]),
        (a_screen(ScreenType.QUESTION_SINGLE_CHOICE, options=["a", "b"], columns=2), ["options"]),
        (a_screen(ScreenType.LOADING), ["loading"]),
        (a_screen(ScreenType.SUMMARY), ["panels"]),
        (a_screen(ScreenType.CONSENT), ["consent"]),
        (a_screen(ScreenType.SOCIAL_PROOF), ["panels"]),
        (a_screen(ScreenType.COMPARISON), ["panels", "versus"]),
    ],
)
def test_page_links_the_parts_that_its_flow_needs(screen: PublicScreen, parts: list[str]) -> None:
    needed = page_parts(ResolvedFlow(id="flow_1", name="First steps", theme=None, screens=(screen,)))
    assert needed == parts
    scripts = {f"{name}.0a1b2c3d.js" for name in (*parts, "preview")}
    styles = {f"{name}.0a1b2c3d.css" for name in ("loading", "panels", "paywall", "picker")}
    manifest = msgspec.structs.replace(MANIFEST, files=(*ASSETS, *scripts, *styles))
    html = page_html("", "", manifest, "", parts=needed)
    assert re.findall(r'<script type="module" src="onboarding/assets/([^"]+)">', html) == [
        *(f"{name}.0a1b2c3d.js" for name in parts),
        MANIFEST.js,
    ]
    assert re.findall(r'<link rel="stylesheet" href="onboarding/assets/([^"]+)">', html) == [
        MANIFEST.css,
        *(f"{name}.0a1b2c3d.css" for name in parts if f"{name}.0a1b2c3d.css" in styles),
    ]
    # A manifest of release 0.2.0 has no parts.
    assert page_html("", "", MANIFEST, "", parts=needed).count("<script") == 1


@pytest.mark.parametrize(
    ("look", "parts"),
    [
        ({}, []),
        ({"appearance": "dark", "typography": {"letterSpacing": 0.01}}, []),
        ({"typography": {"align": "center"}}, ["looks"]),
        ({"typography": {"headingFontMediaId": {"url": "/a.woff2"}}}, ["fonts"]),
        ({"button": {"style": "soft"}}, ["looks"]),
        ({"progress": "dots"}, ["looks"]),
        ({"background": "#fff"}, []),
        ({"background": {"gradient": ["#fff", "#000"]}}, ["layouts"]),
    ],
)
def test_page_links_the_style_sheets_that_its_theme_needs(look: dict[str, Any], parts: list[str]) -> None:
    theme = PublicTheme(id="t", name="T", colors={}, **{"typography": {}, "border_radius": {}, **look})
    assert page_parts(ResolvedFlow(id="flow_1", name="First steps", theme=theme, screens=())) == parts


def test_page_links_the_looks_of_options_where_a_theme_has_columns() -> None:
    theme = PublicTheme(id="t", name="T", colors={}, typography={}, border_radius={}, choice="image_grid")
    screens = (a_screen(ScreenType.QUESTION_SINGLE_CHOICE, options=["a", "b"]),)
    assert page_parts(ResolvedFlow(id="flow_1", name="First", theme=theme, screens=screens)) == ["looks", "options"]


def test_document_has_no_illustration_that_its_flow_does_not_show() -> None:
    assert a_document(a_screen(ScreenType.WELCOME, title="welcome aboard"), manifest=MANIFEST)["assets"] == {
        "illustrations": {}
    }


def test_preview_has_its_own_mode() -> None:
    assert a_document(is_preview=True)["mode"] == "preview"


@pytest.mark.parametrize("text", HOSTILE)
def test_hostile_text_stays_inside_the_document(text: str) -> None:
    document = a_document(a_screen(ScreenType.QUESTION_SINGLE_CHOICE, options=[{"label": text}]), name=text)
    html = page_html(text, "", MANIFEST, "../", document=document)
    (embedded,) = re.findall(r'<script type="application/json" id="flow">(.*?)</script>', html, re.DOTALL)
    assert orjson.loads(embedded) == document
    assert html.lower().count("</script") == 2
    assert len(re.findall("<title>[^<>]*</title>", html)) == 1


@given(
    st.recursive(st.text(), lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3))
)
def test_any_text_is_embedded_without_markup(content: object) -> None:
    embedded = embed_json({"content": content})
    assert orjson.loads(embedded) == {"content": content}
    assert not set(embedded) & set("<>&\u2028\u2029")


@pytest.mark.parametrize(("html", "clean"), [*CUSTOM_HTML, ('<p style="color: red">a</p>', "<p>a</p>")])
def test_html_is_sanitized(html: str, clean: str) -> None:
    assert sanitize_html(html) == clean


@given(st.text(st.sampled_from("<>/ ='\"abonclickscriptjavascript:&;#"), max_size=80))
def test_sanitized_html_has_no_active_parts(html: str) -> None:
    clean = sanitize_html(html)
    assert sanitize_html(clean) == clean
    assert re.search(r"<(?:script|style|form|input|iframe)|<[^>]*\son\w+\s*=", clean) is None


def test_custom_html_is_sanitized_and_other_content_is_untouched() -> None:
    custom = a_screen(ScreenType.CUSTOM, html="<p onclick='x()'>a</p>", heading="<b>")
    other = a_screen(ScreenType.WELCOME, html="<p onclick='x()'>a</p>")
    contents = [screen["content"] for screen in a_document(custom, other)["screens"]]
    assert contents == [{"html": "<p>a</p>", "heading": "<b>"}, {"html": "<p onclick='x()'>a</p>"}]
    assert custom.content["html"] == "<p onclick='x()'>a</p>"


@pytest.mark.parametrize("html", [1, None, ["<b>"], {"a": 1}])
def test_custom_html_of_another_type_is_no_html(html: object) -> None:
    (screen,) = a_document(a_screen(ScreenType.CUSTOM, html=html))["screens"]
    assert screen["content"]["html"] in ("", None)


def test_page_without_assets_has_no_links() -> None:
    html = page_html("Title", "<p>Text</p>", None, "../")
    assert "<script" not in html
    assert "<link" not in html


def test_policy_allows_no_inline_code() -> None:
    assert "unsafe" not in content_security_policy("'none'")
    assert content_security_policy("https://a.example").endswith("frame-ancestors https://a.example")
