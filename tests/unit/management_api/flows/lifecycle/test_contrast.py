"""Contrast of the colours of themes, and the palettes that get a warning."""

import pytest

from common.colors import contrast_ratio, mixed
from management_api.flows.lifecycle.contrast import contrast_of_texts, palette_warnings


@pytest.mark.parametrize(
    ("first", "second", "ratio"),
    [
        ("#000000", "#ffffff", 21.0),
        ("#fff", "#ffffff", 1.0),
        ("#767676", "#ffffff", 4.54),
        ("#777777", "#ffffff", 4.48),
        ("#ff0000ff", "#ffffff", 4.0),
    ],
)
def test_contrast_is_that_of_wcag(first: str, second: str, ratio: float) -> None:
    assert contrast_ratio(first, second) == contrast_ratio(second, first) == pytest.approx(ratio, abs=0.005)


def test_contrast_is_judged_where_the_theme_sets_a_colour() -> None:
    assert list(contrast_of_texts({})) == []
    assert [pair[:2] for pair in contrast_of_texts({"primary": "#000"})] == []
    colors = {"background": "#000", "surface": "#111", "textSecondary": "#222"}
    assert [pair[:2] for pair in contrast_of_texts(colors)] == [
        ("text", "background"),
        ("textSecondary", "background"),
        ("text", "surface"),
    ]


def test_contrast_of_the_palette_of_dark_devices_is_a_warning() -> None:
    colors = {"text": "#000000", "dark": {"text": "#333333", "primary": "#fff"}}
    assert [(found.field, found.message) for found in palette_warnings(colors, "/theme_id")] == [
        ("/theme_id", "has a contrast of 1.6:1 between text and background on dark devices; 4.5:1 is needed")
    ]
    assert list(palette_warnings({"dark": {"text": "#eeeeee"}}, "")) == []


def test_overlay_mixes_colours() -> None:
    assert [mixed("#000", "#ffffff", share) for share in (0, 0.5, 1)] == ["#000000", "#808080", "#ffffff"]
