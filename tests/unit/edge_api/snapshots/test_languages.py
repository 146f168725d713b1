"""A project with several languages, from the compiler to the responses of the edge."""

import gzip
import html
import re
from dataclasses import replace
from typing import Any

import msgspec
import orjson
import pytest

from common.rules.resolution import Choice, Source
from common.wire.public_responses import PublicScreen, ScreenType
from common.wire.snapshot import Snapshot, decode_snapshot, encode_snapshot
from edge_api.snapshots import bodies as bodies_module
from edge_api.snapshots.loaded import LoadedSnapshot
from publisher.compiler import compile_snapshot
from publisher.project_records import ExperimentRecord, PageRecord, ProjectRecord, VariantRecord
from tests.support.data.pages import MANIFEST
from tests.support.offline_sdk.languages import matched_locale, overlaid
from tests.unit.publisher.records import CREATED_AT, a_flow, a_project

LOCALES = ("en", "pt", "pt-BR", "ar")
HARD = 'Olá "\\n"\u2028</script><b>&\ue000l10n:0\ue001 \U0001f600'
SCREENS = (
    PublicScreen(
        id="screen_1",
        type=ScreenType.QUESTION_SINGLE_CHOICE,
        name="Choice",
        order=0,
        content={
            "question": "Which \ue000l10n one?",
            "options": [{"value": "a/b", "label": "First"}, {"value": "c", "label": "First"}],
            "image": {"media_id": "media_1", "alt": "Picture"},
        },
        settings={},
        localizations={
            "pt": {"/question": "Qual?", "/options/a~1b/label": HARD, "/image/alt": "Imagem"},
            "pt-BR": {"/question": "Qual deles?"},
            "ar": {"/options/c/label": "الثاني"},
        },
    ),
    PublicScreen(
        id="screen_2",
        type=ScreenType.CUSTOM,
        name="Own",
        order=1,
        content={"html": "<p>Hello<script>1</script></p>"},
        settings={},
        localizations={"ar": {"/html": "<p>مرحبا<script>2</script></p>"}},
    ),
    PublicScreen(id="screen_3", type=ScreenType.WELCOME, name=None, order=2, content={"title": "T"}, settings={}),
)


def compiled(**fields: Any) -> Snapshot:  # noqa: ANN401 - fields of a record
    flow = a_flow(screens=SCREENS)
    pages = (PageRecord(flow), PageRecord(flow, is_preview=True))
    project = a_project(flow, default_flow_id="flow_1", locales=LOCALES, pages=pages, **fields)
    return decode_snapshot(encode_snapshot(compile_snapshot(project, (), MANIFEST)))


def flow_in(snapshot: Snapshot, locale: str) -> dict[str, Any]:
    """Return the response of the edge."""
    answers = LoadedSnapshot.from_snapshot(snapshot).answers
    response = answers.in_locale(locale).response(Choice(Source.DEFAULT, "flow_1"))
    return dict(orjson.loads(response.body + response.tail))


def page_in(snapshot: Snapshot, locale: str, *, is_preview: bool = False) -> str:
    page = LoadedSnapshot.from_snapshot(snapshot).answers.in_locale(locale).page(("flow_1", False, is_preview))
    assert page is not None
    return gzip.decompress(page.gzip).decode()


@pytest.mark.parametrize("locale", LOCALES)
def test_response_equals_the_overlay_of_the_configuration(locale: str) -> None:
    """The offline SDK lays the texts over the contents of the configuration by docs/bucketing.md alone."""
    snapshot = compiled()
    config = orjson.loads(snapshot.config.body)
    resolution = flow_in(snapshot, locale)
    assert (resolution["locale"], resolution["flow"]["locale"]) == (locale, locale)
    assert resolution["flow"]["direction"] == ("rtl" if locale == "ar" else "ltr")
    [flow] = config["flows"]
    assert resolution["flow"]["screens"] == [overlaid(screen, config["settings"], locale) for screen in flow["screens"]]


def test_missing_text_is_that_of_a_shorter_tag_else_the_base() -> None:
    [choice, own, _] = flow_in(compiled(), "pt-BR")["flow"]["screens"]
    assert choice["content"]["question"] == "Qual deles?"
    assert [option["label"] for option in choice["content"]["options"]] == [HARD, "First"]
    assert own["content"] == SCREENS[1].content


