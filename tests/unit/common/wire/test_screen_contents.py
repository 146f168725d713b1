"""Texts of contents that can be translated (languages, Model)."""

import re
from pathlib import Path
from typing import Any

import pytest

from common.wire.screen_contents import definitions, item_names, texts_of, unescaped, untranslated_names, with_texts

NOT_TEXTS = {
    *("value", "product_id", "answer_key", "name", "icon", "illustration", "permission", "action", "picker", "unit"),
    "default_value",
}


@pytest.mark.parametrize(
    ("screen_type", "content", "pointers"),
    [
        ("welcome", {"title": "T", "primary_button": {"label": "L", "action": "next", "url": "https://a"}},
         ["/title", "/primary_button/label", "/primary_button/url"]),
        ("welcome", {"own": "Own", "secondary_button": "Later", "headline": "H", "image": "https://a"},
         ["/headline", "/image", "/secondary_button", "/own"]),
        ("feature", {"image": {"media_id": "media_1", "alt": "A"}, "image_position": "top"}, ["/image/alt"]),
        ("feature", {"items": ["One", {"title": "Two", "icon": "bag"}]}, ["/items/0", "/items/1/title"]),
        ("question_single_choice", {"answer_key": "k", "options": ["plain", {"id": "a", "label": "A"}]},
         ["/options/1/label"]),
        ("question_single_choice", {"options": [{"value": "a/b~", "label": "A"}, {"value": 5, "label": "B"}]},
         ["/options/a~1b~0/label", "/options/5/label"]),
        ("question_single_choice", {"options": [{"value": "a", "label": "A"}, {"value": "a", "label": "B"}]},
         ["/options/a/label", "/options/1/label"]),
        ("question_picker", {"picker": "number", "unit": "kg", "min_value": "3", "default_value": "5"}, []),
        ("question_text", {"max_length": "9", "placeholder": "P"}, ["/placeholder"]),
        ("paywall", {"benefits": ["One"], "products": ["p", {"product_id": "q", "label": "Q", "price": "5"}]},
         ["/benefits/0", "/products/q/label", "/products/q/price"]),
        ("signup", {"fields": ["email", {"name": "n", "type": "text", "label": "L"}], "providers": ["google"]},
         ["/fields/n/label"]),
        ("social_proof", {"rating": "4.8", "quotes": ["Good", {"text": "Q", "name": "Ann"}]},
         ["/quotes/0", "/quotes/Ann/text", "/rating"]),
        ("comparison", {"columns": [{"title": "A", "points": ["x"]}]}, ["/columns/0/title", "/columns/0/points/0"]),
        ("consent", {"items": ["x", {"name": "n", "label": "L", "url": "https://a"}]},
         ["/items/n/label", "/items/n/url"]),
        ("custom", {"html": "<p>", "component": "c", "own": {"list": ["a"], "value": "v", "deep": [{"name": "n"}]}},
         ["/html", "/own/list/0"]),
        ("custom", {"number": 5, "flag": True, "nothing": None}, []),
    ],
)  # fmt: skip
def test_texts_of_a_content(screen_type: str, content: dict[str, Any], pointers: list[str]) -> None:
    texts = texts_of(screen_type, content)
    assert list(texts) == pointers
    changed = with_texts(content, {pointer: f"{text}!" for pointer, text in texts.items()})
    assert texts_of(screen_type, changed) == {pointer: f"{text}!" for pointer, text in texts.items()}


def test_members_of_the_contract_are_no_texts_anywhere() -> None:
    assert untranslated_names() >= NOT_TEXTS
    content = dict.fromkeys(NOT_TEXTS, "x")
    assert texts_of("custom", {**content, "own": [content]}) == {}


def test_item_whose_place_is_the_name_of_another_has_none() -> None:
    assert item_names([{"label": "A"}, {"value": "0"}, "plain", {"value": True}, {"name": 1.5}]) == [
        *("", "0", "2", "3", "1.5")
    ]
    assert unescaped("/options/a~1b~0/label") == ["options", "a/b~", "label"]


def test_each_illustration_has_a_file_of_at_most_60_kb() -> None:
    names = [name for name in definitions()["illustration"]["enum"] if name]
    files = {
        file.stem: file.stat().st_size for file in (Path(__file__).parents[4] / "web/flow/illustrations").iterdir()
    }
    assert files.keys() == set(names)
    assert max(files.values()) <= 60_000
    assert all(re.fullmatch(definitions()["image"]["pattern"], name) for name in names)
