"""Resolution and its explanation, against an oracle that follows the contract line by line."""

from collections.abc import Sequence

from hypothesis import given
from hypothesis import strategies as st

from common.rules.bucketing import bucket_of
from common.rules.conditions import Condition, compile_conditions
from common.rules.resolution import (
    Assignment,
    Choice,
    Experiment,
    ProjectRules,
    Rule,
    SkippedRule,
    SkipReason,
    Source,
    TargetedFlow,
    VariantAllocation,
    device_attributes,
    evaluate,
)
from common.wire.public_bodies import ResolveBody

IS_PRO = Condition("attributes.plan", "eq", "pro")
IS_BRAZILIAN = Condition("country", "eq", "BR")
EVERYONE = 10_000


def a_flow(flow_id: str, *conditions: Condition, rollout_buckets: int = EVERYONE) -> TargetedFlow:
    """Return an active flow, by default for everyone."""
    return TargetedFlow.create(flow_id, rollout_buckets, compile_conditions(conditions))


def an_experiment(
    experiment_id: str,
    *conditions: Condition,
    is_paused: bool = False,
    traffic_buckets: int = EVERYONE,
    salt_version: int = 1,
    share_of_a: int = 5_000,
) -> Experiment:
    """Return an experiment between flow_a and flow_b, by default half and half and for everyone."""
    return Experiment.create(
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


def project_rules(
    *flows: TargetedFlow,
    experiments: tuple[Experiment, ...] = (),
    overrides: dict[str, str] | None = None,
    platforms: tuple[str, ...] = ("ios", "android"),
    default_flow_id: str | None = "flow_default",
) -> ProjectRules:
    """Return the rules of a project, by default with a default flow."""
    return ProjectRules.create(
        platforms=platforms,
        overrides={device: Choice(Source.OVERRIDE, flow_id) for device, flow_id in (overrides or {}).items()},
        experiments=experiments,
        flows=flows,
        default_flow_id=default_flow_id,
    )


def explained(
    rules: ProjectRules, body: ResolveBody, assignment: Assignment | None = None
) -> list[tuple[Rule, str | None, SkipReason | Choice]]:
    """Return the evaluated rules up to the one that chooses."""
    skipped: list[SkippedRule] = []
    choice = evaluate(rules, body, assignment, skipped)
    return [*skipped, *([] if choice is None else [(*choice.rule_key, choice)])]


def chosen(rules: ProjectRules, body: ResolveBody) -> str | None:
    choice = evaluate(rules, body)
    return None if choice is None else choice.flow_id


def share_of_a_in(experiment: Experiment) -> int:
    return next(
        (
            end
            for end, owner in zip(experiment.range_ends, experiment.range_choices, strict=True)
            if owner.flow_id == "flow_a"
        ),
        0,
    )


def chosen_naively(
    rules: ProjectRules, flows: Sequence[TargetedFlow], body: ResolveBody, token: Assignment | None
) -> tuple[str, str] | None:
    """Follow section 4 of the contract line by line, for the two conditions of these tests."""
    if body.platform is not None and body.platform not in rules.platforms:
        return None
    device = {"attributes.plan": (body.attributes or {}).get("plan"), "country": (body.country or "").upper()}
    wanted = {"attributes.plan": "pro", "country": "BR"}
    overriding = [
        ("override", choice.flow_id) for device_id, choice in rules.overrides.items() if device_id == body.device_id
    ]
    keeping = [
        ("experiment", f"flow_{token.variant}")
        for experiment in rules.experiments
        if token
        and (token.experiment_id, token.salt_version) == (experiment.experiment_id, experiment.salt_version)
        and token.variant in {"a", "b"}
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
        for flow in flows
        if (flow.conditions or flow.rollout_buckets < EVERYONE)
        and bucket_of(flow.flow_id, body.device_id) < flow.rollout_buckets
        and all(device[condition.attribute] == wanted[condition.attribute] for condition in flow.conditions)
    ]
    default = [("default", rules.default_flow_id)] if rules.default_flow_id else []
    others = [("targeting", flow.flow_id) for flow in flows if not flow.conditions and flow.rollout_buckets == EVERYONE]
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
bodies = st.builds(
    ResolveBody,
    device_id=device_ids,
    platform=st.sampled_from([None, "ios", "android"]),
    country=st.sampled_from([None, "BR", "br", "PT"]),
    attributes=st.sampled_from([None, {}, {"plan": "pro"}, {"plan": "free"}, {"plan": True}]),
)


override_choices = st.builds(
    lambda flow_id, is_draft: Choice(Source.OVERRIDE, flow_id, is_draft=is_draft),
    st.sampled_from(["flow_draft", "flow_default"]),
    st.booleans(),
)


@st.composite
def projects(draw: st.DrawFn) -> tuple[ProjectRules, list[TargetedFlow]]:
    """Draw the rules of a project, and its flows in the order of their priority."""
    flows = draw(st.lists(targeted_flows, max_size=5))
    rules = ProjectRules.create(
        platforms=draw(st.sampled_from([("ios",), ("android",), ("ios", "android")])),
        overrides=draw(st.dictionaries(device_ids, override_choices, max_size=4)),
        experiments=tuple(draw(st.lists(experiments, max_size=3, unique_by=lambda drawn: drawn.experiment_id))),
        flows=flows,
        default_flow_id=draw(st.sampled_from([None, "flow_default"])),
    )
    return rules, flows


@given(projects(), bodies, st.data())
def test_resolution_follows_order_of_contract(
    project: tuple[ProjectRules, list[TargetedFlow]], body: ResolveBody, data: st.DataObject
) -> None:
    rules, flows = project
    ids = ["exp_gone", *(experiment.experiment_id for experiment in rules.experiments)]
    tokens = st.builds(Assignment, st.sampled_from(ids), st.sampled_from("abz"), st.integers(1, 2))
    token = data.draw(st.none() | tokens)
    choice = evaluate(rules, body, token)
    assert (choice and (choice.source, choice.flow_id)) == chosen_naively(rules, flows, body, token)


@given(projects(), bodies)
def test_explanation_lists_every_rule_before_the_choice(
    project: tuple[ProjectRules, list[TargetedFlow]], body: ResolveBody
) -> None:
    rules, flows = project
    evaluations = explained(rules, body)
    is_targeted = [bool(flow.conditions or flow.rollout_buckets < EVERYONE) for flow in flows]
    assert [rule for rule, _, _ in evaluations] == [
        Rule.OVERRIDE,
        *[Rule.EXPERIMENT] * len(rules.experiments),
        *[Rule.FLOW] * is_targeted.count(True),
        Rule.DEFAULT,
        *[Rule.FLOW] * is_targeted.count(False),
    ][: len(evaluations)]
    assert all(isinstance(result, SkipReason) for _, _, result in evaluations[:-1])
    last = evaluations[-1][2]
    assert evaluate(rules, body) == (last if isinstance(last, Choice) else None)


def test_first_matching_flow_wins() -> None:
    rules = project_rules(a_flow("a", IS_PRO), a_flow("b", IS_BRAZILIAN), a_flow("c", IS_BRAZILIAN))
    assert chosen(rules, ResolveBody(device_id="d", country="BR")) == "b"
    assert chosen(rules, ResolveBody(device_id="d", country="BR", attributes={"plan": "pro"})) == "a"


def test_flow_for_everyone_does_not_hide_default_flow() -> None:
    rules = project_rules(a_flow("former default"), a_flow("pros", IS_PRO))
    assert evaluate(rules, ResolveBody(device_id="d")) == Choice(Source.DEFAULT, "flow_default")
    assert chosen(rules, ResolveBody(device_id="d", attributes={"plan": "pro"})) == "pros"


def test_first_flow_for_everyone_is_chosen_without_default_flow() -> None:
    rules = project_rules(a_flow("a"), a_flow("b"), a_flow("pros", IS_PRO), default_flow_id=None)
    assert evaluate(rules, ResolveBody(device_id="d")) == Choice(Source.TARGETING, "a")
    assert chosen(rules, ResolveBody(device_id="d", attributes={"plan": "pro"})) == "pros"


def test_flow_below_full_rollout_comes_before_default_flow() -> None:
    rules = project_rules(a_flow("a", rollout_buckets=EVERYONE - 1))
    assert chosen(rules, ResolveBody(device_id="d")) == "a"


def test_flow_for_everyone_follows_missing_default_flow() -> None:
    rules = project_rules(a_flow("a"), a_flow("pros", IS_PRO), default_flow_id=None)
    assert explained(rules, ResolveBody(device_id="d")) == [
        (Rule.OVERRIDE, None, SkipReason.NO_OVERRIDE),
        (Rule.FLOW, "pros", SkipReason.CONDITION_FAILED),
        (Rule.DEFAULT, None, SkipReason.NO_ACTIVE_DEFAULT),
        (Rule.FLOW, "a", Choice(Source.TARGETING, "a")),
    ]


def test_device_of_foreign_platform_gets_nothing() -> None:
    rules = project_rules(platforms=("ios",))
    assert chosen(rules, ResolveBody(device_id="d", platform="android")) is None
    assert chosen(rules, ResolveBody(device_id="d", platform="ios")) == "flow_default"
    assert chosen(rules, ResolveBody(device_id="d")) == "flow_default"


def test_rollout_of_zero_leaves_the_default() -> None:
    assert chosen(project_rules(a_flow("a", rollout_buckets=0)), ResolveBody(device_id="d")) == "flow_default"


def test_override_comes_before_everything_except_the_platform() -> None:
    rules = project_rules(overrides={"tester": "flow_draft"}, platforms=("ios",))
    assert evaluate(rules, ResolveBody(device_id="tester")) == Choice(Source.OVERRIDE, "flow_draft")
    assert chosen(rules, ResolveBody(device_id="tester2")) == "flow_default"
    assert chosen(rules, ResolveBody(device_id="tester", platform="android")) is None


def test_evaluations_name_rule_and_result() -> None:
    rules = project_rules(a_flow("a", rollout_buckets=0), a_flow("b", IS_PRO), default_flow_id=None)
    assert explained(rules, ResolveBody(device_id="d")) == [
        (Rule.OVERRIDE, None, SkipReason.NO_OVERRIDE),
        (Rule.FLOW, "a", SkipReason.OUTSIDE_ROLLOUT),
        (Rule.FLOW, "b", SkipReason.CONDITION_FAILED),
        (Rule.DEFAULT, None, SkipReason.NO_ACTIVE_DEFAULT),
    ]


def test_experiment_is_skipped_with_its_reason() -> None:
    experiments = (
        an_experiment("paused", is_paused=True),
        an_experiment("audience", IS_PRO),
        an_experiment("traffic", traffic_buckets=0),
        an_experiment("open", share_of_a=0),
    )
    assert explained(project_rules(experiments=experiments), ResolveBody(device_id="d"))[1:] == [
        (Rule.EXPERIMENT, "paused", SkipReason.PAUSED),
        (Rule.EXPERIMENT, "audience", SkipReason.CONDITION_FAILED),
        (Rule.EXPERIMENT, "traffic", SkipReason.OUTSIDE_TRAFFIC),
        (Rule.EXPERIMENT, "open", Choice(Source.EXPERIMENT, "flow_b", Assignment("open", "b", 1))),
    ]


def test_token_keeps_variant_through_any_change_of_experiment() -> None:
    token = Assignment("second", "a", 1)
    second = an_experiment("second", IS_PRO, is_paused=True, traffic_buckets=0, share_of_a=0)
    rules = project_rules(experiments=(an_experiment("first"), second))
    assert explained(rules, ResolveBody(device_id="d"), token)[1:] == [
        (Rule.EXPERIMENT, "second", Choice(Source.EXPERIMENT, "flow_a", token))
    ]


def test_token_from_before_reset_is_ignored() -> None:
    rules = project_rules(experiments=(an_experiment("one", salt_version=2, share_of_a=0),))
    choice = evaluate(rules, ResolveBody(device_id="d"), Assignment("one", "a", 1))
    assert choice == Choice(Source.EXPERIMENT, "flow_b", Assignment("one", "b", 2))


def test_foreign_platform_is_refused_by_every_rule() -> None:
    experiment = an_experiment("one")
    flows = (a_flow("for everyone"), a_flow("a", rollout_buckets=1))
    rules = project_rules(*flows, experiments=(experiment,), overrides={"d": "b"}, platforms=("ios",))
    assert explained(rules, ResolveBody(device_id="d", platform="android")) == [
        (Rule.OVERRIDE, None, SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.EXPERIMENT, "one", SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.FLOW, "a", SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.DEFAULT, "flow_default", SkipReason.PLATFORM_NOT_OF_PROJECT),
        (Rule.FLOW, "for everyone", SkipReason.PLATFORM_NOT_OF_PROJECT),
    ]


def test_device_attributes_have_the_names_of_conditions() -> None:
    body = ResolveBody(device_id="d", app_version="1.2", attributes={"plan": "pro", "deviceId": "x"})
    assert device_attributes(body) == {
        "deviceId": "d",
        "appVersion": "1.2",
        "attributes.plan": "pro",
        "attributes.deviceId": "x",
    }
