"""An answer that is no envelope: the documentation's own paths."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any


@dataclass(frozen=True, eq=False)
class RawContent:
    """The media types that there may be, and the JSON Schema of what is in them."""

    media_types: tuple[str, ...]
    schema: Mapping[str, Any] = field(default_factory=dict)
