"""Members in requests and responses (contract, section 3, Shapes)."""

from operator import not_
from typing import Annotated

from pydantic import ConfigDict, Field, ValidationInfo, field_validator
from pydantic.config import JsonDict

from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User
from management_api.http.fields import REQUIRED, IdText, field_error, missing, one_of, text_between
from management_api.http.pagination import PageQuery
from management_api.http.requests import RequestModel
from management_api.http.responses import ETagModel, Timestamp

#: RFC 5321 allows no longer address.
Email = Annotated[str, text_between(1, 320)]
RoleChoice = Annotated[Role, one_of(Role), Field(examples=["editor"])]
_NAMED_BY_ID: JsonDict = {"properties": {"user_id": {"type": "string"}}, "required": ["user_id"]}
_NAMED_BY_ADDRESS: JsonDict = {"properties": {"email": {"type": "string"}}, "required": ["email"]}


class MemberListQuery(PageQuery):
    """GET /projects/{project_id}/members; a membership has one time, so `updated_at` is its `created_at`."""


class MemberAddBody(RequestModel):
    """POST /projects/{project_id}/members: exactly one of `user_id` and `email`."""

    model_config = ConfigDict(json_schema_extra={"oneOf": [_NAMED_BY_ID, _NAMED_BY_ADDRESS]})
    read_only = frozenset({"name", "from_groups"})

    # The address comes first, because the validator of the id needs it.
    email: Email | None = Field(default=None, examples=["bob@example.com"])
    user_id: IdText | None = Field(default=None, validate_default=True)
    role: Annotated[RoleChoice, REQUIRED]

    @field_validator("user_id")
    @classmethod
    def _one_of_both(cls, user_id: str | None, info: ValidationInfo) -> str | None:
        # An invalid address has an error of its own, and is absent here.
        email = info.data.get("email", "")
        if user_id is None and email is None:
            raise missing()
        if user_id is not None and email:
            raise field_error("must not be given together with email")
        return user_id


class MemberUpdateBody(RequestModel):
    """PUT /projects/{project_id}/members/{user_id}."""

    read_only = frozenset({"user_id", "email", "name", "from_groups"})

    role: Annotated[RoleChoice, REQUIRED]


class ProjectTransferBody(RequestModel):
    """POST /projects/{project_id}/transfer."""

    user_id: Annotated[IdText, REQUIRED] = Field(examples=["user_01h455vb4pex5vsknk084sn02q"])


class MemberView(ETagModel):
    """A member of a project."""

    user_id: str
    email: str | None
    name: str | None
    role: Role
    created_at: Timestamp
    from_groups: bool = Field(
        default=False,
        exclude_if=not_,
        description="True: groups of the identity provider have made the membership, and change it.",
    )

    @classmethod
    def from_member(cls, member: Member, user: User) -> "MemberView":
        """Return a member with the address and the name of the user."""
        return cls(
            user_id=user.id,
            email=user.email,
            name=user.name,
            role=member.role,
            created_at=member.created_at,
            from_groups=member.from_groups,
        )
