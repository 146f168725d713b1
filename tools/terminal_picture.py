"""Draw the output of `make run` as the picture of README.md.

Run `make run > run.txt 2>&1` with an empty state folder until it prints `ready`, then:
`.venv/bin/python -m tools.terminal_picture run.txt docs/figures/make-run.svg`.
"""

import argparse
import io
import re
from pathlib import Path

from rich.console import Console
from rich.text import Text

_COLUMNS = 112
#: Secret keys, tokens, tickets and ids are long, and differ in each installation.
_LONG_VALUES = re.compile(r"(\bobk_sk_|\bproj_|\bflow_|/s/|#token=)[\w.-]{8,}")
#: Logs of processes, which begin with their name. The stack's own lines and the summary of the migrations stay.
_LOG_LINE = re.compile(r"^(postgresql|valkey|edge|management|publisher|consumer) +\||^migrate +\| applied|^web: ")
#: The folder of the clone.
_CLONE = re.compile(r"/\S+/(?=\.local/)")
#: A font from another host, which hosts of Markdown do not load.
_FONT_FACE = re.compile(r"@font-face \{.*?\}\s*", re.DOTALL)


def main() -> None:
    """Read the output and write the picture."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("output", type=Path)
    parser.add_argument("picture", type=Path)
    arguments = parser.parse_args()
    arguments.picture.write_text(draw(arguments.output.read_text()))


def draw(output: str) -> str:
    """Return the picture as SVG."""
    console = Console(record=True, width=_COLUMNS, file=io.StringIO(), force_terminal=True, color_system="truecolor")
    console.print(Text("$ make run", style="bold"))
    for line in shown_lines(output):
        console.print(_styled(line), soft_wrap=False)
    return _FONT_FACE.sub("", console.export_svg(title="make run"))


def shown_lines(output: str) -> list[str]:
    """Return the lines of the picture: no logs of processes, no long values."""
    lines = [line for line in output.splitlines() if not _LOG_LINE.match(line)]
    return [_CLONE.sub("", _LONG_VALUES.sub(r"\1…", line)) for line in lines]


def _styled(line: str) -> Text:
    text = Text(line)
    text.highlight_regex(r"^\w+ +\|", "cyan")
    text.highlight_regex(r"https?://[^ ]+", "bright_blue")
    text.highlight_regex(r"^ready$", "bold green")
    text.highlight_regex(r"^curl", "bold")
    return text


if __name__ == "__main__":
    main()
