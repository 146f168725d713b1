"""POST /api/onboarding/resolve: the flow for a device (contract, section 4)."""

import time
from collections.abc import Callable

from common.errors import FlowNotFoundError
from common.resolution import Device, Source
from common.stream_records import ExposureRecord
from edge_api.answers.answer import Answer, json_answer
from edge_api.answers.body_limits import SINGLE_BODY_BYTES
from edge_api.answers.credentials import Access
from edge_api.answers.flow_selection import SelectedFlow, select_flow
from edge_api.answers.request_head import RequestHead
from edge_api.answers.resolve_body import read_resolve_body

#: Takes note of an exposure and returns at once, whatever becomes of it.
OfferExposure = Callable[[ExposureRecord], None]


class ResolveEndpoint:
    """Picks the flow and sends the publisher's finished bytes; `offer_exposure` is None when none are recorded."""

    methods = ("POST",)
    body_limit = SINGLE_BODY_BYTES

    def __init__(self, offer_exposure: OfferExposure | None) -> None:
        self._offer_exposure = offer_exposure

    def answer(self, access: Access, _head: RequestHead, body: bytes) -> Answer:
        """Resolve the device of the body. Raises FlowNotFoundError when no rule gives it a flow."""
        device = Device.of(read_resolve_body(body))
        selected = select_flow(access.resident, device)
        if selected is None:
            raise FlowNotFoundError.nothing_to_resolve()
        if self._offer_exposure is not None and _is_recorded(access, selected):
            self._offer_exposure(_exposure(access, device, selected))
        return json_answer(200, selected.body)


def _is_recorded(access: Access, selected: SelectedFlow) -> bool:
    """Tell whether a resolution counts: a tester's device that an override serves is nobody's user."""
    return access.resident.snapshot.analytics_enabled and selected.source is not Source.OVERRIDE


def _exposure(access: Access, device: Device, selected: SelectedFlow) -> ExposureRecord:
    return ExposureRecord(
        project_id=access.resident.snapshot.project_id,
        device_id=device.device_id,
        flow_id=selected.flow_id,
        exposed_at_ms=int(time.time() * 1000),
        platform=device.platform,
        secret_key_id=access.key_id,
    )
