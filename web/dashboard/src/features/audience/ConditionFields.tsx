import { ActionIcon, Group, MultiSelect, Select, TagsInput, TextInput } from "@mantine/core";
import type { Operator } from "@onboarding/flow/operators";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { PLATFORM_OPTIONS } from "@/ui/platforms";
import {
  type ConditionRow,
  CUSTOM,
  DEVICE_ATTRIBUTES,
  isTyped,
  VALUE_TYPES,
  type ValueType,
  valueKind,
} from "./conditions";
import { conditionOn, OPERATOR_NAMES, operatorsOf, type Subject } from "./subjects";
import { conditionTexts } from "./texts";

const words = conditionTexts;
const ATTRIBUTES = [
  ...DEVICE_ATTRIBUTES.map((value) => ({ value: value as string, label: words.attributeNames[value] ?? value })),
  { value: CUSTOM, label: words.customAttribute },
];
const TYPE_OPTIONS = VALUE_TYPES.map((value) => ({ value, label: words.valueTypes[value] }));
const BOOLEAN_OPTIONS = ["true", "false"].map((value) => ({ value, label: value }));
/** Return the operators to choose from; the present one stays, whatever it is. */
function operatorOptions(subject: Subject | undefined, present: Operator) {
  const names = subject?.kind === "choices" ? words.listOperatorNames : {};
  const offered = subject ? operatorsOf(subject) : OPERATOR_NAMES;
  return [...new Set([...offered, present])].map((value) => ({
    value,
    label: names[value] ?? words.operatorNames[value],
  }));
}

/** Return the attributes to choose from in groups; one that the flow no longer has stays. */
function attributeOptions(subjects: readonly Subject[], present: string) {
  const all = subjects.map(({ attribute, label }) => ({ value: attribute, label }));
  const isKnown = [...all, ...ATTRIBUTES].some(({ value }) => value === present);
  const flow = [...all, ...(isKnown ? [] : [{ value: present, label: words.unknownAttribute(present) }])];
  return flow.length === 0
    ? ATTRIBUTES
    : [
        { group: words.ofFlow, items: flow },
        { group: words.ofDevice, items: ATTRIBUTES },
      ];
}

interface ConditionFieldsProps {
  row: ConditionRow;
  /** From 1. */
  place: number;
  errors: { name?: ReactNode; value?: ReactNode };
  /** What else than the device a condition can read. */
  subjects?: readonly Subject[];
  disabled?: boolean;
  onChange: (row: ConditionRow) => void;
  onRemove: () => void;
}

const NONE: readonly Subject[] = [];