@pytest.mark.parametrize("is_preview", [False, True])
def test_page_is_finished_in_each_locale(is_preview: bool) -> None:  # noqa: FBT001 - a parameter of the test
    snapshot = compiled()
    for locale in LOCALES:
        page = page_in(snapshot, locale, is_preview=is_preview)
        direction = "rtl" if locale == "ar" else "ltr"
        assert page.startswith(f'<!doctype html><html lang="{locale}" dir="{direction}">')
        [source] = re.findall(r'<script type="application/json" id="flow">(.*?)</script>', page)
        document = orjson.loads(source)
        assert (document["locale"], document["direction"]) == (locale, direction)
        contents = [screen["content"] for screen in document["screens"]]
        expected = [screen["content"] for screen in flow_in(snapshot, locale)["flow"]["screens"]]
        assert contents[0]["options"] == expected[0]["options"]
        assert contents[1] == {"html": "<p>مرحبا</p>" if locale == "ar" else "<p>Hello</p>"}
        assert html.unescape(source).count("l10n:") == source.count("l10n:") == (1 if locale.startswith("pt") else 0)


def test_variant_has_the_texts_of_the_locale() -> None:
    flow = a_flow(screens=SCREENS)
    variant = VariantRecord("a", "A", flow, 100, is_control=True, ranges=((0, 10_000),))
    experiment = ExperimentRecord("exp_1", "E", False, [], 10_000, 1, "flow_completed", CREATED_AT, (variant,))  # noqa: FBT003 - a field
    answers = LoadedSnapshot.from_snapshot(compiled(experiments=(experiment,))).answers
    [choice] = answers.rules.experiments[0].choices.values()
    assert b"Qual deles?" in answers.in_locale("pt-BR").variant_response(choice)[0]


def test_snapshot_grows_by_texts() -> None:
    """Forty languages with a text each take less than twice the texts, not forty flows."""
    locales = ("en", *(f"de-x-{number:02}" for number in range(39)))
    screen = msgspec.structs.replace(SCREENS[2], content={"title": "T", "filler": ["f" * 10] * 500})
    flow = a_flow(screens=(screen,))
    one = a_project(flow, pages=(PageRecord(flow),))
    translated = msgspec.structs.replace(
        screen, localizations={locale: {"/title": "T" * 100} for locale in locales[1:]}
    )
    flow = a_flow(screens=(translated,))
    many = a_project(flow, pages=(PageRecord(flow),), locales=locales)
    single, all_of_them = (compile_snapshot(project, (), MANIFEST) for project in (one, many))
    sizes = [
        len(encode_snapshot(msgspec.structs.replace(each, config=single.config))) for each in (single, all_of_them)
    ]
    assert sizes[1] - sizes[0] < 39 * 100 * 2


def test_project_of_one_language_has_no_trace_of_languages() -> None:
    flow = a_flow(screens=SCREENS[2:])
    one: ProjectRecord = a_project(flow, default_flow_id="flow_1", pages=(PageRecord(flow),))
    english, german = (compile_snapshot(project, (), MANIFEST) for project in (one, replace(one, locales=("de",))))
    # Pages alone tell the language of such a project, where it is not English.
    assert encode_snapshot(english) == encode_snapshot(msgspec.structs.replace(german, pages=english.pages))
    assert not re.search(rb"ocale|direction", encode_snapshot(english) + english.config.body)


def test_bodies_of_many_languages_are_dropped_and_made_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("edge_api.snapshots.loaded.MAX_LOCALIZED_BYTES", 1)
    answers = LoadedSnapshot.from_snapshot(compiled()).answers
    choice = Choice(Source.DEFAULT, "flow_1")
    first = answers.in_locale("pt").response(choice)
    assert answers.localized.keys() == {"pt"}
    assert answers.in_locale("ar").response(choice) != first
    assert answers.localized.keys() == {"ar"}
    assert answers.in_locale("pt").response(choice) == first
    assert bodies_module.MAX_LOCALIZED_BYTES == 4 * 1024 * 1024


def test_configuration_has_the_locales_and_the_aliases() -> None:
    settings = orjson.loads(compiled().config.body)["settings"]
    assert (settings["defaultLocale"], settings["locales"]) == ("en", list(LOCALES))
    assert matched_locale(settings["locales"], settings["localeAliases"], "pt_PT") == "pt"
    assert settings["localeAliases"]["ar-Arab"] == "ar"
