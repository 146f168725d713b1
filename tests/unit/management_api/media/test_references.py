"""References in options of questions: where they are found, and what takes their place."""

from typing import Any

from management_api.media.references import references_in, replaced

_CONTENT: dict[str, Any] = {
    "options": [
        {"value": "a", "label": "Art", "media_id": "media_1"},
        {"value": "b", "label": "Books", "image": {"media_id": "media_2"}},
        "Cooking",
    ]
}


def test_reference_of_an_option_is_found_by_its_id_alone() -> None:
    found = {reference.path: reference.value["media_id"] for reference in references_in(_CONTENT)}
    assert found == {"options.0": "media_1", "options.1.image": "media_2"}


def test_option_gets_its_file_as_its_image_and_keeps_its_other_members() -> None:
    shown = replaced(_CONTENT, lambda _, reference: {"url": f"/{reference['media_id']}.webp"})
    assert shown["options"] == [
        {"value": "a", "label": "Art", "image": {"url": "/media_1.webp"}},
        {"value": "b", "label": "Books", "image": {"url": "/media_2.webp"}},
        "Cooking",
    ]


def test_option_without_its_file_stays() -> None:
    assert replaced(_CONTENT, lambda *_: None)["options"][0] == {"value": "a", "label": "Art"}


def test_name_of_a_file_in_a_folder_takes_the_place_of_an_options_id_and_leads_back() -> None:
    named = replaced(_CONTENT, lambda _, reference: {"media": reference["media_id"]})
    assert named["options"][0] == {"value": "a", "label": "Art", "media": "media_1"}
    assert replaced(named, lambda _, reference: {"media_id": reference["media"]}, "media") == _CONTENT
