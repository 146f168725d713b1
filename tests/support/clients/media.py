"""Uploads of media files to a management service of the same process."""

from typing import Any

from falcon.testing import Result

from tests.support.clients.management import User, data_of
from tests.support.media_files import picture


def upload_media(
    user: User,
    project_id: str,
    content: bytes,
    content_type: str = "image/png",
    **options: Any,  # noqa: ANN401 - passed to Falcon
) -> Result:
    """Upload a file, and return the response."""
    params = {"projectId": project_id, "name": "Logo", **options.pop("params", {})}
    headers = {"Content-Type": content_type, **options.pop("headers", {})}
    return user.request("POST", "/api/media", params=params, headers=headers, body=content, **options)


def upload_image(user: User, project_id: str, **params: str) -> dict[str, Any]:
    """Upload a picture, and return its media."""
    media: dict[str, Any] = data_of(upload_media(user, project_id, picture("PNG"), params=params), 201)
    return media
