"""The routes of the dashboard, as its router has them."""

import re
from pathlib import Path

_ROUTER = Path(__file__).parents[4] / "web" / "dashboard" / "src" / "app" / "router.tsx"
_ROUTE = re.compile(
    r"const (\w+) = createRoute\(\{\s+getParentRoute: \(\) => (\w+),\s+path: \"([^\"]+)\"(.*?)\n\}\);", re.DOTALL
)


def view_paths() -> list[str]:
    """Return the paths of all views, with the parameters as `$projectId`; routes that lead elsewhere are left out."""
    source = _ROUTER.read_text()
    paths, redirected = {"root": ""}, set()
    for name, parent, path, rest in _ROUTE.findall(source):
        paths[name] = (paths[parent] + path).rstrip("/")
        if "redirect(" in rest:
            redirected.add(paths[name])
    assert len(paths) == source.count("= createRoute(") + 1, "a route is written in another way"
    del paths["root"]
    return sorted(set(paths.values()) - redirected)
