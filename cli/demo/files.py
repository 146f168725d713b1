"""Files of mode 0600, written so that a reader finds none or all of one."""

import os
import tempfile
from pathlib import Path


def create_if_missing(file: Path, content: bytes) -> None:
    """Create a file unless it exists. Of several callers one wins; an interruption leaves no file."""
    if file.exists():
        return
    draft = _draft(file, content)
    try:
        os.link(draft, file)
    except FileExistsError:
        return
    finally:
        draft.unlink()


def replace_file(file: Path, content: bytes) -> None:
    """Write a file atomically."""
    draft = _draft(file, content)
    try:
        draft.replace(file)
    except BaseException:
        draft.unlink(missing_ok=True)
        raise


def _draft(file: Path, content: bytes) -> Path:
    descriptor, name = tempfile.mkstemp(prefix=f".{file.name}.", dir=file.parent)
    try:
        with os.fdopen(descriptor, "wb") as draft:
            draft.write(content)
            draft.flush()
            os.fsync(draft.fileno())
    except BaseException:
        Path(name).unlink(missing_ok=True)
        raise
    return Path(name)
