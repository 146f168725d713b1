"""Where an installed package lies, found without importing it: the wheels of the servers run code at import."""

import importlib.util
from pathlib import Path

from deploy.local.errors import StackError


def package_folder(name: str) -> Path:
    """Give the folder of a package. Raises StackError when it is not installed."""
    found = importlib.util.find_spec(name)
    if found is None or found.origin is None:
        raise StackError(f"the package {name} is not installed; the servers of the local stack are the extra `local`")
    return Path(found.origin).parent
