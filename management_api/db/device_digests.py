"""Digests of erased devices: only the id of a device leads to its digest."""

import hashlib


def digest_of_device(project_id: str, device_id: str) -> bytes:
    """Return the digest of a device of a project."""
    return hashlib.sha256(f"{project_id}:{device_id}".encode()).digest()
