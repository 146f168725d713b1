"""Arrays of UUIDs as parameters, from their bytes: objects or texts of thousands cost more than to look them up."""

import struct
from collections.abc import Sequence
from typing import Any

import psycopg
from psycopg.adapt import Dumper
from psycopg.pq import Format

_UUID, _UUID_ARRAY = 2950, 2951
#: Dimensions, no NULLs, the type of the elements; then the length and the first subscript of the only dimension.
_head = struct.Struct(">iiIii").pack
_LENGTH = struct.pack(">i", 16)


class UuidArray:
    """UUIDs, of 16 bytes each."""

    __slots__ = ("uuids",)

    def __init__(self, uuids: Sequence[bytes]) -> None:
        self.uuids = uuids


class _UuidArrayDumper(Dumper):
    """Writes PostgreSQL's binary form of an array."""

    format = Format.BINARY
    oid = _UUID_ARRAY

    def dump(self, obj: UuidArray) -> bytes:
        uuids = obj.uuids
        return b"".join((_head(1, 0, _UUID, len(uuids), 1), _LENGTH if uuids else b"", _LENGTH.join(uuids)))


def let_take_uuid_arrays(cursor: psycopg.Cursor[Any]) -> None:
    """Have a cursor take a `UuidArray` where a parameter is `%b`."""
    cursor.adapters.register_dumper(UuidArray, _UuidArrayDumper)
