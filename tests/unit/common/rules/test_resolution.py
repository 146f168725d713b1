"""Which flow a device gets, and how each rule before it ended, against an oracle that reads the contract naively."""

from hypothesis import given
from hypothesis import strategies as st

from common.rules.assignment_tokens import Assignment
from common.rules.bucketing import bucket_of
from common.rules.conditions import Condition, compile_conditions
from common.rules.project_rules import (
    Choice,
    Evaluation,
    Experiment,
    ProjectRules,
    Rule,
    SkipReason,
    Source,
    TargetedFlow,
    VariantAllocation,
)
from common.rules.resolution import Device, choose, trials
from common.wire.public_bodies import ResolveBody

IS_PRO = Condition("attributes.plan", "eq", "pro")
IS_BRAZILIAN = Condition("country", "eq", "BR")
EVERYONE = 10_000


def a_flow(flow_id: str, *conditions: Condition, rollout_buckets: int = EVERYONE) -> TargetedFlow:
    """Give a flow that targeting may choose, for everyone unless told."""
    return TargetedFlow(flow_id, rollout_buckets, compile_conditions(conditions))


def an_experiment(
    experiment_id: str,
    *conditions: Condition,
    is_paused: bool = False,
    traffic_buckets: int = EVERYONE,
    salt_version: int = 1,
    share_of_a: int = 5_000,
) -> Experiment:
    """Give an experiment between flow_a and flow_b, half and half, for everyone unless told."""
    return Experiment.of(
        experiment_id,
        is_paused=is_paused,
        conditions=compile_conditions(conditions),
        traffic_buckets=traffic_buckets,
        salt_version=salt_version,
        variants=[
            VariantAllocation("a", "flow_a", ((0, share_of_a),) if share_of_a else ()),
            VariantAllocation("b", "flow_b", ((share_of_a, EVERYONE),) if share_of_a < EVERYONE else ()),
        ],
    )


def some_rules(
    *flows: TargetedFlow,
    experiments: tuple[Experiment, ...] = (),
    overrides: dict[str, str] | None = None,
    platforms: tuple[str, ...] = ("ios", "android"),
    default_flow_id: str | None = "flow_default",
) -> ProjectRules:
    """Give the rules of a project with a default flow."""
    return ProjectRules(platforms, overrides or {}, experiments, flows, default_flow_id)


def asked(rules: ProjectRules, body: ResolveBody, kept: Assignment | None = None) -> list[Evaluation]:
    """Give the trials up to the first choice."""
    listed: list[Evaluation] = []
    for trial in trials(rules, Device.of(body, kept)):
        listed.append(trial)
        if isinstance(trial[2], Choice):
            break
    return listed


def chosen(rules: ProjectRules, body: ResolveBody) -> str | None:
    """Tell which flow the body's device is given."""
    choice = choose(rules, Device.of(body))
    return None if choice is None else choice.flow_id


def share_of_a_in(experiment: Experiment) -> int:
    return next(
        (
            end
            for end, (_, _, owner) in zip(experiment.range_ends, experiment.range_trials, strict=True)
            if isinstance(owner, Choice) and owner.flow_id == "flow_a"
        ),
        0,
    )


def chosen_naively(rules: ProjectRules, body: ResolveBody, kept: Assignment | None) -> tuple[str, str] | None:
    """Read section 4 of the contract line by line, for the two conditions of these tests."""
    if body.platform is not None and body.platform not in rules.platforms:
        return None
    device = {"attributes.plan": (body.attributes or {}).get("plan"), "country": (body.country or "").upper()}
    wanted = {"attributes.plan": "pro", "country": "BR"}
    overriding = [
        ("override", flow_id) for device_id, flow_id in rules.overrides.items() if device_id == body.device_id
    ]
    keeping = [
        ("experiment", f"flow_{kept.variant}")
        for experiment in rules.experiments
        if kept
        and (kept.experiment_id, kept.salt_version) == (experiment.experiment_id, experiment.salt_version)
        and kept.variant in {"a", "b"}
    ]
    entering = []
    for experiment in rules.experiments:
        name, version = experiment.experiment_id, experiment.salt_version
        matches = all(device[condition.attribute] == wanted[condition.attribute] for condition in experiment.conditions)
        is_inside = bucket_of(f"{name}:traffic:{version}", body.device_id) < experiment.traffic_buckets
        if not experiment.is_paused and matches and is_inside:
            is_a = bucket_of(f"{name}:variant:{version}", body.device_id) < share_of_a_in(experiment)
            entering.append(("experiment", "flow_a" if is_a else "flow_b"))
    matching = [
        ("targeting", flow.flow_id)
        for flow in rules.flows
        if (flow.conditions or flow.rollout_buckets < EVERYONE)
        and bucket_of(flow.flow_id, body.device_id) < flow.rollout_buckets
        and all(device[condition.attribute] == wanted[condition.attribute] for condition in flow.conditions)
    ]
    default = [("default", rules.default_flow_id)] if rules.default_flow_id else []
    others = [
        ("targeting", flow.flow_id) for flow in rules.flows if not flow.conditions and flow.rollout_buckets == EVERYONE
    ]
    return next(iter(overriding + keeping + entering + matching + default + others), None)


