"""The QA devices of a project."""

import falcon

from common.errors import ErrorCode
from management_api.database.transactions import Database
from management_api.operations.qa_devices import read_qa_devices, replace_qa_devices
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, if_match_of, respond
from management_api.schemas.qa_devices import QaDevicesBody, QaDevicesView


class ProjectQaDevices:
    """GET and PUT /projects/{project_id}/qa-devices."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("get_qa_devices", QaDevicesView, errors=[ErrorCode.INVALID_PROJECT])
    def on_get(self, request: falcon.Request, response: falcon.Response, project_id: str) -> None:
        """Read the QA devices of a project, each with the flow that it is always given."""
        with self._database.reading() as session:
            shown = read_qa_devices(session, caller_of(request), project_id)
        respond(response, QaDevicesView.model_validate(shown), tag=shown.tag)

    @answers("replace_qa_devices", QaDevicesView, errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_FLOW])
    def on_put(self, request: falcon.Request, response: falcon.Response, project_id: str, body: QaDevicesBody) -> None:
        """Replace the QA devices of a project.

        `devices` is the whole map, at most 100. A device in it is given its flow before every other rule is asked,
        whatever the flow's status, and its resolutions are recorded nowhere. A flow that is deleted takes its devices
        out of the map.
        """
        with self._database.transaction() as session:
            shown = replace_qa_devices(session, caller_of(request), project_id, body.devices, if_match_of(request))
            respond(response, QaDevicesView.model_validate(shown), tag=shown.tag)
