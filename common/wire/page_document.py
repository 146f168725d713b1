"""The document of a hosted page, which its script renders: a flow with its screens, its theme and the project's name.

HTML of customers is sanitized here.
"""

import re
from collections.abc import Sequence
from typing import Any, NamedTuple

import msgspec
import nh3
import orjson
from msgspec import UNSET
from msgspec.structs import fields

from common.rules.formulas import parse_formula
from common.wire.page_assets import AssetManifest
from common.wire.page_shell import illustrations
from common.wire.public_responses import PublicScreen, PublicTheme, PublicVariable, ResolvedFlow, ScreenType

#: Raise it with a change that the script of the release before cannot read.
DOCUMENT_VERSION = 1

#: A name that pages fill in themselves. A backslash in front keeps the braces.
_APP_NAME = re.compile(rb"(?<!\\)\{\{\s*app_name\s*\}\}")

_CHOICES = (ScreenType.QUESTION_SINGLE_CHOICE, ScreenType.QUESTION_MULTIPLE_CHOICE)
#: The settings of a screen whose page needs the part of times.
_TIMES = ("delay_seconds", "auto_advance_seconds")

#: The settings of a screen that only the app lets pass.
_OF_APP = ("await_app", "required")

_TAGS = {
    *("a", "abbr", "b", "blockquote", "br", "caption", "cite", "code", "dd", "del", "div", "dl", "dt", "em"),
    *("figcaption", "figure", "h1", "h2", "h3", "h4", "h5", "h6", "hr", "i", "img", "ins", "kbd", "li", "mark", "ol"),
    *("p", "pre", "q", "s", "section", "small", "span", "strong", "sub", "sup", "table", "tbody", "td", "tfoot"),
    *("th", "thead", "tr", "u", "ul"),
}
_ATTRIBUTES = {
    "*": {"dir", "lang", "title"},
    "a": {"href"},
    "img": {"alt", "height", "src", "width"},
    "ol": {"start"},
    "td": {"colspan", "rowspan"},
    "th": {"colspan", "rowspan", "scope"},
}
#: Their text is dropped, too; of other tags it stays.
_DROPPED = {"iframe", "math", "noscript", "object", "script", "style", "svg", "template", "textarea", "title"}
_CLEANER = nh3.Cleaner(
    tags=_TAGS,
    attributes=_ATTRIBUTES,
    clean_content_tags=_DROPPED,
    url_schemes={"https"},
    url_relative="deny",
    link_rel="noopener noreferrer",
)


def sanitize_html(html: str) -> str:
    """Return HTML without scripts, styles, forms and event handlers; links and images have https addresses only."""
    return _CLEANER.clean(html)


class PageProject(NamedTuple):
    """The members of a project that its pages need."""

    project_id: str
    name: str
    record_answers: bool
    analytics_enabled: bool


def page_document(
    project: PageProject,
    flow: ResolvedFlow,
    *,
    is_preview: bool,
    manifest: AssetManifest | None = None,
    root: str = "",
    texts: ResolvedFlow | None = None,
) -> dict[str, Any]:
    """Return the document; `root` leads from the page to the assets of the manifest. A preview records nothing.

    `texts` is the flow with the texts of all locales, where `flow` has marks in their places.
    Names of flows and screens are for the team alone, so they are not in it.
    """
    variables = {"variables": _with_trees(flow.variables)} if flow.variables else {}
    return {
        "version": DOCUMENT_VERSION,
        "mode": "preview" if is_preview else "live",
        "projectId": project.project_id,
        "projectName": project.name,
        "flowId": flow.id,
        "theme": None if flow.theme is None else _theme(flow.theme),
        "screens": [_screen(screen) for screen in flow.screens],
        **variables,
        **({} if flow.locale is UNSET else {"locale": flow.locale, "direction": flow.direction}),
        "recordAnswers": project.record_answers,
        "analyticsEnabled": project.analytics_enabled,
        "assets": {"illustrations": _used_illustrations(texts or flow, illustrations(manifest, root))},
    }


