"""The screens of a flow as a whole: their order (contract, section 3)."""

from collections.abc import Sequence

from sqlalchemy.orm import Session

from management_api.operations.callers import Caller
from management_api.operations.preconditions import Precondition
from management_api.operations.project_parts import FLOW, part_to_change
from management_api.operations.screen_orders import arrange
from management_api.operations.whole_flows import WholeFlow, whole_flow


def order_screens(
    session: Session, caller: Caller, flow_id: str, screen_ids: Sequence[str], if_match: Precondition
) -> WholeFlow:
    """Put a flow's screens in the order of the ids, and give the flow.

    Raises FlowNotFoundError, ForbiddenError, PreconditionFailedError, InvalidRequestError.
    """
    part_to_change(session, caller, FLOW, flow_id, if_match=if_match)
    arrange(session, flow_id, screen_ids)
    return whole_flow(session, flow_id)
