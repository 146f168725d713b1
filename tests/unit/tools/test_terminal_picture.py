"""The picture of `make run` shows the stack's own lines, and no keys."""

from tools.terminal_picture import shown_lines

_OUTPUT = """\
stack       | starting postgresql
postgresql  | database system is ready
migrate     | applied 0001
migrate     | The schema is current; 1 revisions applied.
edge       | worker started

edge        http://127.0.0.1:8080
keys        /home/alice/onboarding/.local/demo.json
curl -H 'X-Project-Id: proj_01m821ja49evd8h96921q8zcaw' -H 'X-Secret-Key: obk_sk_IunfdyyAkqRY0SFxoTt9Gpe' http://127.0.0.1:8080/api/config
ready
"""


def test_picture_has_no_logs_keys_or_folders() -> None:
    assert shown_lines(_OUTPUT) == [
        "stack       | starting postgresql",
        "migrate     | The schema is current; 1 revisions applied.",
        "",
        "edge        http://127.0.0.1:8080",
        "keys        .local/demo.json",
        "curl -H 'X-Project-Id: proj_…' -H 'X-Secret-Key: obk_sk_…' http://127.0.0.1:8080/api/config",
        "ready",
    ]
