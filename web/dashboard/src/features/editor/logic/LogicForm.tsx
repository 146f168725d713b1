import { ActionIcon, Divider, Fieldset, Group, Select, Stack, Switch, Text, Title } from "@mantine/core";
import { IconArrowUp, IconTrash } from "@tabler/icons-react";
import { AddButton } from "@/ui/form/AddButton";
import { type Change, changeScreen, type FlowDocument, type FlowScreen, screenName } from "../document";
import { Conditions } from "./Conditions";
import { Notes, type Problems } from "./Notes";
import { END, MAX_RULES, newRule, type ScreenRule, targetInOrder } from "./rules";
import { subjectsFor } from "./subjects";
import { logicTexts as words } from "./texts";

/** The id of the title, so that the top of the form leads there. */
export const LOGIC_TITLE = "logic-title";

interface LogicFormProps {
  document: FlowDocument;
  screen: FlowScreen;
  problems: Problems;
  disabled: boolean;
  onChange: Change;
}

/** The logic of a screen: the condition under which it is shown, and the rules behind it. */
export function LogicForm({ document, screen, problems, disabled, onChange }: LogicFormProps) {
  const { show_if = [], next = [], settings } = screen;
  const nameOf = (id: string) => document.screens.filter((one) => one.id === id).map(screenName)[0] ?? words.end;
  const change = (changes: Partial<FlowScreen>, member: string) =>
    onChange(changeScreen(document, screen.id, changes), `${screen.id} ${member}`);
  const setRules = (rules: ScreenRule[], member = "next") => change({ next: rules }, member);
  const inOrder = nameOf(targetInOrder(document, screen.id));
  const isFull = next.length >= MAX_RULES;
  return (
    <Stack gap="md" component="section" aria-label={words.title}>
      <Title order={3} size="h4" id={LOGIC_TITLE} tabIndex={-1}>
        {words.title}
      </Title>
      <Fieldset legend={words.showIf} p="sm">
        <Stack gap="sm">
          {show_if.length === 0 && <Quiet text={words.always} />}
          <Notes problems={problems} path="show_if" exact />
          <Conditions
            path="show_if"
            conditions={show_if}
            subjects={subjectsFor(document, screen.id, "show_if")}
            problems={problems}
            disabled={disabled}
            onChange={(conditions) => change({ show_if: conditions }, "show_if")}
          />
        </Stack>
      </Fieldset>
      <Fieldset legend={words.after} p="sm">
        <Stack gap="md">
          <Notes problems={problems} path="next" exact />
          {next.map((rule, place) => (
            <Rule
              key={rule.id}
              document={document}
              screen={screen}
              rule={rule}
              place={place}
              problems={problems}
              disabled={disabled}
              onChange={(changes) => setRules(next.with(place, { ...rule, ...changes }), `rule ${rule.id}`)}
              onMoveUp={() => setRules(next.toSpliced(place, 1).toSpliced(place - 1, 0, rule))}
              onRemove={() => setRules(next.toSpliced(place, 1))}
            />
          ))}
          <Quiet text={next.length === 0 ? words.order(inOrder) : words.otherwise(inOrder)} />
          {!disabled && (
            <AddButton
              label={words.addRule}
              full={isFull && words.tooManyRules(MAX_RULES)}
              onAdd={() => setRules([...next, newRule(document, screen)])}
            />
          )}
        </Stack>
      </Fieldset>
      <Switch
        label={words.counts}
        description={words.countsHelp}
        disabled={disabled}
        checked={settings.counts !== false}
        onChange={({ currentTarget }) => {
          const { counts: _, ...others } = settings;
          change({ settings: currentTarget.checked ? others : { ...others, counts: false } }, "counts");
        }}
      />
    </Stack>
  );
}

function Quiet({ text }: { text: string }) {
  return (
    <Text size="sm" c="dimmed">
      {text}
    </Text>
  );
}

interface RuleProps extends Omit<LogicFormProps, "onChange"> {
  rule: ScreenRule;
  /** From 0. */
  place: number;
  onChange: (changes: Partial<ScreenRule>) => void;
  onMoveUp: () => void;
  onRemove: () => void;
}

/** One rule: its conditions and its target. */
function Rule(props: RuleProps) {
  const { document, screen, rule, place, problems, disabled, onChange, onMoveUp, onRemove } = props;
  const index = document.screens.findIndex(({ id }) => id === screen.id);
  const later = document.screens.slice(index + 1).map((one) => ({ value: one.id, label: screenName(one) }));
  const targets = [...later, { value: END, label: words.end }];
  const wrong = document.screens.find(({ id }) => id === rule.go_to);
  if (!targets.some(({ value }) => value === rule.go_to)) {
    targets.unshift({ value: rule.go_to, label: wrong ? screenName(wrong) : words.unknownScreen(rule.go_to) });
  }
  return (
    <Stack gap="xs" role="group" aria-label={words.rule(place + 1)}>
      {place > 0 && <Divider />}
      <Group justify="space-between" wrap="nowrap" h={28}>
        <Text size="sm">{rule.when.length === 0 ? words.inAnyCase : words.if}</Text>
        {!disabled && (
          <Group gap={4} wrap="nowrap">
            {place > 0 && (
              <ActionIcon variant="subtle" color="gray" aria-label={words.moveRuleUp(place + 1)} onClick={onMoveUp}>
                <IconArrowUp size={18} />
              </ActionIcon>
            )}
            <ActionIcon variant="subtle" color="gray" aria-label={words.removeRule(place + 1)} onClick={onRemove}>
              <IconTrash size={18} />
            </ActionIcon>
          </Group>
        )}
      </Group>
      <Notes problems={problems} path={`next.${place}`} exact />
      <Conditions
        path={`next.${place}.when`}
        conditions={rule.when}
        subjects={subjectsFor(document, screen.id, "next")}
        problems={problems}
        disabled={disabled}
        onChange={(when) => onChange({ when })}
      />
      <Select
        label={words.goTo}
        aria-label={words.goToOf(place + 1)}
        data={targets}
        allowDeselect={false}
        disabled={disabled}
        value={rule.go_to}
        onChange={(target) => target !== null && onChange({ go_to: target })}
      />
      <Notes problems={problems} path={`next.${place}.go_to`} />
    </Stack>
  );
}
