"""Erases everything that is known of one device in a project, for privacy requests (contract, section 3).

Statistics are what they would be had the device never been there, but for events that were dropped for their age: these
stay counted, as nobody's. The audit log keeps that it was done, of whom only a digest.
"""

from collections.abc import Iterator

from sqlalchemy import delete, select, text, update
from sqlalchemy.orm import Session

from common.text import has_forbidden_characters
from common.timestamps import utc_now
from common.wire.public_bodies import MAX_DEVICE_ID_LENGTH
from common.wire.stream_records import StreamRecordError, decode_record
from management_api.activity.erasing import begin_erasure, end_erasure
from management_api.database.audit_log import AuditEntry
from management_api.database.audit_trail import note_change
from management_api.database.device_digests import digest_of_device
from management_api.database.driver import driver_cursor
from management_api.database.events import DeadLetter
from management_api.database.qa_devices import QaDevice
from management_api.database.unaudited_statements import FOLLOWS_FROM_AUDITED_CHANGE
from management_api.operations.callers import Caller
from management_api.operations.preconditions import Precondition
from management_api.operations.project_access import project_to_change

#: A project's events are read for it, which may be many millions; no other request may take this long.
ERASE_TIMEOUT = text("SET LOCAL statement_timeout = '10min'")

#: A record holds its strings as they are, so that most letters of others are left out without being decoded.
_MENTIONS = text("position(:project IN body) > 0 AND position(:device IN body) > 0")


def begin_device_erasure(
    session: Session, caller: Caller, project_id: str, device_id: str, if_match: Precondition
) -> None:
    """Erase a device but for its events, and let no more of them in; one that nothing is known of is erased already.

    The transaction should end soon, as no event of the project is stored meanwhile. Raises ProjectNotFoundError,
    ForbiddenError, PreconditionFailedError.
    """
    project_to_change(session, caller, project_id)
    # A device is never shown, so it has no tag that a client could have read.
    if_match.check(lambda: None)
    if not _may_be_stored(device_id):
        return
    begin_erasure(driver_cursor(session), project_id, device_id, utc_now())
    session.execute(
        delete(QaDevice)
        .where(QaDevice.project_id == project_id, QaDevice.device_id == device_id)
        .execution_options(synchronize_session=False, **{FOLLOWS_FROM_AUDITED_CHANGE: True})
    )
    session.execute(delete(DeadLetter).where(DeadLetter.id.in_(list(_dead_letters(session, project_id, device_id)))))
    pseudonym = digest_of(project_id, device_id)
    session.execute(
        update(AuditEntry)
        .where(
            AuditEntry.project_id == project_id,
            AuditEntry.entity_type == QaDevice.audited.entity,
            AuditEntry.entity_id == device_id,
        )
        .values(entity_id=pseudonym)
    )
    note_change(session, project_id, entity="device", verb="erase", entity_id=pseudonym)


def end_device_erasure(session: Session, project_id: str, device_id: str) -> None:
    """Erase the events of a device whose erasure has begun."""
    if _may_be_stored(device_id):
        session.execute(ERASE_TIMEOUT)
        end_erasure(driver_cursor(session), project_id, digest_of_device(project_id, device_id), device_id)


def digest_of(project_id: str, device_id: str) -> str:
    """Give what stands for an erased device: whoever knows its id can tell that it was erased, and nobody else."""
    return f"sha256:{digest_of_device(project_id, device_id).hex()}"


def _may_be_stored(device_id: str) -> bool:
    """Tell whether the edge takes such an id; no other can be in a table, and some would be refused by PostgreSQL."""
    return 0 < len(device_id) <= MAX_DEVICE_ID_LENGTH and not has_forbidden_characters(device_id)


def _dead_letters(session: Session, project_id: str, device_id: str) -> Iterator[int]:
    """Find the letters of the device among those that can be read; of the others nobody can say whose they are."""
    mentions = _MENTIONS.bindparams(project=project_id.encode(), device=device_id.encode())
    for letter_id, body in session.execute(select(DeadLetter.id, DeadLetter.body).where(mentions)):
        try:
            record = decode_record(body)
        except StreamRecordError:
            continue
        if (record.project_id, record.device_id) == (project_id, device_id):
            yield letter_id
