"""QA devices of a project: the map from a device to the flow that it always gets (contract, section 3)."""

import hashlib
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet

from sqlalchemy import select
from sqlalchemy.orm import Session

from common.errors import FlowNotFoundError
from management_api.auth.access import Caller, check_may_read, project_for_update
from management_api.auth.entity_tags import Precondition
from management_api.db.models.flows import Flow
from management_api.db.models.projects import QaDevice
from management_api.projects.schemas import QaDevicesView, QaFlow


def read_qa_devices(session: Session, caller: Caller, project_id: str) -> QaDevicesView:
    """Return the QA devices of a project. Raises ProjectNotFoundError, ForbiddenError."""
    check_may_read(session, caller, project_id)
    return _view(project_id, _rows(session, project_id))


def replace_qa_devices(
    session: Session, caller: Caller, project_id: str, devices: Mapping[str, QaFlow], if_match: Precondition
) -> QaDevicesView:
    """Replace the QA devices of a project: by device id, the flow and whether the device gets its draft.

    Raises ProjectNotFoundError, ForbiddenError, PreconditionFailedError, FlowNotFoundError.
    """
    project_for_update(session, caller, project_id)
    former = _rows(session, project_id)
    if_match.check(lambda: qa_devices_tag(_view(project_id, former)))
    _check_flows(session, project_id, {flow.flow_id for flow in devices.values()})
    for row in former:
        if row.device_id in devices:
            row.flow_id, row.draft = devices[row.device_id]
        else:
            session.delete(row)
    added = devices.keys() - {row.device_id for row in former}
    for device_id in sorted(added):
        flow_id, draft = devices[device_id]
        session.add(QaDevice(project_id=project_id, device_id=device_id, flow_id=flow_id, draft=draft))
    session.flush()
    return _view(project_id, _rows(session, project_id))


def qa_devices_tag(view: QaDevicesView) -> str:
    """Return the entity tag of the QA devices of a project."""
    return hashlib.sha256(view.model_dump_json().encode()).hexdigest()


def _rows(session: Session, project_id: str) -> Sequence[QaDevice]:
    statement = select(QaDevice).where(QaDevice.project_id == project_id).order_by(QaDevice.device_id)
    return session.scalars(statement).all()


def _view(project_id: str, rows: Sequence[QaDevice]) -> QaDevicesView:
    devices = {
        row.device_id: row.flow_id if row.draft is None else {"flow_id": row.flow_id, "draft": row.draft}
        for row in rows
    }
    return QaDevicesView.model_validate({"project_id": project_id, "devices": devices})


def _check_flows(session: Session, project_id: str, flow_ids: AbstractSet[str]) -> None:
    flows = set(session.scalars(select(Flow.id).where(Flow.project_id == project_id, Flow.id.in_(flow_ids))))
    if flows != flow_ids:
        raise FlowNotFoundError
