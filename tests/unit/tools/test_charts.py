"""The figures of experiments are drawn as they are."""

from xml.etree import ElementTree as ET

from management_api.experiment_statistics.comparison import Counts
from tools.charts.line_chart import Line, draw
from tools.charts.simulated_tests import Population, day_of_verdict, share_decided, simulate

SVG = "{http://www.w3.org/2000/svg}"


def test_a_chart_has_each_line_and_names_it() -> None:
    lines = [Line("rising", "#111111", [0.0, 0.25, 0.5]), Line("flat", "#222222", [0.1] * 3, is_dashed=True)]
    chart = ET.fromstring(draw("Two lines", lines, top=0.5, step=0.25))  # noqa: S314 - we drew it ourselves
    texts = [text.text for text in chart.iter(f"{SVG}text")]
    assert {"Two lines", "rising", "flat", "0%", "25%", "50%", "1", "2", "3"} <= set(texts)
    places = [(float(circle.attrib["cx"]), float(circle.attrib["cy"])) for circle in chart.iter(f"{SVG}circle")]
    rising, flat = places[:3], places[3:]
    assert [x for x, _ in rising] == sorted(x for x, _ in rising)
    assert [y for _, y in rising] == sorted((y for _, y in rising), reverse=True)
    assert len({y for _, y in flat}) == 1


def test_the_same_seed_gives_the_same_experiments_and_counts_only_grow() -> None:
    one, again = (list(simulate(Population(users_a_day=50), tests=3, seed=5)) for _ in range(2))
    assert one == again
    for evenings in one:
        for side in zip(*evenings, strict=True):
            assert [each.users for each in side] == sorted(each.users for each in side)
            assert [each.conversions for each in side] == sorted(each.conversions for each in side)
            assert all(each.conversions <= each.users for each in side)


def test_an_experiment_is_ended_by_the_first_evening_that_says_so() -> None:
    evenings = [(Counts(users, 0), Counts(users, 0)) for users in (1, 2, 3)]

    def from_two_users_on(control: Counts, _treatment: Counts) -> float:
        return 0.01 if control.users > 1 else 1.0

    assert day_of_verdict(evenings, from_two_users_on) == 1
    assert day_of_verdict(evenings[:1], from_two_users_on) is None
    assert share_decided([evenings, evenings[:1] * 3], from_two_users_on) == [0.0, 0.5, 0.5]
