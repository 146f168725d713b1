"""Users as the interface shows them (contract, section 3, Shapes)."""

from management_api.http.responses import ResponseModel


class UserView(ResponseModel):
    """The calling user; address and name are what the identity provider has said, if it has."""

    id: str
    email: str | None
    name: str | None
