"""docs/reference/settings.md and .env.example: written by `make settings`, held to the code by a test."""

import sys
from pathlib import Path

from deploy.configuration.example_environment import example_environment
from deploy.configuration.settings_page import settings_page


def demanded_files() -> dict[str, str]:
    """Give each file that the code demands, by its path in the project; the same code gives the same text."""
    return {"docs/reference/settings.md": settings_page(), ".env.example": example_environment()}


def main() -> None:
    """Write them into the project whose folder is named."""
    for path, content in demanded_files().items():
        Path(sys.argv[1], path).write_text(content)


if __name__ == "__main__":
    main()
