"""The store of media files: whether an object can be written, read and deleted."""

from collections.abc import Iterator

from cli.doctor.installation import Installation
from cli.doctor.result import Result
from common.errors import SettingsError
from common.media_store import MediaStore, MediaStoreError


def check_media_store(installation: Installation) -> Iterator[Result]:
    """Write, read and delete a small object."""
    url = installation.settings.media_store
    if url is None:
        yield Result.ok("No store of media files is set here; without one, files cannot be uploaded.")
        return
    try:
        MediaStore(url).probe()
    except (MediaStoreError, SettingsError) as error:
        yield Result.error(
            f"The store of media files cannot be used: {error}.",
            "Check ONBOARDING_MEDIA_STORE, its credentials, and the rights of the folder or the bucket.",
        )
    else:
        yield Result.ok("The store of media files can be written, read and deleted from.")
