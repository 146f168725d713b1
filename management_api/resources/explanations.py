"""Why a device is given the flow that it is given."""

import falcon

from common.errors import ErrorCode
from common.rules.assignment_tokens import AssignmentTokens
from common.wire.public_bodies import ResolveBody
from management_api.operations.explanations import explain_resolution
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.resources.writes import Writes
from management_api.schemas.explanations import ExplanationView


class ResolutionExplanation:
    """POST /projects/{project_id}/explain."""

    def __init__(self, writes: Writes, assignments: AssignmentTokens) -> None:
        self._writes = writes
        self._assignments = assignments

    @answers("explain_resolution", ExplanationView, errors=[ErrorCode.INVALID_PROJECT])
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, body: ResolveBody) -> None:
        """Explain which flow a device is given.

        The body is that of a resolve. `steps` are the rules in the order in which they are asked, up to the one that
        matched, each with its reason; `flow_id` is null when none did. It speaks of the project as it is now, which
        the edges have a moment later, and records nothing.
        """
        # The rules must be of one moment.
        with self._writes.begin(request, response, consistent=True) as session:
            explanation = explain_resolution(session, caller_of(request), project_id, body, self._assignments)
            respond(response, ExplanationView.of(explanation))
