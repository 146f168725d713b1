import { ActionIcon, Group, Select, TagsInput, TextInput } from "@mantine/core";
import { IconTrash } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { PLATFORM_OPTIONS } from "@/features/projects/platforms";
import { texts } from "@/texts";
import {
  type ConditionRow,
  CUSTOM,
  DEVICE_ATTRIBUTES,
  isTyped,
  OPERATORS,
  type Operator,
  VALUE_TYPES,
  type ValueType,
  valueKind,
} from "./conditions";

const words = texts.targeting;
const ATTRIBUTES = [
  ...DEVICE_ATTRIBUTES.map((value) => ({ value: value as string, label: words.attributeNames[value] ?? value })),
  { value: CUSTOM, label: words.customAttribute },
];
const TYPE_OPTIONS = VALUE_TYPES.map((value) => ({ value, label: words.valueTypes[value] }));
const BOOLEAN_OPTIONS = ["true", "false"].map((value) => ({ value, label: value }));
const OPERATOR_OPTIONS = OPERATORS.map((value) => ({ value, label: words.operatorNames[value] ?? value }));

interface ConditionFieldsProps {
  row: ConditionRow;
  /** From 1. */
  place: number;
  errors: { name?: ReactNode; value?: ReactNode };
  onChange: (row: ConditionRow) => void;
  onRemove: () => void;
}

/** One condition: attribute, operator, value. */
export function ConditionFields({ row, place, errors, onChange, onRemove }: ConditionFieldsProps) {
  const change = (changes: Partial<ConditionRow>) => onChange({ ...row, ...changes, stored: undefined });
  const label = (part: string) => words.partOf(part, place);
  return (
    <Group role="group" aria-label={words.condition(place)} gap="xs" align="flex-start">
      <Select
        aria-label={label(words.attribute)}
        data={ATTRIBUTES}
        allowDeselect={false}
        value={row.attribute}
        onChange={(attribute) => change({ attribute: attribute ?? row.attribute, value: "", values: [], type: "text" })}
        flex="1 1 190px"
      />
      {row.attribute === CUSTOM && (
        <TextInput
          aria-label={label(words.name)}
          placeholder={words.name}
          value={row.name}
          error={errors.name}
          onChange={(event) => change({ name: event.currentTarget.value })}
          flex="1 1 190px"
        />
      )}
      <Select
        aria-label={label(words.operator)}
        data={OPERATOR_OPTIONS}
        allowDeselect={false}
        value={row.operator}
        onChange={(operator) => change(withOperator(row, (operator ?? row.operator) as Operator))}
        flex="1 1 190px"
      />
      {isTyped(row) && (
        <Select
          aria-label={label(words.valueType)}
          data={TYPE_OPTIONS.filter(({ value }) => value !== "boolean" || valueKind(row.operator) === "one")}
          allowDeselect={false}
          value={row.type}
          onChange={(type) => change({ type: type as ValueType, value: type === "boolean" ? "true" : row.value })}
          flex="0 1 120px"
        />
      )}
      <ValueField row={row} label={label(words.value)} error={errors.value} onChange={change} />
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

interface ValueFieldProps {
  row: ConditionRow;
  label: string;
  error: ReactNode;
  onChange: (changes: Partial<ConditionRow>) => void;
}

function ValueField({ row, label, error, onChange }: ValueFieldProps) {
  const shared = { "aria-label": label, error, placeholder: words.placeholders[row.attribute], flex: "2 1 190px" };
  const kind = valueKind(row.operator);
  if (kind === "none") {
    return null;
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
  if (isPlatform || (isTyped(row) && row.type === "boolean")) {
    return (
      <Select
        {...shared}
        data={isPlatform ? PLATFORM_OPTIONS : BOOLEAN_OPTIONS}
        allowDeselect={false}
        value={row.value || null}
        onChange={(value) => onChange({ value: value ?? "" })}
      />
    );
  }
  return (
    <TextInput {...shared} value={row.value} onChange={(event) => onChange({ value: event.currentTarget.value })} />
  );
}