/** One condition: attribute, operator, value. */
export function ConditionFields(props: ConditionFieldsProps) {
  const { row, place, errors, subjects = NONE, disabled, onChange, onRemove } = props;
  const subject = subjects.find(({ attribute }) => attribute === row.attribute);
  const isChoosingType = isTyped(row) && (subject === undefined || subject.kind === "any");
  const change = (changes: Partial<ConditionRow>) => onChange({ ...row, ...changes, stored: undefined });
  const label = (part: string) => words.partOf(part, place);
  return (
    <Group role="group" aria-label={words.condition(place)} gap="xs" align="flex-start">
      <Select
        aria-label={label(words.attribute)}
        data={attributeOptions(subjects, row.attribute)}
        allowDeselect={false}
        disabled={disabled}
        value={row.attribute}
        onChange={(attribute) => {
          const chosen = subjects.find((one) => one.attribute === attribute);
          const empty = { attribute: attribute ?? row.attribute, value: "", values: [], type: "text" as const };
          change(chosen ? conditionOn(chosen) : empty);
        }}
        flex="1 1 190px"
      />
      {row.attribute === CUSTOM && (
        <TextInput
          aria-label={label(words.name)}
          placeholder={words.name}
          disabled={disabled}
          value={row.name}
          error={errors.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          flex="1 1 190px"
        />
      )}
      <Select
        aria-label={label(words.operator)}
        data={operatorOptions(subject, row.operator)}
        allowDeselect={false}
        disabled={disabled}
        value={row.operator}
        onChange={(operator) => change(withOperator(row, (operator ?? row.operator) as Operator))}
        flex="1 1 190px"
      />
      {isChoosingType && (
        <Select
          aria-label={label(words.valueType)}
          data={TYPE_OPTIONS.filter(({ value }) => value !== "boolean" || valueKind(row.operator) === "one")}
          allowDeselect={false}
          disabled={disabled}
          value={row.type}
          onChange={(type) => change({ type: type as ValueType, value: type === "boolean" ? "true" : row.value })}
          flex="0 1 120px"
        />
      )}
      <ValueField
        row={row}
        subject={subject}
        label={label(words.value)}
        error={errors.value}
        disabled={disabled}
        onChange={change}
      />
      {!disabled && (
        <ActionIcon
          variant="subtle"
          color="gray"
          size={36}
          ml="auto"
          aria-label={words.removeCondition(place)}
          onClick={onRemove}
        >
          <IconTrash size={18} />
        </ActionIcon>
      )}
    </Group>
  );
}

/** Return the changes of a row for another operator, with its value kept. */
function withOperator(row: ConditionRow, operator: Operator): Partial<ConditionRow> {
  const isList = valueKind(operator) === "list";
  if (isList && row.values.length === 0 && row.value !== "") {
    return { operator, values: [row.value], value: "" };
  }
  return !isList && row.values.length > 0 ? { operator, value: row.values[0] ?? "", values: [] } : { operator };
}

/** Return the options of a subject, with the present values, which may be those of no option. */
function valueOptions({ options }: Subject, present: readonly string[]) {
  const unknown = present.filter((value) => value !== "" && !options.some((option) => option.value === value));
  const first = new Map(options.map(({ value, label }) => [value, { value, label }]));
  return [...first.values(), ...unknown.map((value) => ({ value, label: value }))];
}

interface ValueFieldProps {
  row: ConditionRow;
  subject: Subject | undefined;
  label: string;
  error: ReactNode;
  disabled: boolean | undefined;
  onChange: (changes: Partial<ConditionRow>) => void;
}

function ValueField({ row, subject, label, error, disabled, onChange }: ValueFieldProps) {
  const shared = {
    "aria-label": label,
    error,
    disabled,
    placeholder: words.placeholders[row.attribute],
    flex: "2 1 190px",
  };
  const isChosen = subject !== undefined && subject.options.length > 0;
  const kind = valueKind(row.operator);
  if (kind === "none") {
    return null;
  }
  if (kind === "list" && isChosen) {
    return (
      <MultiSelect
        {...shared}
        data={valueOptions(subject, row.values)}
        value={row.values}
        onChange={(values) => onChange({ values })}
      />
    );
  }
  if (kind === "list") {
    return (
      // A value may contain a comma; pasted lines are values.
      <TagsInput
        {...shared}
        value={row.values}
        maxTags={500}
        splitChars={["\n"]}
        onChange={(values) => onChange({ values })}
      />
    );
  }
  const isPlatform = row.attribute === "platform" && (row.operator === "eq" || row.operator === "neq");
  if (isChosen || isPlatform || (isTyped(row) && row.type === "boolean")) {
    return (
      <Select
        {...shared}
        data={isChosen ? valueOptions(subject, [row.value]) : isPlatform ? PLATFORM_OPTIONS : BOOLEAN_OPTIONS}
        allowDeselect={false}
        value={row.value || null}
        onChange={(value) => onChange({ value: value ?? "" })}
      />
    );
  }
  return (
    <TextInput
      {...shared}
      type={subject?.kind === "date" || subject?.kind === "time" ? subject.kind : "text"}
      value={row.value}
      onChange={(event) => onChange({ value: event.currentTarget.value })}
    />
  );
}