def page_parts(flow: ResolvedFlow) -> list[str]:
    """Return the bare names of the scripts and style sheets that the page of a flow needs beside those of all pages.

    Logic is needed for conditions, rules, and names in texts. Pages fill in the name of the app without it.
    """
    texts = _all_texts(flow)
    has_names = b"{{" in _APP_NAME.sub(b"", texts)
    types = {screen.type for screen in flow.screens}
    has_app = ScreenType.NATIVE in types or any(
        screen.settings.get(name) is True for screen in flow.screens for name in _OF_APP
    )
    paywalls = {str(screen.content.get("layout")) for screen in flow.screens if screen.type is ScreenType.PAYWALL}
    needed = {
        "app": has_app,
        "layouts": _has_layouts(flow),
        "looks": _has_words(flow.theme),
        "iconset": b'"icon"' in texts or ScreenType.PERMISSIONS in types,
        "logic": has_app or has_names or any(screen.show_if or screen.next for screen in flow.screens),
        "fonts": bool(page_fonts(flow.theme)),
        "options": any(screen.type in _CHOICES and _has_columns(screen.content, flow.theme) for screen in flow.screens),
        "timing": any(screen.settings.get(name) for screen in flow.screens for name in _TIMES),
        "consent": ScreenType.CONSENT in types,
        "loading": ScreenType.LOADING in types,
        "panels": bool(types & {ScreenType.SUMMARY, ScreenType.SOCIAL_PROOF, ScreenType.COMPARISON}),
        "paywall": ScreenType.PAYWALL in types,
        "offers": "cards" in paywalls,
        "timeline": "timeline" in paywalls,
        "versus": ScreenType.COMPARISON in types or "comparison" in paywalls,
        "picker": ScreenType.QUESTION_PICKER in types,
        "signup": ScreenType.SIGNUP in types,
    }
    return [name for name, is_needed in needed.items() if is_needed]


def _has_columns(content: dict[str, Any], theme: PublicTheme | None) -> bool:
    """Return whether options of a question have pictures or emojis, or may stand in columns."""
    if theme is not None and theme.choice == "image_grid":
        return True
    options = content.get("options") or content.get("choices")
    entries = [option for option in options if isinstance(option, dict)] if isinstance(options, list) else []
    return "columns" in content or any(option.get("image") or option.get("emoji") for option in entries)


def _has_words(theme: PublicTheme | None) -> bool:
    """Return whether a theme has one of the words that style its pages, such as `pill`."""
    if theme is None:
        return False
    words = (theme.button, theme.choice, theme.progress, theme.transition, theme.spacing)
    return "align" in theme.typography or any(word is not UNSET for word in words)


def _has_layouts(flow: ResolvedFlow) -> bool:
    """Return whether a screen has a layout, or more than a colour behind its texts."""
    backgrounds = [None if flow.theme is None else flow.theme.background]
    for screen in flow.screens:
        if screen.settings.get("layout", "standard") != "standard":
            return True
        backgrounds += [screen.settings.get("background"), screen.content.get("background")]
    return any(isinstance(background, dict) for background in backgrounds)


def _used_illustrations(flow: ResolvedFlow, addresses: dict[str, str]) -> dict[str, str]:
    """Return the addresses of those illustrations whose name is a text of a screen."""
    texts = _all_texts(flow)
    return {name: address for name, address in addresses.items() if orjson.dumps(name) in texts}


def _all_texts(flow: ResolvedFlow) -> bytes:
    """Return the contents of the screens, with the texts of all locales."""
    return orjson.dumps([[screen.content, screen.localizations] for screen in flow.screens])


def page_fonts(theme: PublicTheme | None) -> list[str]:
    """Return the addresses of the fonts of a theme, each once."""
    members = () if theme is None else (theme.typography.get(name) for name in ("fontMediaId", "headingFontMediaId"))
    return list(dict.fromkeys(str(font["url"]) for font in members if isinstance(font, dict) and "url" in font))


def page_scheme(theme: PublicTheme | None) -> str:
    """Return the colour schemes of a page whose theme has a palette for dark devices, or one for all devices."""
    appearance = None if theme is None or theme.appearance is UNSET else theme.appearance
    if appearance in ("light", "dark"):
        return str(appearance)
    return "light dark" if theme is not None and theme.colors.get("dark") else ""


def _with_trees(variables: Sequence[PublicVariable]) -> list[dict[str, Any]]:
    """Return variables with the trees of their formulas, so that a page needs no parser."""
    names = [variable.name for variable in variables]
    return [
        {"name": variable.name, "tree": parse_formula(variable.formula, names[:place])}
        for place, variable in enumerate(variables)
    ]


def _theme(theme: PublicTheme) -> dict[str, Any]:
    members = {field.encode_name: getattr(theme, field.name) for field in fields(PublicTheme)}
    return {name: value for name, value in members.items() if value is not UNSET and name not in {"id", "name"}}


def _screen(screen: PublicScreen) -> dict[str, Any]:
    content = screen.content
    html = content.get("html")
    if screen.type == ScreenType.CUSTOM and html is not None:
        content = {**content, "html": sanitize_html(html) if isinstance(html, str) else ""}
    logic = {"showIf": screen.show_if, "next": msgspec.to_builtins(screen.next)}
    return {
        "id": screen.id,
        "type": screen.type,
        "content": content,
        "settings": screen.settings,
        **{name: value for name, value in logic.items() if value},
    }
