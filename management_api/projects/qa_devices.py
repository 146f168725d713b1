"""QA devices of a project: the map from a device to the flow that it is always given (contract, section 3)."""

import hashlib
from collections.abc import Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from typing import Any

import orjson
from sqlalchemy import bindparam, select
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from management_api.auth.access import Caller, check_may_read, project_to_change
from management_api.db.audited_rows import add_rows, change_row, remove_row
from management_api.db.models.flows import Flow
from management_api.db.models.projects import QaDevice
from management_api.db.prepared import Prepared
from management_api.http.etags import Precondition

_OF_PROJECT: Prepared[*tuple[Any, ...]] = Prepared(
    select(QaDevice.project_id, QaDevice.device_id, QaDevice.flow_id)
    .where(QaDevice.project_id == bindparam("project_id"))
    .order_by(QaDevice.device_id)
)


@dataclass(frozen=True, slots=True)
class QaDevices:
    """The whole map of a project: flow ids by device ids, in the order of the latter."""

    project_id: str
    devices: Mapping[str, str]

    @property
    def tag(self) -> str:
        """Its entity tag."""
        return hashlib.sha256(orjson.dumps([self.project_id, *self.devices.items()])).hexdigest()


def read_qa_devices(session: Session, caller: Caller, project_id: str) -> QaDevices:
    """Give the project's QA devices. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    return _present(session, project_id)


def replace_qa_devices(
    session: Session, caller: Caller, project_id: str, devices: Mapping[str, str], if_match: Precondition
) -> QaDevices:
    """Put another map in the place of the present one.

    Raises ProjectNotFoundError, ForbiddenError, PreconditionFailedError, FlowNotFoundError.
    """
    project_to_change(session, caller, project_id)
    if_match.check(lambda: _present(session, project_id).tag)
    _check_flows(session, project_id, set(devices.values()))
    present = {row.device_id: row for row in _OF_PROJECT.rows(session, {"project_id": project_id})}
    for device_id, row in present.items():
        if device_id in devices:
            change_row(session, QaDevice, row, {"flow_id": devices[device_id]})
        else:
            remove_row(session, QaDevice, row)
    new = [
        {"project_id": project_id, "device_id": device_id, "flow_id": flow_id}
        for device_id, flow_id in devices.items()
        if device_id not in present
    ]
    add_rows(session, QaDevice, new)
    return _present(session, project_id)


def _present(session: Session, project_id: str) -> QaDevices:
    rows = _OF_PROJECT.rows(session, {"project_id": project_id})
    return QaDevices(project_id, {row.device_id: row.flow_id for row in rows})


def _check_flows(session: Session, project_id: str, flow_ids: AbstractSet[str]) -> None:
    flows = set(session.scalars(select(Flow.id).where(Flow.project_id == project_id, Flow.id.in_(flow_ids))))
    if flows != flow_ids:
        raise FlowNotFoundError
