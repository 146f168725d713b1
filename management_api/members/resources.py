"""The members of a project: all, and one by the user's id."""

from dataclasses import replace

import falcon

from common.errors import ErrorCode
from management_api.auth.access import check_may_read
from management_api.auth.entity_tags import tag_of
from management_api.db.engine import ColumnReader, Database
from management_api.db.models.projects import Member, Role
from management_api.db.models.users import User
from management_api.http.idempotency import CheckAccess, IdempotentWrites, project_access
from management_api.http.requests import caller_of, if_match_of
from management_api.http.responses import Pagination, respond
from management_api.http.routing import endpoint
from management_api.members.operations import (
    add_member,
    change_role,
    list_members,
    read_member,
    remove_member,
    transfer_project,
)
from management_api.members.schemas import (
    MemberAddBody,
    MemberListQuery,
    MemberUpdateBody,
    MemberView,
    ProjectTransferBody,
)
from management_api.projects.quotas import Quotas


class MemberCollection:
    """GET and POST /projects/{project_id}/members."""

    def __init__(self, quotas: Quotas, writes: IdempotentWrites) -> None:
        self._quotas = quotas
        self._writes = writes

    @endpoint("list_members", list[MemberView], errors=[ErrorCode.INVALID_PROJECT])
    def on_get(
        self,
        request: falcon.Request,
        response: falcon.Response,
        reader: ColumnReader,
        project_id: str,
        query: MemberListQuery,
    ) -> None:
        """List the members of a project."""
        page = query.page_request()
        listed = list_members(reader, caller_of(request), project_id, page)
        members = [MemberView.model_validate(member) for member in listed.items]
        respond(response, members, pagination=Pagination.for_page(page, listed.total))

    @endpoint(
        "add_member",
        MemberView,
        status=201,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT],
    )
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, body: MemberAddBody) -> None:
        """Add a member.

        Only a user who has signed in to this service can be added: 404 otherwise. Exactly one of `user_id` and `email`
        names the user; an address that several users have is a 409, and so is a user who is a member already. Only an
        owner can add an owner.
        """
        with self._writes.idempotent_transaction(request, response, project_access(project_id)) as session:
            member = add_member(session, caller_of(request), project_id, body, self._quotas)
            user = session.get_one(User, member.user_id)
            respond(response, MemberView.from_member(member, user), tag=tag_of(Member, member))


class MemberItem:
    """GET, PUT and DELETE /projects/{project_id}/members/{user_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @endpoint("get_member", MemberView, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str, user_id: str) -> None:
        """Read a member; `me` in place of the user's id is the caller."""
        with self._database.reading() as session:
            member = read_member(session, caller_of(request), project_id, user_id)
            user = session.get_one(User, member.user_id)
            respond(response, MemberView.from_member(member, user), tag=tag_of(Member, member))

    @endpoint(
        "update_member",
        MemberView,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT],
    )
    def on_put(
        self, request: falcon.Request, response: falcon.Response, project_id: str, user_id: str, body: MemberUpdateBody
    ) -> None:
        """Update the role of a member.

        Only an owner can give the role of an owner or take it away. The last owner keeps it: 409.
        """
        with self._database.transaction() as session:
            member = change_role(session, caller_of(request), project_id, user_id, body.role, if_match_of(request))
            user = session.get_one(User, member.user_id)
            respond(response, MemberView.from_member(member, user), tag=tag_of(Member, member))

    @endpoint("remove_member", errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT])
    def on_delete(self, request: falcon.Request, response: falcon.Response, project_id: str, user_id: str) -> None:
        """Remove a member, or leave.

        Every member can leave, with any role, but the last owner: 409. Only an owner can remove an owner.
        """
        with self._database.transaction() as session:
            remove_member(session, caller_of(request), project_id, user_id, if_match_of(request))
        respond(response, message="Member removed")


class ProjectTransfer:
    """POST /projects/{project_id}/transfer."""

    def __init__(self, writes: IdempotentWrites) -> None:
        self._writes = writes

    @endpoint(
        "transfer_project",
        MemberView,
        errors=[ErrorCode.INVALID_PROJECT, ErrorCode.NOT_FOUND, ErrorCode.CONFLICT],
    )
    def on_post(
        self, request: falcon.Request, response: falcon.Response, project_id: str, body: ProjectTransferBody
    ) -> None:
        """Transfer a project to one of its admins.

        The admin becomes an owner, and the caller an admin. Another member is a 409.
        """
        with self._writes.idempotent_transaction(request, response, _replay_of_transfer(project_id)) as session:
            member = transfer_project(session, caller_of(request), project_id, body.user_id)
            user = session.get_one(User, member.user_id)
            respond(response, MemberView.from_member(member, user), tag=tag_of(Member, member))


def _replay_of_transfer(project_id: str) -> CheckAccess:
    """Return the check for a transfer that is sent again: the caller is an admin by then, who may see members."""
    return lambda session, caller: check_may_read(session, replace(caller, required_role=Role.ADMIN), project_id)
