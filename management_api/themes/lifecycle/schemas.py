"""Bodies and responses of drafts and versions of themes (contract, section 7, Themes)."""

from typing import Annotated, Any

from pydantic import Field

from management_api.history.schemas import DraftFields, DraftState, PublicationFields, StoredModel, VersionState
from management_api.http.fields import REQUIRED, ThemeName
from management_api.http.responses import ETagModel
from management_api.themes.document import NEW_DOCUMENT, changed
from management_api.themes.schemas import ThemeContent, ThemeContentView

_DOCUMENT_EXAMPLE = {"name": "Dark", "colors": {"primary": "#112233"}}


class ThemeDocumentBody(ThemeContent):
    """The document of a theme. Members that are left out have the defaults of POST /themes."""

    name: Annotated[ThemeName, REQUIRED] = Field(examples=["Dark"])

    def document(self) -> dict[str, Any]:
        """Return the document as it is stored."""
        return changed(NEW_DOCUMENT, self.members())


class ThemeDraftBody(DraftFields):
    """PUT /themes/{theme_id}/draft."""

    document: Annotated[ThemeDocumentBody, REQUIRED] = Field(examples=[_DOCUMENT_EXAMPLE])


class ThemePublishBody(PublicationFields):
    """POST /themes/{theme_id}/publish; every member may be left out, and so may the body."""


class ThemeDocumentView(ThemeContentView, StoredModel):
    """The document of a theme: all of it but the mark of the default theme."""


class ThemeDraftView(DraftState):
    """The draft of a theme. It needs no approvals (`approvals` is empty): PUT /themes/{theme_id} needs none either."""

    theme_id: str
    document: ThemeDocumentView


class ThemeVersionView(VersionState):
    """A version of a theme."""

    theme_id: str


class ThemeVersionWithDocument(ThemeVersionView, ETagModel):
    """A version of a theme with its document."""

    document: ThemeDocumentView
