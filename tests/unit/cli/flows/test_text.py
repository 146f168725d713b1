"""YAML and JSON of a folder: lossless, and unambiguous for readers."""

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st

from cli.flows.text import Format, TextError, format_text, line_of, parse_text

_TEXTS = (
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\x00"), max_size=30)
    | st.sampled_from(
        [
            "yes",
            "no",
            "on",
            "~",
            "null",
            "1e5",
            "007",
            "0x1f",
            "1_000",
            "12:30",
            "2027-01-04",
            "=",
            "<<",
            "a: b",
            "# a",
            "- a",
        ]
    )
    | st.text("\n \t#:ab\r\x85\u2028\ufeff", max_size=12)
)
_VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers(-(2**63), 2**64 - 1)
    | st.floats(allow_nan=False, allow_infinity=False)
    | _TEXTS,
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(_TEXTS, inner, max_size=4),
    max_leaves=12,
)


@given(_VALUES, st.sampled_from(Format))
def test_written_value_is_read_back_equal(value: object, file_format: Format) -> None:
    text = format_text(value, file_format)
    read = parse_text(text, file_format)
    assert repr(read) == repr(value)
    assert format_text(read, file_format) == text


@given(st.dictionaries(_TEXTS, _TEXTS, max_size=4))
def test_written_texts_are_read_equal_by_other_readers(value: dict[str, str]) -> None:
    assert yaml.safe_load(format_text(value, Format.YAML)) == value


def test_text_of_several_lines_is_a_block() -> None:
    assert (
        format_text({"body": "First line\nSecond línea 🎉"}, Format.YAML)
        == "body: |-\n  First line\n  Second línea 🎉\n"
    )


def test_repeated_values_are_written_without_anchors() -> None:
    shared = {"title": "Hi"}
    assert format_text([shared, shared], Format.YAML) == "- title: Hi\n- title: Hi\n"


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("no", "no"),
        ("2027-01-04", "2027-01-04"),
        ("007", "007"),
        ("12:30", "12:30"),
        ("1e3", 1000.0),
        ("'5'", "5"),
        ("", None),
        ("a:\n", {"a": None}),
        ("5: x", {"5": "x"}),
    ],
)
def test_plain_texts_are_read_as_yaml_1_2(text: str, value: object) -> None:
    assert parse_text(text, Format.YAML) == value


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("a: &x 1\nb: *x", "line 1: anchors and aliases"),
        ("b: *x", "line 1: anchors and aliases"),
        ("a: !!python/object/apply:os.system [id]", "line 1: tags"),
        ("a: !!binary aGk=", "line 1: tags"),
        ("a: 1\na: 2", "line 2: 'a' is given twice"),
        ("? [a]\n: 1", "the name of a member"),
        ("a: .5e999", "not a number of JSON"),
        ("--- a\n--- b", "second document"),
        ("[" * 1000, "nested too deeply"),
        ("a: [", "line "),
        ("a: \x07", "control characters"),
    ],
)
def test_hostile_yaml_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_text(text, Format.YAML)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ('{"a": 1, "a": 2}', "'a' is given twice"),
        ('{"a": NaN}', "NaN is not a number"),
        ('{"a": ', "line 1"),
        ("[" * 100_000, "nested too deeply"),
        ("9" * 500, "too many digits"),
    ],
)
def test_hostile_json_is_refused(text: str, message: str) -> None:
    with pytest.raises(TextError, match=message):
        parse_text(text, Format.JSON)


@pytest.mark.parametrize("file_format", Format)
@pytest.mark.parametrize(
    ("place", "yaml_line", "json_line"),
    [
        (["name"], 1, 2),
        (["screens", "hello", "next", "0", "go_to"], 9, 14),
        (["screens", 1, "next", 0, "go_to"], 9, 14),
        (["screens", "1"], 3, 4),
        (["screens", "hello", "content", "title"], 5, 8),
        (["heading"], None, None),
        ([], None, None),
    ],
)
def test_member_is_found_on_its_line(
    file_format: Format, place: list[str | int], yaml_line: int | None, json_line: int | None
) -> None:
    rule = {"id": "a", "when": [], "go_to": "nowhere"}
    value = {"name": "A", "screens": [{"key": "1", "next": []}, {"key": "hello", "next": [rule]}]}
    line = yaml_line if file_format is Format.YAML else json_line
    assert line_of(format_text(value, file_format), place) == line


def test_place_in_a_text_that_is_not_read_has_no_line() -> None:
    assert line_of("a: [", ["a"]) is None
