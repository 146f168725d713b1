"""From a raw query string to its parameters, refusing what a lenient parser would quietly replace."""

import re
from collections import Counter
from urllib.parse import parse_qsl

from common.errors import Detail, InvalidRequestError, MalformedBodyError

MAX_PARAMETERS = 50
BROKEN_ESCAPE = re.compile(r"%(?![0-9A-Fa-f]{2})")


def query_parameters(query_string: str) -> dict[str, str]:
    """Give the parameters, each of which may come once. Raises MalformedBodyError or InvalidRequestError."""
    malformed = MalformedBodyError("The query string must be percent-encoded UTF-8")
    if not query_string.isascii() or BROKEN_ESCAPE.search(query_string):
        raise malformed
    try:
        pairs = parse_qsl(query_string, keep_blank_values=True, errors="strict", max_num_fields=MAX_PARAMETERS)
    except UnicodeDecodeError:
        raise malformed from None
    except ValueError:
        raise MalformedBodyError(f"The query string may have at most {MAX_PARAMETERS} parameters") from None
    repeated = [name for name, count in Counter(name for name, _ in pairs).items() if count > 1]
    if repeated:
        raise InvalidRequestError([Detail.invalid(name, "must be given once") for name in repeated])
    return dict(pairs)
