"""Bodies, members, path parts and queries that have broken services before."""

import json
from typing import Any

DEEP = b'{"name": ' + b"[" * 100_000 + b"]" * 100_000 + b"}"

BAD_BODIES = {
    "empty": b" ",
    "not json": b"{name: 1}",
    "half": b'{"name": "a',
    "array": b"[1]",
    "string": b'"name"',
    "number": b"1",
    "null": b"null",
    "bytes": bytes(range(256)),
    "not utf-8": b'{"name": "\xff\xfe"}',
    "utf-16": '{"name": "abc"}'.encode("utf-16"),
    "byte order mark": b'\xef\xbb\xbf{"name": "abc"}',
    "lone surrogate": b'{"name": "\\ud800abc"}',
    "nul": b'{"name": "a\\u0000bc"}',
    "nul in a name": b'{"na\\u0000me": "abc"}',
    "nan": b'{"name": NaN}',
    "infinity": b'{"name": Infinity}',
    "too great a number": b'{"name": 1e999}',
    "too long a number": b'{"name": ' + b"9" * 5000 + b"}",
    "deep": DEEP,
    "33 levels": b'{"name": ' + b"[" * 32 + b"]" * 32 + b"}",
    "many members": json.dumps({f"m{number}": number for number in range(5000)}).encode(),
    "long member": b'{"' + b"n" * 100_000 + b'": 1}',
    "trailing": b'{"name": "abc"} x',
}

JUNK_VALUES: list[Any] = [
    None, True, 0, -1, 1.5, 1e308, -1e308, 2**31, 2**63, 2**64, 10**30, "", " ", "a", "\t\n", "\x00", "\x01", "\x7f",
    "\u202e", "\ufeff", "🎈" * 300, "x" * 10_000, "'; DROP TABLE users; --", "%s %(a)s {0} ${x}", [], [None], [[]],
    [1, "a", {}], ["ios"] * 1000, {}, {"": 1}, {"a": {"b": [{}]}}, {"__proto__": 1}, [{"attribute": "country",
    "operator": "eq", "value": {}}],
]  # fmt: skip

BAD_PATH_VALUES = [
    "%00", "a%00b", "%FF", "%C3%28", "%ED%A0%80", "%", "%zz", "%F0%9F%8E%88", "..", ".", "%2e%2e%2f", "x" * 5000,
    "*", "'", "proj_", "proj_01h455vb4pex5vsknk084sn02q", "flow_8zzzzzzzzzzzzzzzzzzzzzzzzz",
    "screen_01h455vb4pex5vsknk084sn02q ", "theme_01H455VB4PEX5VSKNK084SN02Q", "-1", "0", "null", "%0d%0a", "+",
    "a;b=c",
]  # fmt: skip

BAD_QUERIES = [
    "%", "%zz", "%FF", "a=%FF", "%00=1", "a=%00", "=", "=1", "&", "&&&", "a&b", "a=1&a=2", "page=1&page=1",
    "a[]=1", "a%5B%5D=1", "&".join(f"a{number}=1" for number in range(200)), "a=" + "x" * 5000, "page=-1",
    "page=1e3", "page=%20", "limit=9999999999999", "sort=%27", "sort=-", "sort=id", "search=%ED%A0%80",
    "search=%C0%80", "search=" + "y" * 201, "projectId=", "projectId=%00", "flowId=%00", "flowId=x&flow_id=y",
    "projectId=x&project_id=y", "status=nonsense", "type=nonsense", "period=8d", "period=", "a=1;b=2", "a=\xe4",
]  # fmt: skip
