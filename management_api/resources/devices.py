"""One device of a project."""

import falcon

from common.errors import ErrorCode, MalformedBodyError
from management_api.database.transactions import Database
from management_api.operations.device_erasure import begin_device_erasure, complete_device_erasure
from management_api.resources.declaration import answers
from management_api.resources.exchange import caller_of, if_match_of, respond


class ProjectDevice:
    """DELETE /projects/{project_id}/devices/{device_id}."""

    def __init__(self, database: Database) -> None:
        self._database = database

    @answers("erase_device", errors=[ErrorCode.INVALID_PROJECT, ErrorCode.INVALID_PARAMETER])
    def on_delete(self, request: falcon.Request, response: falcon.Response, project_id: str, device_id: str) -> None:
        """Erase a device.

        Its events, exposures, statistics and QA override go, for good. The id stands percent-encoded in the path, a
        slash in it as `%2F`. A device that nothing is known of counts as erased, so this may be repeated. What the
        device sends afterwards is new.
        """
        _check_encoding(request)
        device = device_id.strip()
        with self._database.transaction() as session:
            begin_device_erasure(session, caller_of(request), project_id, device, if_match_of(request))
        complete_device_erasure(self._database, project_id, device)
        respond(response, message="Device erased")


def _check_encoding(request: falcon.Request) -> None:
    """Refuse what is no UTF-8: Falcon puts a replacement character there, which could be the id of another device."""
    raw: str = request.env["PATH_INFO"]
    try:
        raw.encode("latin-1").decode()
    except UnicodeDecodeError:
        raise MalformedBodyError("The path must be percent-encoded UTF-8") from None
