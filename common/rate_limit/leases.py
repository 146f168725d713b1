"""Leases: admissions that a worker takes from the shared count ahead of its requests, and the script that gives them.

Redis holds one number for a key and a window: how many admissions workers have taken. A worker that has taken some
admits that many requests by a memory operation; what it does not use before the lease expires it gives back. So the
workers together never admit more than the limit while Redis answers, and refuse at most what lies unused in leases.
"""

from dataclasses import dataclass
from typing import NamedTuple

#: A lease is at most this part of the limit.
_LEASES_PER_LIMIT = 100
#: After so many seconds what is left of a lease is given back.
LEASE_SECONDS = 10.0
#: The key outlives its window by so many seconds, for workers whose clock is behind.
_KEPT_SECONDS = 60

#: KEYS[1] is a key's count in one window. ARGV: the limit; the admissions to settle (made without a lease, less
#: those given back); the least that is wanted (so many requests wait); the most that is wanted; the Unix second of the
#: window's end. Gives the admissions leased, and those left for others. Near the limit leases shrink, so that few
#: admissions lie unused in one worker while another refuses. One key a call, and nothing newer than Redis 6.2.
LEASE_SCRIPT = f"""
local limit = tonumber(ARGV[1])
local taken = math.max(0, tonumber(redis.call('GET', KEYS[1]) or '0') + tonumber(ARGV[2]))
local left = math.max(0, limit - taken)
local wanted = math.max(tonumber(ARGV[3]), math.min(tonumber(ARGV[4]), math.floor(left / 20)))
local granted = math.min(left, wanted)
redis.call('SET', KEYS[1], taken + granted, 'EXAT', tonumber(ARGV[5]) + {_KEPT_SECONDS})
return {{granted, left - granted}}
"""


class LeaseGrant(NamedTuple):
    """What the script gives."""

    granted: int
    left: int


@dataclass(slots=True)
class LocalQuota:
    """What one worker knows of one key in one window.

    `leased` admissions are its own to use. Beyond them `unleased` are left, as Redis last said; those it uses `alone`,
    while Redis does not answer, Redis is told of later.
    """

    key: str
    limit: int
    window: int
    resets_at: int
    unleased: int
    leased: int = 0
    alone: int = 0
    expires_at: float = 0.0
    #: When Redis said that nothing was left, it is not asked again before this moment.
    refuses_until: float = 0.0
    #: Whether it waits in the line of those that have something to settle.
    is_lined_up: bool = False


@dataclass(frozen=True, slots=True)
class LeaseRequest:
    """One call of the script, about one allowance."""

    allowance: LocalQuota
    key: str
    arguments: tuple[int, int, int, int, int]
    #: Of the admissions to settle, those that were made alone: told again if it is not known that they arrived.
    alone: int


def lease_size(limit: int) -> int:
    """Give how many admissions a worker takes at once, far from the limit."""
    return max(1, limit // _LEASES_PER_LIMIT)
