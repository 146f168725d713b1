"""The limit of open files of processes that are started like this one."""

from collections.abc import Iterator

from cli.doctor.finding import Finding, warning, well
from cli.doctor.installation import Installation
from common.process import open_files_limit
from edge_api.settings import EdgeSettings

#: Of an edge worker besides its connections to clients: snapshots, spool, Redis.
_OTHER_FILES = 500


def check_open_files(_installation: Installation) -> Iterator[Finding]:
    """Compare the limit with the default number of connections of an edge worker; management needs a tenth."""
    needed = EdgeSettings.model_fields["edge_connections"].default + _OTHER_FILES
    limit = open_files_limit()
    if limit >= needed:
        yield well(f"Processes that are started like this one may open {limit} files.")
        return
    yield warning(
        f"Processes that are started like this one may open only {limit} files; a full edge worker needs {needed}.",
        "Raise the hard limit: `ulimits` in compose, LimitNOFILE in systemd, the container runtime in Kubernetes.",
    )
