"""`onboarding flows` with media files: exported beside the flows, and uploaded where they are missing."""

from pathlib import Path
from typing import Any

import pytest

from tests.integration.cli.flows.conftest import Environment, Flows
from tests.support.clients.management import data_of
from tests.support.clients.media import upload_image, upload_media
from tests.support.media_files import font, mp4


@pytest.fixture
def media(environment: Environment) -> dict[str, Any]:
    """Return a picture with a dark partner, which a flow of the project in development shows."""
    user, project_id = environment.user, environment.development
    image = upload_image(user, project_id, name="Our shop.png")
    dark = upload_image(user, project_id, name="Night")
    changes = {"alt": "The shop", "dark_media_id": dark["id"], "focal_point": {"x": 0.5, "y": 0.0}}
    content = {"title": "Hi", "image": {"media_id": image["id"], "alt": "Ours"}}
    user.create_flow(project_id, "Welcome", status="active", screens=[{"type": "welcome", "content": content}])
    changed: dict[str, Any] = data_of(user.put(f"/api/media/{image['id']}", changes))
    return changed


def media_of(environment: Environment, project_id: str) -> dict[str, dict[str, Any]]:
    listed = data_of(environment.user.get("/api/media", params={"projectId": project_id}))
    return {media["name"]: media for media in listed}


@pytest.mark.usefixtures("media")
def test_export_writes_files_that_apply_brings_to_another_project_once(
    environment: Environment, flows: Flows, root: Path
) -> None:
    flows("export", environment.development).succeeded()
    assert sorted(path.name for path in (root / "files").iterdir()) == ["night.jpg", "our-shop.jpg"]
    assert "media: our-shop" in (root / "flows/welcome.yaml").read_text()
    assert "dark: night" in (root / "media/our-shop.yaml").read_text()
    assert flows("apply", environment.development).succeeded() == "Nothing to change.\n"

    planned = flows("apply", environment.production, "--dry-run").succeeded()
    assert planned.startswith("upload files/night.jpg\nupload files/our-shop.jpg\ncreate flow welcome\n")
    assert media_of(environment, environment.production) == {}
    flows("apply", environment.production).succeeded()
    present = media_of(environment, environment.production)
    shop, night = present["Our shop.png"], present["Night"]
    assert (shop["alt"], shop["dark_media_id"], shop["focal_point"]) == ("The shop", night["id"], {"x": 0.5, "y": 0.0})
    (flow,) = data_of(environment.user.get("/api/flows", params={"projectId": environment.production}))
    content = data_of(environment.user.get(f"/api/flows/{flow['id']}"))["screens"][0]["content"]
    assert content["image"] == {"media_id": shop["id"], "alt": "Ours"}
    # Another checkout has no ids of the project, and finds the files by their digests.
    (root / f"ids/{environment.production}.yaml").unlink()
    assert flows("apply", environment.production).succeeded() == "Nothing to change.\n"
    assert media_of(environment, environment.production).keys() == present.keys()


def test_changed_facts_are_applied(environment: Environment, flows: Flows, root: Path, media: dict[str, Any]) -> None:
    flows("export", environment.development).succeeded()
    facts = root / "media/our-shop.yaml"
    facts.write_text(facts.read_text().replace("The shop", "A shop"))
    assert flows("apply", environment.development).succeeded().startswith("change media our-shop: alt\n")
    assert data_of(environment.user.get(f"/api/media/{media['id']}"))["alt"] == "A shop"


def test_files_of_themes_go_along_and_an_emptied_look_is_unset(
    environment: Environment, flows: Flows, root: Path
) -> None:
    user, project_id = environment.user, environment.development
    logo = upload_image(user, project_id, name="Logo")
    brand = data_of(upload_media(user, project_id, font(), "font/ttf", params={"name": "Brand"}), 201)
    looks: dict[str, Any] = {
        "logo": {"media_id": logo["id"], "alt": "Ours"},
        "background": {"gradient": ["#fff", "#ffeedd"]},
        "spacing": "airy",
    }
    theme = {"projectId": project_id, "name": "Brand", "typography": {"fontMediaId": brand["id"], "own": 1}, **looks}
    data_of(user.post("/api/themes", theme), 201)
    flows("export", project_id).succeeded()
    written = (root / "themes/brand.yaml").read_text()
    assert ("fontMedia: brand" in written, "media: logo" in written, "media_" in written) == (True, True, False)
    assert flows("apply", project_id).succeeded() == "Nothing to change.\n"

    flows("apply", environment.production).succeeded()
    present = media_of(environment, environment.production)
    (copy,) = data_of(user.get("/api/themes", params={"projectId": environment.production}))
    assert copy["typography"] == {"fontMediaId": present["Brand"]["id"], "own": 1}
    assert {name: copy[name] for name in looks} == {**looks, "logo": {"media_id": present["Logo"]["id"], "alt": "Ours"}}

    (root / "themes/brand.yaml").write_text(written.replace("spacing: airy\n", ""))
    flows("apply", environment.production).succeeded()
    (copy,) = data_of(user.get("/api/themes", params={"projectId": environment.production}))
    assert "spacing" not in copy
    assert flows("apply", environment.production).succeeded() == "Nothing to change.\n"


def test_video_is_uploaded_behind_its_poster(environment: Environment, flows: Flows) -> None:
    user, project_id = environment.user, environment.development
    poster = upload_image(user, project_id, name="Still")
    params = {"poster_media_id": poster["id"], "name": "Film"}
    video = data_of(upload_media(user, project_id, mp4(), "video/mp4", params=params), 201)
    content = {"title": "Hi", "background": {"media_id": video["id"]}}
    user.create_flow(project_id, "Welcome", screens=[{"type": "welcome", "content": content}])
    flows("export", project_id).succeeded()
    flows("apply", environment.production).succeeded()
    present = media_of(environment, environment.production)
    assert present["Film"]["poster_media_id"] == present["Still"]["id"]


def test_name_without_a_file_is_refused_before_anything_changes(
    environment: Environment, flows: Flows, root: Path
) -> None:
    flows("export", environment.development).succeeded()
    (root / "flows/new.yaml").parent.mkdir(exist_ok=True)
    (root / "flows/new.yaml").write_text(
        "name: New\nscreens:\n- {key: a, type: welcome, content: {title: Hi, image: {media: gone}}}\n"
    )
    errors = flows("apply", environment.development).failed()
    assert errors == "onboarding: flows/new.yaml: screens.0.content.image.media: there is no media/gone.yaml\n"