targeted_flows = st.builds(
    lambda flow_id, conditions, buckets: a_flow(flow_id, *conditions, rollout_buckets=buckets),
    st.text(min_size=1, max_size=8),
    st.lists(st.sampled_from([IS_PRO, IS_BRAZILIAN]), max_size=2),
    st.sampled_from([0, 1, 2_500, 5_000, 9_999, EVERYONE]),
)
experiments = st.builds(
    lambda experiment_id, conditions, **settings: an_experiment(experiment_id, *conditions, **settings),
    st.text(min_size=1, max_size=8),
    st.lists(st.sampled_from([IS_PRO, IS_BRAZILIAN]), max_size=2),
    is_paused=st.booleans(),
    traffic_buckets=st.sampled_from([0, 1, 2_500, 9_999, EVERYONE]),
    salt_version=st.integers(1, 2),
    share_of_a=st.sampled_from([0, 1, 5_000, 9_999, EVERYONE]),
)
device_ids = st.text("abc", min_size=1, max_size=2) | st.text(min_size=1, max_size=12)
projects = st.builds(
    ProjectRules,
    platforms=st.sampled_from([("ios",), ("android",), ("ios", "android")]),
    overrides=st.dictionaries(device_ids, st.sampled_from(["flow_draft", "flow_default"]), max_size=4),
    experiments=st.lists(experiments, max_size=3, unique_by=lambda one: one.experiment_id).map(tuple[Experiment, ...]),
    flows=st.lists(targeted_flows, max_size=5).map(tuple[TargetedFlow, ...]),
    default_flow_id=st.sampled_from([None, "flow_default"]),
)
bodies = st.builds(
    ResolveBody,
    device_id=device_ids,
    platform=st.sampled_from([None, "ios", "android"]),
    country=st.sampled_from([None, "BR", "br", "PT"]),
    attributes=st.sampled_from([None, {}, {"plan": "pro"}, {"plan": "free"}, {"plan": True}]),
)


@st.composite
def projects_and_tokens(draw: st.DrawFn) -> tuple[ProjectRules, Assignment | None]:
    """Draw a project, and what a device's token may say: of one of its experiments, true or outlived, or nothing."""
    rules = draw(projects)
    ids = ["exp_gone", *(experiment.experiment_id for experiment in rules.experiments)]
    kept = st.builds(Assignment, st.sampled_from(ids), st.sampled_from("abz"), st.integers(1, 2))
    return rules, draw(st.none() | kept)


@given(projects_and_tokens(), bodies)
def test_the_rules_are_asked_in_the_contracts_order(
    drawn: tuple[ProjectRules, Assignment | None], body: ResolveBody
) -> None:
    rules, kept = drawn
    choice = choose(rules, Device.of(body, kept))
    assert (choice and (choice.source, choice.flow_id)) == chosen_naively(rules, body, kept)


@given(projects, bodies)
def test_every_rule_before_the_choice_is_a_refusal(rules: ProjectRules, body: ResolveBody) -> None:
    listed = asked(rules, body)
    is_targeted = [bool(flow.conditions or flow.rollout_buckets < EVERYONE) for flow in rules.flows]
    assert [rule for rule, _, _ in listed] == [
        Rule.OVERRIDE,
        *[Rule.EXPERIMENT] * len(rules.experiments),
        *[Rule.FLOW] * is_targeted.count(True),
        Rule.DEFAULT,
        *[Rule.FLOW] * is_targeted.count(False),
    ][: len(listed)]
    assert all(isinstance(outcome, SkipReason) for _, _, outcome in listed[:-1])
    choice = choose(rules, Device.of(body))
    assert listed[-1][2] == choice or (choice is None and isinstance(listed[-1][2], SkipReason))


def test_first_matching_flow_wins() -> None:
    rules = some_rules(a_flow("a", IS_PRO), a_flow("b", IS_BRAZILIAN), a_flow("c", IS_BRAZILIAN))
    assert chosen(rules, ResolveBody(device_id="d", country="BR")) == "b"
    assert chosen(rules, ResolveBody(device_id="d", country="BR", attributes={"plan": "pro"})) == "a"


def test_flow_for_everyone_does_not_hide_default_flow() -> None:
    rules = some_rules(a_flow("former default"), a_flow("pros", IS_PRO))
    assert choose(rules, Device.of(ResolveBody(device_id="d"))) == Choice(Source.DEFAULT, "flow_default")
    assert chosen(rules, ResolveBody(device_id="d", attributes={"plan": "pro"})) == "pros"


def test_first_flow_for_everyone_is_chosen_without_default_flow() -> None:
    rules = some_rules(a_flow("a"), a_flow("b"), a_flow("pros", IS_PRO), default_flow_id=None)
    assert choose(rules, Device.of(ResolveBody(device_id="d"))) == Choice(Source.TARGETING, "a")
    assert chosen(rules, ResolveBody(device_id="d", attributes={"plan": "pro"})) == "pros"


def test_flow_below_full_rollout_comes_before_default_flow() -> None:
    rules = some_rules(a_flow("a", rollout_buckets=EVERYONE - 1))
    assert chosen(rules, ResolveBody(device_id="d")) == "a"


