"""Erases the data of one device in a project, for privacy requests (contract, section 3).

A request records the erasure; maintenance removes the stored data in seconds, of a large project in minutes. Statistics
become the same as if the device had never been there, except that events which were dropped for their age stay counted,
without a device. The audit log records the erasure with a digest of the device id.
"""

from sqlalchemy import delete, func, select
from sqlalchemy.orm import Session

from common.text import has_forbidden_characters
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH
from management_api.auth.access import Caller, check_may_read, project_for_update
from management_api.auth.entity_tags import Precondition
from management_api.db.audit import record_change
from management_api.db.models.outbox import request_publication
from management_api.db.models.projects import QaDevice
from management_api.db.project_locks import own_project
from management_api.db.psycopg_connection import driver_cursor
from management_api.rollups.erasure import begin_erasure, pseudonym_of


def begin_device_erasure(
    session: Session, caller: Caller, project_id: str, device_id: str, if_match: Precondition
) -> None:
    """Record the erasure of a device, so that its earlier events are dropped. An unknown device counts as erased.

    The transaction must be short, because edits and events of the project wait for it. Raises ProjectNotFoundError,
    ForbiddenError, PreconditionFailedError.
    """
    check_may_read(session, caller, project_id)
    # Before the row, which an edit locks.
    own_project(driver_cursor(session), project_id)
    project_for_update(session, caller, project_id)
    # No response shows a device, so it has no tag that a client could have read: only `*` matches.
    if_match.check(lambda: "")
    erase_device(session, project_id, device_id)


def erase_device(session: Session, project_id: str, device_id: str) -> None:
    """Record the erasure of a device. The session owns the project, and has the actor of the audit log."""
    if not may_be_stored(device_id):
        return
    begin_erasure(driver_cursor(session), project_id, device_id, session.scalars(select(func.clock_timestamp())).one())
    was_qa_device = session.execute(
        delete(QaDevice)
        .where(QaDevice.project_id == project_id, QaDevice.device_id == device_id)
        .returning(QaDevice.device_id)
        .execution_options(synchronize_session=False)
    ).one_or_none()
    if was_qa_device:
        request_publication(session, project_id)
    record_change(session, project_id, entity="device", verb="erase", entity_id=pseudonym_of(project_id, device_id))


def may_be_stored(device_id: str) -> bool:
    """Return whether the edge accepts the id. No other is in a table, and PostgreSQL would reject some of them."""
    return 0 < len(device_id) <= MAX_DEVICE_ID_LENGTH and not has_forbidden_characters(device_id)
