"""The commands of docs/publishing.md, section "Configuration as code"."""

import re
import shlex
from pathlib import Path

from tests.integration.cli.flows.conftest import Environment, Flows

_GUIDE = Path(__file__).parents[4] / "docs/publishing.md"
_COMMAND = re.compile(r"^(?: *run: )?(?:.* run: )?(onboarding flows .*)$", re.MULTILINE)


def test_documented_commands_bring_development_to_production(
    environment: Environment, flows: Flows, root: Path
) -> None:
    screens = [{"type": "custom", "name": "Hello"}]
    environment.user.create_flow(environment.development, status="active", is_default=True, screens=screens)
    projects = {"proj_development": environment.development, "proj_production": environment.production}
    commands = [shlex.split(command)[2:] for command in _COMMAND.findall(_GUIDE.read_text())]
    outputs = []
    for command, folder, option, project, *options in commands:
        assert (folder, option) == ("onboarding", "--project")
        outputs.append(flows(command, projects[project], *options, folder=root / folder).succeeded().splitlines()[-1])
    assert outputs == [
        f"1 flow and 0 themes written to {root / 'onboarding'}.",
        "Nothing was changed (--dry-run).",
        "1 created, 0 unchanged.",
        "Nothing to change.",
        "Nothing to change.",
    ]