def test_flow_for_everyone_follows_refused_default_flow() -> None:
    rules = some_rules(a_flow("a"), a_flow("pros", IS_PRO), default_flow_id=None)
    assert asked(rules, ResolveBody(device_id="d")) == [
        (Rule.OVERRIDE, None, SkipReason.NO_OVERRIDE),
        (Rule.FLOW, "pros", SkipReason.CONDITION_FAILED),
        (Rule.DEFAULT, None, SkipReason.NO_ACTIVE_DEFAULT),
        (Rule.FLOW, "a", Choice(Source.TARGETING, "a")),
    ]


def test_a_platform_that_the_project_does_not_have_gets_nothing() -> None:
    rules = some_rules(platforms=("ios",))
    assert chosen(rules, ResolveBody(device_id="d", platform="android")) is None
    assert chosen(rules, ResolveBody(device_id="d", platform="ios")) == "flow_default"
    assert chosen(rules, ResolveBody(device_id="d")) == "flow_default"


def test_a_rollout_of_nobody_leaves_the_default() -> None:
    assert chosen(some_rules(a_flow("a", rollout_buckets=0)), ResolveBody(device_id="d")) == "flow_default"


def test_an_override_comes_before_everything_but_the_platform() -> None:
    rules = some_rules(overrides={"tester": "flow_draft"}, platforms=("ios",))
    assert choose(rules, Device.of(ResolveBody(device_id="tester"))) == Choice(Source.OVERRIDE, "flow_draft")
    assert chosen(rules, ResolveBody(device_id="tester2")) == "flow_default"
    assert chosen(rules, ResolveBody(device_id="tester", platform="android")) is None


def test_each_trial_says_what_was_asked_and_how_it_ended() -> None:
    rules = some_rules(a_flow("a", rollout_buckets=0), a_flow("b", IS_PRO), default_flow_id=None)
    assert asked(rules, ResolveBody(device_id="d")) == [
        (Rule.OVERRIDE, None, SkipReason.NO_OVERRIDE),
        (Rule.FLOW, "a", SkipReason.OUTSIDE_ROLLOUT),
        (Rule.FLOW, "b", SkipReason.CONDITION_FAILED),
        (Rule.DEFAULT, None, SkipReason.NO_ACTIVE_DEFAULT),
    ]


def test_an_experiment_says_why_it_lets_nobody_in() -> None:
    experiments = (
        an_experiment("paused", is_paused=True),
        an_experiment("audience", IS_PRO),
        an_experiment("traffic", traffic_buckets=0),
        an_experiment("open", share_of_a=0),
    )
    assert asked(some_rules(experiments=experiments), ResolveBody(device_id="d"))[1:] == [
        (Rule.EXPERIMENT, "paused", SkipReason.PAUSED),
        (Rule.EXPERIMENT, "audience", SkipReason.CONDITION_FAILED),
        (Rule.EXPERIMENT, "traffic", SkipReason.OUTSIDE_TRAFFIC),
        (Rule.EXPERIMENT, "open", Choice(Source.EXPERIMENT, "flow_b", Assignment("open", "b", 1))),
    ]


def test_a_token_keeps_its_variant_whatever_the_experiment_is_like_now() -> None:
    kept = Assignment("second", "a", 1)
    second = an_experiment("second", IS_PRO, is_paused=True, traffic_buckets=0, share_of_a=0)
    rules = some_rules(experiments=(an_experiment("first"), second))
    assert asked(rules, ResolveBody(device_id="d"), kept)[1:] == [
        (Rule.EXPERIMENT, "second", Choice(Source.EXPERIMENT, "flow_a", kept))
    ]


def test_a_token_from_before_a_reset_keeps_nothing() -> None:
    rules = some_rules(experiments=(an_experiment("one", salt_version=2, share_of_a=0),))
    choice = choose(rules, Device.of(ResolveBody(device_id="d"), Assignment("one", "a", 1)))
    assert choice == Choice(Source.EXPERIMENT, "flow_b", Assignment("one", "b", 2))


def test_a_platform_is_refused_by_every_rule() -> None:
    one = an_experiment("one")
    flows = (a_flow("for everyone"), a_flow("a", rollout_buckets=1))
    rules = some_rules(*flows, experiments=(one,), overrides={"d": "b"}, platforms=("ios",))
    assert asked(rules, ResolveBody(device_id="d", platform="android")) == [
        (Rule.OVERRIDE, None, SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.EXPERIMENT, "one", SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.FLOW, "a", SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.DEFAULT, "flow_default", SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.FLOW, "for everyone", SkipReason.PLATFORM_NOT_OF_PROJECT),
    ]


def test_the_device_id_and_custom_attributes_go_by_the_names_of_conditions() -> None:
    device = Device.of(ResolveBody(device_id="d", app_version="1.2", attributes={"plan": "pro", "deviceId": "x"}))
    assert device.attributes == {
        "deviceId": "d",
        "appVersion": "1.2",
        "attributes.plan": "pro",
        "attributes.deviceId": "x",
    }
