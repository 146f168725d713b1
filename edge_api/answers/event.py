"""POST /api/analytics/event: one analytics event (contract, section 4)."""

import time

import orjson

from common.json_body import parse_object
from edge_api.answers.answer import DurableResponse, Outcome, json_answer
from edge_api.answers.body_limits import SINGLE_BODY_BYTES
from edge_api.answers.credentials import AuthenticatedProject
from edge_api.answers.event_record import event_record
from edge_api.answers.request_head import RequestHeaders


class EventEndpoint:
    """Takes one event; 201 is a promise that it is durable."""

    methods = ("POST",)
    body_limit = SINGLE_BODY_BYTES

    def answer(self, access: AuthenticatedProject, _head: RequestHeaders, body: bytes) -> Outcome:
        """Check the event and say what is to be stored before the answer may go."""
        record = event_record(parse_object(body), access, int(time.time() * 1000))
        # Joined by ourselves: orjson leaves kilobytes of room behind what it gives, and many answers wait at once.
        document = b'{"success":true,"eventId":%b' % orjson.dumps(record.event_id)
        if not access.resident.snapshot.analytics_enabled:
            return json_answer(200, document + b',"recorded":false}')
        return DurableResponse((record,), json_answer(201, document + b"}"))
