"""The words of pages by language: which script a locale gets, and that no language lacks a word or a plural form."""

import gzip
import json
import re
from pathlib import Path
from typing import Any

import msgspec
import pytest
from babel import Locale

from common.rules.locales import ProjectLocales
from edge_api.http.error_pages import _ALIASES, _RIGHT_TO_LEFT, error_words
from publisher.locales import aliases_of, direction_of
from publisher.project_records import PageRecord
from publisher.words import PageWords
from tests.support.data.pages import MANIFEST
from tests.unit.publisher.records import a_flow, a_project
from tests.unit.publisher.test_pages import html_of

FOLDER = Path(__file__).parents[3] / "web" / "pages" / "src" / "words"
#: The languages of the specification.
TAGS = [
    "en",
    "de",
    "fr",
    "es",
    "it",
    "pt",
    "nl",
    "pl",
    "sv",
    "da",
    "nb",
    "fi",
    "cs",
    "ro",
    "hu",
    "el",
    "tr",
    "ru",
    "uk",
    "ar",
    "he",
    "hi",
    "id",
    "vi",
    "th",
    "ja",
    "ko",
    "zh-Hans",
    "zh-Hant",
]
MAX_BYTES = 3 * 1024
SCRIPTS = tuple(f"words-{tag.lower()}.0a1b2c3d.js" for tag in TAGS[1:])
WORDED = msgspec.structs.replace(MANIFEST, files=(*MANIFEST.files, *SCRIPTS))


def words_of(tag: str) -> dict[str, Any]:
    words: dict[str, Any] = json.loads((FOLDER / f"{tag}.json").read_text())
    return words


def places_in(text: str) -> set[str]:
    """Return the numbers that a text names."""
    return set(re.findall(r"\{\d\}", text))


def test_there_are_words_for_each_language_of_the_specification() -> None:
    assert sorted(path.stem for path in FOLDER.iterdir()) == sorted(TAGS)
    assert list(error_words()) == TAGS


@pytest.mark.parametrize("tag", TAGS)
def test_language_has_all_words_with_their_numbers_and_plural_forms(tag: str) -> None:
    words, english = words_of(tag), words_of("en")
    assert list(words) == list(english)
    assert words["language"] == tag
    categories = Locale.parse(tag, sep="-").plural_form.tags | {"other"}
    for name, form in words.items():
        forms = form if isinstance(form, dict) else {"other": form}
        assert all(text.strip() == text != "" for text in forms.values())
        assert set(forms) == categories or not isinstance(form, dict), name
        assert places_in(forms["other"]) == places_in(english[name]), name
    assert len(gzip.compress(json.dumps(words, ensure_ascii=False).encode())) <= MAX_BYTES
    assert list(error_words()[tag]) == list(error_words()["en"])
    shared = ("again", "close", "failed", "failedText")
    assert [error_words()[tag][name] for name in shared] == [words[name] for name in shared]


@pytest.mark.parametrize(
    ("locale", "script"),
    [
        *[("de-AT", "de"), ("pt-BR", "pt"), ("zh-Hant", "zh-hant"), ("zh-TW", "zh-hant"), ("zh", "zh-hans")],
        *[("no", "nb"), ("iw", "he"), ("en-GB", None), ("fa", None)],
    ],
)
def test_locale_has_the_words_of_its_language(locale: str, script: str | None) -> None:
    assert PageWords(WORDED).script(locale) == (None if script is None else f"words-{script}.0a1b2c3d.js")


def test_page_of_a_project_with_one_language_has_its_tag_direction_and_words() -> None:
    pages = (PageRecord(a_flow()),)
    english, arabic, persian = (html_of(a_project(locales=(tag,), pages=pages), WORDED) for tag in ("en", "ar", "fa"))
    link = '<script type="module" src="../../../../onboarding/assets/words-ar.0a1b2c3d.js"></script>'
    assert english == html_of(a_project(pages=pages))
    assert '<html lang="en"><head>' in english
    assert arabic.replace(link, "").replace('lang="ar" dir="rtl"', 'lang="en"') == english
    assert arabic.index(link) < arabic.index('id="flow"')
    assert persian.replace('lang="fa" dir="rtl"', 'lang="en"') == english


def test_errors_know_the_same_tags_as_pages() -> None:
    errors, pages = ProjectLocales(TAGS, _ALIASES), ProjectLocales(TAGS, aliases_of(TAGS))
    for tag in ("zh", "zh-CN", "zh-TW", "zh-HK", "zh-MO", "no-NO", "iw", "in", "pt-PT", "fr_CA", "sr"):
        assert errors.match(tag) == pages.match(tag)
    assert {tag for tag in TAGS if direction_of(tag) == "rtl"} == _RIGHT_TO_LEFT
