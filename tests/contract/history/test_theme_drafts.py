"""Drafts of themes: their document, warnings, review, media files (contract, section 7, Themes)."""

from typing import Any

import pytest
from PIL import Image
from sqlalchemy import func, select

from management_api.db.models.projects import Role
from management_api.db.models.theme_history import ThemeDraft, ThemeVersion
from tests.support.clients.management import Management, User, data_of
from tests.support.clients.media import upload_image, upload_media
from tests.support.media_files import encoded

PALE = {"text": "#cccccc", "background": "#ffffff"}


@pytest.fixture
def path(alice: User, project_id: str) -> str:
    """Return the path of a theme."""
    theme = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Brand"}), 201)
    return f"/api/themes/{theme['id']}"


def save(user: User, path: str, status: int = 201, **members: object) -> dict[str, Any]:
    """Put a draft and return it."""
    draft: dict[str, Any] = data_of(user.put(f"{path}/draft", {"document": {"name": "Brand", **members}}), status)
    return draft


def test_draft_has_the_defaults_of_a_new_theme_and_the_looks(alice: User, path: str) -> None:
    plain: dict[str, Any] = {"name": "Brand", "description": None, "colors": {}, "typography": {}, "borderRadius": {}}
    assert save(alice, path)["document"] == plain
    looks = {"spacing": "airy", "button": {"shape": "pill"}, "colors": {"dark": {"text": "#ffffff"}}}
    assert save(alice, path, 200, **looks, logo=None)["document"] == {**plain, **looks}
    published = data_of(alice.post(f"{path}/publish"), 201)
    assert published["document"] == {**plain, **looks}
    assert data_of(alice.get(path)).items() >= looks.items()
    data_of(alice.post(f"{path}/versions/1/restore"), 201)
    assert "spacing" not in data_of(alice.get(path))


@pytest.mark.parametrize(
    ("document", "field"),
    [
        ({}, "document.name"),
        ({"name": "A", "is_default": True}, "document.is_default"),
        ({"name": "A", "colors": {"text": "red"}}, "document.colors.text"),
        ({"name": "A", "spacing": "wide"}, "document.spacing"),
        ({"name": "A", "typography": {"fontMediaId": "media_x"}}, "document.typography.fontMediaId"),
    ],
)
def test_document_that_cannot_be_stored_is_400(alice: User, path: str, document: dict[str, Any], field: str) -> None:
    result = alice.put(f"{path}/draft", {"document": document})
    assert result.status_code == 400
    assert [detail["field"] for detail in result.json["details"]] == [field]


def test_low_contrast_is_409_until_it_is_ignored(alice: User, path: str) -> None:
    save(alice, path, colors=PALE)
    refused = alice.post(f"{path}/publish")
    assert [(detail["field"], detail["code"]) for detail in refused.json["details"]] == [("/colors", "LOW_CONTRAST")]
    data_of(alice.post(f"{path}/publish", {"ignore_warnings": True}), 201)


@pytest.mark.parametrize(
    ("overlay", "picture", "dark", "codes"),
    [
        (0, "#101010", {}, ["LOW_CONTRAST"]),
        (0.9, "#101010", {}, []),
        (0, "#fafafa", {}, []),
        (0, "#fafafa", {"text": "#ffffff"}, ["LOW_CONTRAST"]),
    ],
)
def test_contrast_on_an_image_is_that_of_its_tones_below_the_overlay(
    alice: User, project_id: str, path: str, overlay: float, picture: str, dark: dict[str, str], codes: list[str]
) -> None:
    body = encoded(Image.new("RGB", (64, 48), picture), "PNG")
    media = data_of(upload_media(alice, project_id, body, "image/png"), 201)
    background = {"media_id": media["id"], "overlay": overlay}
    save(alice, path, background=background, colors={"dark": dark} if dark else {})
    result = alice.post(f"{path}/publish")
    assert [(detail["field"], detail["code"]) for detail in result.json.get("details", ())] == [
        ("/background", code) for code in codes
    ]


def test_list_and_theme_tell_of_the_draft(alice: User, project_id: str, path: str) -> None:
    query = {"projectId": project_id, "include": "draft"}
    for has_draft in (False, True):
        [listed] = data_of(alice.get("/api/themes", params=query))
        shown = data_of(alice.get(path, params={"include": "draft"}))
        assert (listed["has_draft"], listed["version"]) == (shown["has_draft"], shown["version"]) == (has_draft, 1)
        if not has_draft:
            save(alice, path)
    assert "has_draft" not in data_of(alice.get(path))


def test_review_lets_admins_alone_change_the_look_of_live_flows(
    shared_management: Management, alice: User, project_id: str, path: str
) -> None:
    alice.create_flow(project_id, status="active", theme_id=path.rpartition("/")[2])
    data_of(alice.put(path, {"name": "Second"}))
    data_of(alice.put(f"/api/projects/{project_id}", {"settings": {"required_approvals": 1}}))
    editor = shared_management.member(f"editor-{project_id}", project_id, Role.EDITOR)
    save(editor, path, colors={"primary": "#112233"})
    for change in ("publish", "versions/1/restore"):
        assert editor.post(f"{path}/{change}").status_code == 403
    assert data_of(editor.post(f"{path}/versions/1/restore", {"to": "draft"}))["base_version"] == 2
    data_of(alice.post(f"{path}/publish"), 201)
    unused = data_of(editor.post("/api/themes", {"projectId": project_id, "name": "Unused"}), 201)
    save(editor, f"/api/themes/{unused['id']}", colors={"primary": "#112233"})
    data_of(editor.post(f"/api/themes/{unused['id']}/publish"), 201)


def test_file_of_a_draft_is_in_use_and_one_of_a_version_returns(alice: User, project_id: str, path: str) -> None:
    logo = upload_image(alice, project_id)
    file, reference = f"/api/media/{logo['id']}", {"media_id": logo["id"]}
    save(alice, path, logo=reference)
    assert [use["id"] for use in data_of(alice.get(file))["uses"]["themes"]] == [path.rpartition("/")[2]]
    assert alice.delete(file).status_code == 409
    data_of(alice.post(f"{path}/publish"), 201)
    data_of(alice.post(f"{path}/versions/1/restore"), 201)
    assert alice.delete(file).status_code == 200
    data_of(alice.post(f"{path}/versions/2/restore"), 201)
    restored = data_of(alice.get(path))
    assert restored["logo"] == reference
    data_of(alice.put(path, {"name": "Again", "logo": reference}))
    other = data_of(alice.post("/api/themes", {"projectId": project_id, "name": "Other"}), 201)
    body = {"document": {"name": "Other", "logo": reference}}
    assert alice.put(f"/api/themes/{other['id']}/draft", body).status_code == 400


def test_deletion_of_a_theme_deletes_its_draft_and_versions(
    shared_management: Management, alice: User, path: str
) -> None:
    save(alice, path, colors={"primary": "#112233"})
    data_of(alice.post(f"{path}/publish"), 201)
    save(alice, path)
    assert alice.delete(path).status_code == 200
    assert alice.get(f"{path}/draft").status_code == alice.get(f"{path}/versions/1").status_code == 404
    with shared_management.database.reading() as session:
        of_theme = [
            session.scalar(select(func.count()).where(model.theme_id == path.rpartition("/")[2]))
            for model in (ThemeDraft, ThemeVersion)
        ]
    assert of_theme == [0, 0]
