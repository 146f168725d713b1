"""POST /api/onboarding/resolve: the flow for a device (contract, section 4)."""

import time
from collections.abc import Callable

from common.errors import FlowNotFoundError
from common.rules.assignment_tokens import AssignmentTokens
from common.rules.resolution import Source, choose
from common.wire.stream_records import ExposureRecord
from edge_api.answers.answer import Answer, json_answer
from edge_api.answers.body_limits import SINGLE_BODY_BYTES
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.request_head import RequestHeaders
from edge_api.answers.resolve_body import read_resolve_body

#: Takes note of an exposure, at a revision of its project, and returns at once, whatever becomes of it.
OfferExposure = Callable[[ExposureRecord, int], None]


class ResolveEndpoint:
    """Picks the flow and sends the publisher's finished bytes; `offer_exposure` is None when none are recorded."""

    methods = ("POST",)
    body_limit = SINGLE_BODY_BYTES

    def __init__(self, offer_exposure: OfferExposure | None, tokens: AssignmentTokens) -> None:
        self._offer_exposure = offer_exposure
        self._tokens = tokens

    def answer(self, access: AuthenticatedProject, _head: RequestHeaders, body: bytes) -> Answer:
        """Resolve the device of the body. Raises FlowNotFoundError when no rule gives it a flow."""
        read = read_resolve_body(body)
        resident = access.resident
        snapshot = resident.snapshot
        token = read.assignment_token
        kept = None if token is None else self._tokens.read(snapshot.project_id, read.device_id, token)
        choice = choose(resident.rules, read, kept)
        if choice is None:
            raise FlowNotFoundError.nothing_to_resolve()
        offer, assignment = self._offer_exposure, choice.assignment
        # A tester's device that an override serves is nobody's user.
        if offer is not None and snapshot.analytics_enabled and choice.source is not _OVERRIDE:
            # In the order of the record's fields: to name them costs as much as all the rest.
            exposure = ExposureRecord(
                snapshot.project_id,
                read.device_id,
                choice.flow_id,
                int(time.time() * 1000),
                None if assignment is None else assignment.experiment_id,
                None if assignment is None else assignment.variant,
                read.platform,
                access.key_id,
            )
            offer(exposure, snapshot.revision)
        if assignment is None:
            return resident.responses[choice]
        head, tail = resident.variant_responses[choice]
        # Made anew also for a device that has one, so that a new signing key takes over by itself.
        issued = self._tokens.issue(snapshot.project_id, read.device_id, assignment)
        return json_answer(200, b"".join((head, issued, tail)))


# To look a member of an enumeration up costs as much as to call a small function.
_OVERRIDE = Source.OVERRIDE
