"""Explanation of a resolution: which rule chose the device's flow."""

import falcon

from common.errors import ErrorCode
from common.rules.assignment_tokens import AssignmentTokens
from common.wire.public_bodies import ResolveBody
from management_api.operations.explanations import explain_resolution
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, respond
from management_api.resources.writes import Writes, project_access
from management_api.schemas.explanations import ExplanationView


class ResolutionExplanation:
    """POST /projects/{project_id}/explain."""

    def __init__(self, writes: Writes, tokens: AssignmentTokens) -> None:
        self._writes = writes
        self._tokens = tokens

    @answers("explain_resolution", ExplanationView, errors=[ErrorCode.INVALID_PROJECT])
    def on_post(self, request: falcon.Request, response: falcon.Response, project_id: str, body: ResolveBody) -> None:
        """Explain which flow a device gets.

        The body is that of a resolve. `steps` are the rules in the order of their evaluation, up to the one that
        matched, each with its reason; `flow_id` is null when no rule matched. The explanation is of the project's
        present state, which reaches the edges a moment later. Nothing is recorded.
        """
        # All rules must be of the same snapshot of the database.
        with self._writes.begin_read(request, response, project_access(project_id)) as session:
            explanation = explain_resolution(session, caller_of(request), project_id, body, self._tokens)
            respond(response, ExplanationView.from_explanation(explanation))
