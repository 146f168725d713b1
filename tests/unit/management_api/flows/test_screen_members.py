"""Every form of a screen and of a flow has the members of the document, so a new member is forgotten nowhere."""

from common.wire.public_responses import PublicScreen
from management_api.db.models.documents import (
    LOCALIZATIONS,
    LOGIC_OF_FLOW,
    LOGIC_OF_SCREEN,
    SCREEN_MEMBERS,
    upcast,
)
from management_api.flows.lifecycle.schemas import DocumentBody, DocumentScreen, DocumentScreenView, DocumentView
from management_api.flows.schemas import FlowCreateBody, FlowUpdateBody, FlowView
from management_api.screens.schemas import (
    ScreenCreateBody,
    ScreenInFlowBody,
    ScreenUpdateBody,
    ScreenView,
    ScreenWithContent,
)

MEMBERS = {"id", *SCREEN_MEMBERS}
#: The members of a screen that are its place in a project.
PLACE = {"id", "flow_id", "project_id", "order", "created_at", "updated_at"}
FLOW_MEMBERS = {*upcast({"name": "Flow"}), *LOGIC_OF_FLOW}


def test_screen_has_the_members_of_the_document_in_every_form() -> None:
    assert DocumentScreen.model_fields.keys() == DocumentScreenView.model_fields.keys() == MEMBERS
    for form in (ScreenCreateBody, ScreenInFlowBody, ScreenUpdateBody, ScreenView, ScreenWithContent):
        assert form.model_fields.keys() - PLACE == MEMBERS - {"id"}, form
    assert set(PublicScreen.__struct_fields__) == MEMBERS | {"order"}


def test_flow_has_the_members_of_the_document_in_every_form() -> None:
    assert DocumentBody.model_fields.keys() == DocumentView.model_fields.keys() == FLOW_MEMBERS
    assert FlowCreateBody.model_fields.keys() > FLOW_MEMBERS
    assert FlowUpdateBody.model_fields.keys() > FLOW_MEMBERS - {"screens"}
    assert FlowView.model_fields.keys() > FLOW_MEMBERS


def test_stored_screen_without_a_member_has_its_default() -> None:
    [screen] = upcast({"name": "Flow", "screens": [{"id": "screen_a", "type": "custom"}]})["screens"]
    assert screen.keys() == MEMBERS - {*LOGIC_OF_SCREEN, LOCALIZATIONS}
