"""The context of a device in the query and in the headers of its client."""

import pytest

from common.rules.locales import ProjectLocales
from edge_api.api.page_context import context_of, locale_of, page_locale, platform_of
from edge_api.api.request import ACCEPT_LANGUAGE

IPHONE = "Mozilla/5.0 (iPhone; CPU iPhone OS 17_2 like Mac OS X) AppleWebKit/605.1.15 (KHTML, like Gecko) Mobile/15E148"
ANDROID = "Mozilla/5.0 (Linux; Android 14; Pixel 8; wv) AppleWebKit/537.36 (KHTML, like Gecko) Version/4.0 Chrome/120.0"


@pytest.mark.parametrize(
    ("agent", "platform"),
    [
        (IPHONE, "ios"),
        ("Mozilla/5.0 (iPad; CPU OS 14_0 like Mac OS X) AppleWebKit/605.1.15", "ios"),
        ("Shop/42 CFNetwork/1494.0.7 Darwin/23.4.0", "ios"),
        (ANDROID, "android"),
        ("Dalvik/2.1.0 (Linux; U; Android 11; SM-A515F)", "android"),
        ("okhttp/4.12.0", "android"),
        ("Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15", None),
        ("Mozilla/5.0 (Windows Phone 10.0; Android 6.0.1; Microsoft) like iPhone", None),
        ("Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 Chrome/120.0", None),
        ("curl/8.5.0", None),
        ("an Android (iPhone", None),
        ("", None),
        (None, None),
    ],
)
def test_platform_is_known_from_an_unmistakable_user_agent_only(agent: str | None, platform: str | None) -> None:
    assert platform_of(agent) == platform


@pytest.mark.parametrize(
    ("header", "locale"),
    [
        ("de-DE,de;q=0.9,en;q=0.8", "de-DE"),
        ("pt-BR", "pt-BR"),
        (" zh-Hant-TW ; q=0.5", "zh-Hant-TW"),
        ("*", None),
        ("*,en", None),
        ("en_GB", None),
        ("-", None),
        ("a" * 65, None),
        ("en-" + "x" * 9, None),
        (None, None),
    ],
)
def test_locale_is_the_first_well_formed_tag(header: str | None, locale: str | None) -> None:
    assert locale_of(header) == locale


def test_query_comes_before_headers() -> None:
    headers = {b"user-agent": IPHONE.encode(), b"accept-language": b"de"}
    query = {"platform": "android", "locale": "fr", "attributes": '{"plan":"pro","age":5}', "deviceId": "d", "x": "y"}
    assert context_of(query, headers) == {
        "platform": "android",
        "locale": "fr",
        "attributes": {"plan": "pro", "age": 5},
    }
    assert context_of({}, headers) == {"platform": "ios", "locale": "de"}


@pytest.mark.parametrize(
    ("query", "header", "locale"),
    [
        ({"locale": "pt-PT"}, "de", "pt-BR"),
        ({"locale": " de_AT "}, None, "de"),
        ({"locale": ""}, "de", "de"),
        ({"locale": "junk!"}, "de", "en"),
        ({"locale": "-" * 5000}, None, "en"),
        ({}, "fr-FR, de;q=0.3, pt;q=0.8, en;q=0.1", "pt-BR"),
        ({}, "fr, *", "en"),
        ({}, "de;q=0, pt;q=0.001", "pt-BR"),
        ({}, "de;q=2, pt;q=x, DE_at;q=1.000", "de"),
        ({}, "de;level=1;Q=0.5,pt;q=0.4", "de"),
        ({}, None, "en"),
        ({}, ", ;, q=1;;", "en"),
        ({}, "fr," * 1000 + "de", "en"),
    ],
)
def test_language_of_a_page(query: dict[str, str], header: str | None, locale: str) -> None:
    headers = {} if header is None else {ACCEPT_LANGUAGE: header.encode()}
    assert page_locale(ProjectLocales(["en", "de", "pt-BR"], {"pt": "pt-BR"}), query, headers) == locale
