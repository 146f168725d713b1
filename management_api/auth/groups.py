"""Roles by the groups of the identity provider, applied at each sign-in (decision 151).

A membership that groups have made follows them: its role changes with them, and it goes with the last group. A
membership that a person has made or changed is that person's: groups leave it alone. Groups make no owners.
"""

from collections.abc import Collection, Mapping
from dataclasses import dataclass

import structlog
from sqlalchemy import func, select
from sqlalchemy.orm import Session

from common.settings.group_roles import parse_group_roles
from management_api.db.audit import PROVIDER, set_audit_actor
from management_api.db.models.deleted_projects import DeletedProject
from management_api.db.models.projects import Member, Project, Role
from management_api.settings import ManagementSettings

log = structlog.stdlib.get_logger(__name__)


@dataclass(frozen=True, slots=True)
class GroupRoles:
    """The role that each group gives in each project."""

    roles: Mapping[str, Mapping[str, Role]]
    max_members: int

    @classmethod
    def from_settings(cls, settings: ManagementSettings) -> "GroupRoles | None":
        """Return the roles of the settings; None: groups are not read."""
        if settings.identity_groups_claim is None:
            return None
        roles = {
            group: {project_id: Role(role) for project_id, role in projects.items()}
            for group, projects in parse_group_roles(settings.identity_group_roles or "{}").items()
        }
        return cls(roles, settings.max_members_per_project)

    def of_groups(self, groups: Collection[str]) -> dict[str, Role]:
        """Return the highest role that the groups give in each project."""
        found: dict[str, Role] = {}
        for group in groups:
            for project_id, role in self.roles.get(group, {}).items():
                if project_id not in found or role.includes(found[project_id]):
                    found[project_id] = role
        return found

    def apply(self, session: Session, user_id: str, groups: Collection[str]) -> None:
        """Make, change and remove the memberships of a user that follow from the groups."""
        wanted = self.of_groups(groups)
        affected = _differing(session, user_id, wanted)
        if not affected:
            return
        projects = session.scalars(
            select(Project.id)
            .where(Project.id.in_(affected), Project.id.not_in(select(DeletedProject.project_id)))
            .order_by(Project.id)
            .with_for_update(key_share=True)
        ).all()
        set_audit_actor(session, PROVIDER)
        # The members are read again behind the locks, because other transactions cannot change them there.
        for project_id in _differing(session, user_id, wanted).intersection(projects):
            self._apply_in_project(session, user_id, project_id, wanted.get(project_id))
        session.flush()

    def _apply_in_project(self, session: Session, user_id: str, project_id: str, role: Role | None) -> None:
        member = session.get(Member, (project_id, user_id), populate_existing=True)
        if role is None:
            session.delete(member)
        elif member is not None:
            member.role = role.value
        elif self._is_full(session, project_id):
            log.warning("group_member_not_added", project=project_id, user=user_id, reason="too many members")
        else:
            session.add(Member(project_id=project_id, user_id=user_id, role=role.value, from_groups=True))

    def _is_full(self, session: Session, project_id: str) -> bool:
        members = session.scalar(select(func.count()).where(Member.project_id == project_id))
        return (members or 0) >= self.max_members


def roles_to_json(roles: Mapping[str, Role]) -> dict[str, str]:
    """Return roles as they are stored with the user."""
    return {project_id: role.value for project_id, role in roles.items()}


def _differing(session: Session, user_id: str, wanted: Mapping[str, Role]) -> set[str]:
    """Return the projects whose membership differs from the groups. A membership that a person made never differs."""
    members = {
        member.project_id: member
        for member in session.execute(
            select(Member.project_id, Member.role, Member.from_groups).where(Member.user_id == user_id)
        )
    }
    missing = {project_id for project_id in wanted if project_id not in members}
    of_groups = {project_id: member.role for project_id, member in members.items() if member.from_groups}
    return missing | {project_id for project_id, role in of_groups.items() if wanted.get(project_id) != role}
