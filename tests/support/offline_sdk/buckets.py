"""Buckets, implemented from docs/bucketing.md with a MurmurHash3 of its own; imports nothing of the service."""

_MASK = 0xFFFFFFFF


def murmur3(data: bytes) -> int:
    """Return MurmurHash3 x86 32-bit with seed 0, as in its author's reference code."""
    state = 0
    body = len(data) - len(data) % 4
    for start in range(0, body, 4):
        state ^= _scramble(int.from_bytes(data[start : start + 4], "little"))
        state = (state << 13 | state >> 19) & _MASK
        state = (state * 5 + 0xE6546B64) & _MASK
    if body < len(data):
        state ^= _scramble(int.from_bytes(data[body:], "little"))
    state ^= len(data)
    state = (state ^ state >> 16) * 0x85EBCA6B & _MASK
    state = (state ^ state >> 13) * 0xC2B2AE35 & _MASK
    return state ^ state >> 16


def bucket(salt: str, device_id: str) -> int:
    """Return the bucket of a device, 0 to 9999."""
    return (murmur3(f"{salt}:{device_id}".encode()) * 10_000) >> 32


def is_inside(salt: str, percentage: float, device_id: str) -> bool:
    """Return whether the device is inside the first `percentage` per cent of the buckets."""
    return bucket(salt, device_id) < round(percentage * 100)


def _scramble(block: int) -> int:
    block = block * 0xCC9E2D51 & _MASK
    block = (block << 15 | block >> 17) & _MASK
    return block * 0x1B873593 & _MASK
