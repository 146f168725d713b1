"""An answer that is no envelope: the documentation's own paths."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True, eq=False)
class RawContent:
    """A declared media type, and the JSON Schema of what is in it."""

    media_type: str
    schema: Mapping[str, Any]
