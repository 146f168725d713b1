"""`onboarding doctor` on a complete stack, as operators run it."""

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.support.polling import eventually
from tests.support.servers.local_stack import RunningStack


def doctor(stack: RunningStack, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(  # noqa: S603 - our own command
        [sys.executable, "-P", "-m", "cli.main", "doctor", *arguments],
        env={**stack.environment, **environment, "COLUMNS": "300"},
        cwd=Path(__file__).parents[4],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )


@pytest.mark.whole
def test_running_stack_is_ok_and_a_broken_one_has_remedies(stack: RunningStack) -> None:
    def all_is_well() -> None:
        looked = doctor(stack, "--json")
        report = json.loads(looked.stdout)
        # A clone may have no built web parts; both are warnings.
        unbuilt = (
            "The assets of hosted pages are not published",
            f"The dashboard at {stack.management_url} is not",
        )
        results = [each for check in report["checks"] for each in check["results"]]
        bad = [each for each in results if each["level"] != "ok" and not each["message"].startswith(unbuilt)]
        assert (bad, report["ok"], looked.returncode, looked.stderr) == ([], True, 0, "")

    eventually(all_is_well, within=60)
    hurt = doctor(
        stack,
        "--edge-url",
        "http://127.0.0.1:1",
        "--edge-url",
        stack.edge_url,
        ONBOARDING_REDIS_URL="redis://:s3cret@127.0.0.1:1/0",
        ONBOARDING_MASTER_KEY="A" * 43 + "=",
        ONBOARDING_ASSIGNMENT_KEYS="A" * 43 + "=",
    )
    assert hurt.returncode == 1
    lines = [line.split(maxsplit=1) for line in hurt.stdout.splitlines()]
    errors = [sentence.partition(":")[0] for level, sentence in lines if level == "error"]
    assert errors == ["Redis", "master key", "assignment keys", "services"]
    assert "Start Redis, or correct ONBOARDING_REDIS_URL." in hurt.stdout
    assert "s3cret" not in hurt.stdout
