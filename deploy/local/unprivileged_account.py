"""Which account PostgreSQL runs under when the launcher is root, which PostgreSQL refuses to be."""

import os
import pwd
from dataclasses import dataclass
from pathlib import Path

from deploy.local.errors import StackError

#: Accounts that a system has by itself, best first. Adding one is the administrator's business, not ours.
_CANDIDATES = ("postgres", "nobody")


@dataclass(frozen=True, slots=True)
class Account:
    """An account with a passwd entry, which initdb insists on."""

    user: int
    group: int


def account_for(data_folder: Path) -> Account | None:
    """Choose the account for a data folder: its owner if it has one already; None when we are not root ourselves."""
    if os.geteuid() != 0:
        return None
    if data_folder.exists():
        owner = data_folder.stat()
        if owner.st_uid != 0:
            return Account(owner.st_uid, owner.st_gid)
    for name in _CANDIDATES:
        try:
            entry = pwd.getpwnam(name)
        except KeyError:
            continue
        return Account(entry.pw_uid, entry.pw_gid)
    raise StackError(
        f"PostgreSQL does not run as root, and the system has none of the accounts {', '.join(_CANDIDATES)}"
    )
