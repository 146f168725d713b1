"""The documents of the repository, and what of their Markdown can be checked: headings, links, code."""

import re
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[2]
_NOT_OURS = ("build", "dist", "load-reports")
_INSTALLED = {".pytest_cache", "node_modules"}
_SOURCE_SUFFIXES = {".py", ".md", ".toml", ".yaml", ".template", ".sh", ".conf"}

_FENCE = re.compile(r"^(?P<fence>```+|~~~+)[^\n]*\n(?P<code>.*?)^(?P=fence)`*\s*$", re.MULTILINE | re.DOTALL)
_SPAN = re.compile(r"(?<!`)(`+)(?!`)(.+?)(?<!`)\1(?!`)", re.DOTALL)
_HEADING = re.compile(r"^ {0,3}#{1,6} +(.+?)(?: +#+)? *$", re.MULTILINE)
_INLINE_LINK = re.compile(r"\]\(<?([^)\s>]+)>?(?:\s+\"[^\"]*\")?\)")
_REFERENCE = re.compile(r"^ {0,3}\[[^\]]+\]:\s+(\S+)", re.MULTILINE)


def documents() -> list[Path]:
    """Return every Markdown file that is part of the repository."""
    tops = [path for path in ROOT.iterdir() if not path.name.startswith(".") and path.name not in _NOT_OURS]
    return sorted(
        [path for path in tops if path.suffix == ".md"]
        + [path for top in tops if top.is_dir() for path in top.rglob("*.md") if not _INSTALLED & {*path.parts}]
    )


def source_files() -> list[Path]:
    """Return the files of the repository that may name documents, Markdown included."""
    tops = [path for path in ROOT.iterdir() if not path.name.startswith(".") and path.name not in _NOT_OURS]
    below = [path for top in tops if top.is_dir() for path in top.rglob("*") if not _INSTALLED & {*path.parts}]
    return [path for path in [*tops, *below] if path.suffix in _SOURCE_SUFFIXES and path.is_file()]


def name_of(document: Path) -> str:
    """Name a document as people do."""
    return document.relative_to(ROOT).as_posix()


def links_of(text: str) -> list[str]:
    """Return the targets of all links and pictures, as they are written."""
    prose = _SPAN.sub("", _FENCE.sub("", text))
    return [*_INLINE_LINK.findall(prose), *_REFERENCE.findall(prose)]


def anchors_of(text: str) -> frozenset[str]:
    """Return the anchors of the headings, as the usual hosts derive them."""
    seen: Counter[str] = Counter()
    anchors: set[str] = set()
    for heading in _HEADING.findall(_FENCE.sub("", text)):
        words = re.sub(r"\[([^\]]*)\]\([^)]*\)", r"\1", heading).replace("`", "").replace("*", "")
        anchor = re.sub(r"[^\w\- ]", "", words.strip().lower()).replace(" ", "-")
        anchors.add(f"{anchor}-{seen[anchor]}" if seen[anchor] else anchor)
        seen[anchor] += 1
    return frozenset(anchors)


def code_of(text: str) -> Iterator[str]:
    """Return every line of fenced code, joined where a backslash continues it, and every code span."""
    for block in _FENCE.finditer(text):
        yield from block["code"].replace("\\\n", " ").splitlines()
    yield from spans_of(text)


def spans_of(text: str) -> Iterator[str]:
    """Return every code span."""
    for span in _SPAN.finditer(_FENCE.sub("", text)):
        yield " ".join(span[2].split())
