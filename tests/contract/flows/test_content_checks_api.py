"""Members of contents that every write checks (common/wire/screen_contents.json, `x-checked`)."""

from tests.support.clients.management import User, data_of

_WRONG = {"title": "Wait", "seconds": 31}


def test_members_of_products_and_layouts_are_checked_and_others_are_free(alice: User) -> None:
    flow = alice.create_flow(alice.create_project()["id"])
    content = {
        "layout": "tower",
        "close_delay_seconds": 31,
        "cta_by_product": {"yearly": ["Go"]},
        "products": ["Monthly", {"label": {"free": "form"}, "price_text": True}],
    }
    refused = alice.post("/api/screens", {"flowId": flow["id"], "type": "paywall", "content": content})
    assert refused.status_code == 400
    assert {detail["field"]: detail["message"] for detail in refused.json["details"]} == {
        "content.layout": "must be a layout of a paywall",
        "content.close_delay_seconds": "must be a number from 0 to 30",
        "content.cta_by_product.yearly": "must be a text",
        "content.products.1.price_text": "must be a text",
    }


def test_every_write_refuses_a_checked_member_of_another_shape(alice: User) -> None:
    project = alice.create_project()["id"]
    flow = alice.create_flow(project)
    screen = data_of(alice.post("/api/screens", {"flowId": flow["id"], "type": "loading"}), 201)
    other = data_of(alice.post("/api/screens", {"flowId": flow["id"], "type": "custom", "content": _WRONG}), 201)
    path = f"/api/flows/{flow['id']}/draft"
    document = {"name": "A", "screens": [{"type": "welcome"}, {"type": "loading", "content": _WRONG}]}
    writes = {
        "content.seconds": [
            alice.post("/api/screens", {"flowId": flow["id"], "type": "loading", "content": _WRONG, "order": 0}),
            alice.put(f"/api/screens/{screen['id']}", {"content": _WRONG}),
            alice.put(f"/api/screens/{other['id']}", {"type": "loading"}),
        ],
        "screens.1.content.seconds": [alice.post("/api/flows", {"projectId": project, **document})],
        "document.screens.1.content.seconds": [alice.put(path, {"base_version": 1, "document": document})],
    }
    for field, refusals in writes.items():
        for refused in refusals:
            assert (refused.status_code, refused.json["code"]) == (400, "INVALID_PARAMETER")
            assert refused.json["details"] == [
                {"field": field, "code": "INVALID_PARAMETER", "message": "must be a number from 1 to 30"}
            ]
