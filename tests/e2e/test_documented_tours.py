"""The commands of docs/quickstart.md, run in a shell against a whole stack."""

import re
import subprocess
from pathlib import Path

from tests.docs.markdown import ROOT
from tests.support.servers.local_stack import RunningStack

_TIMEOUT_SECONDS = 90
_RETRY_SECONDS = 60
#: Printed behind the output of each block.
_MARK = "--- end of a block ---"
_COMPLETED_EVENT = '"event_type": "flow_completed"'
_PERFORMANCE = """"flow_name": "Willkommen",
                "users": 1,
                "completion_rate": 1"""


def _shell_blocks(document: str) -> list[str]:
    """Return the `sh` blocks of a document."""
    return re.findall(r"^```sh\n(.*?)^```", (ROOT / document).read_text(), re.DOTALL | re.MULTILINE)


def _run(stack: RunningStack, folder: Path, blocks: list[str], expected: dict[int, list[str]]) -> list[str]:
    """Run the blocks in one shell and return the output of each; a block is repeated until it prints its texts.

    A change and an event need a moment; a reader would repeat the command, too.
    """
    script = ["set -u"]
    for number, block in enumerate(blocks):
        if number in expected:
            has_texts = " && ".join(f"[[ $output == *'{text}'* ]]" for text in expected[number])
            script.append(f"output=; until {{ {has_texts}; }} || ((SECONDS > {_RETRY_SECONDS}))")
            script.append(f"do output=$(\n{block}); sleep 0.1; done")
            script.append('echo "$output"')
        else:
            script.append(block)
        script.append(f"echo '{_MARK}'")
    text = "\n".join(script).replace("http://127.0.0.1:8080", stack.edge_url)
    text = text.replace("http://127.0.0.1:8081", stack.management_url)
    done = subprocess.run(  # noqa: S603 - our own documents
        ["/bin/bash", "-c", text],
        cwd=folder,
        env=stack.environment,
        capture_output=True,
        text=True,
        timeout=_TIMEOUT_SECONDS,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, "")
    return done.stdout.split(_MARK)


def test_commands_of_the_quickstart_have_the_documented_effects(stack: RunningStack, tmp_path: Path) -> None:
    (tmp_path / ".local").symlink_to(stack.state_folder)
    blocks = _shell_blocks("docs/quickstart.md")
    assert len(blocks) == 9
    expected = {
        1: ['"flowId"'],
        3: ['"title": "Willkommen!"'],
        6: [_COMPLETED_EVENT, _PERFORMANCE],
        8: ['"title":"Hello!"'],
    }
    output = _run(stack, tmp_path, blocks, expected)
    assert '"name": "Willkommen"' in output[2]
    assert '"source": "targeting"' in output[3]
    assert '"source": "targeting"' in output[4]
    assert output[5].count('"success":true') == 2
    assert _COMPLETED_EVENT in output[6]
    assert _PERFORMANCE in output[6]
    assert "flow_" in output[7]
    assert '"name":"My app"' in output[8]
