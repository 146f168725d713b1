import { ActionIcon, Fieldset, Group, Stack, Text, Textarea, TextInput } from "@mantine/core";
import type { Json } from "@onboarding/flow/json";
import { IconArrowUp, IconTrash } from "@tabler/icons-react";
import { useEffect, useRef, useState } from "react";
import { AddButton } from "@/ui/form/AddButton";
import type { Change, FlowDocument } from "../document";
import { Notes, type Problems } from "../logic/Notes";
import { valueInWords } from "../player/valueInWords";
import { formulaProblem, MAX_FORMULA_LENGTH } from "./formulaCheck";
import { InsertName } from "./InsertName";
import { nameProblem, namesForFormula, readersOf, renameVariable, usesOf, withVariables } from "./names";
import { Marked } from "./TextField";
import { variableTexts as words } from "./texts";
import { useRemoval } from "./useRemoval";

const MAX_VARIABLES = 30;
const MAX_NAME_LENGTH = 32;

interface VariablesProps {
  document: FlowDocument;
  problems: Problems;
  /** The values of variables in the preview, by their full names. */
  values: Json;
  disabled: boolean;
  onChange: Change;
}

/** The variables of a flow: their names and formulas, and where they are used. */
export function Variables({ document, problems, values, disabled, onChange }: VariablesProps) {
  const { variables = [] } = document;
  const removal = useRemoval(document, onChange);
  const isFull = variables.length >= MAX_VARIABLES;
  function add() {
    let number = variables.length + 1;
    while (variables.some(({ name }) => name === `value_${number}`)) {
      number += 1;
    }
    onChange(withVariables(document, [...variables, { name: `value_${number}`, formula: "0" }]));
  }
  return (
    <Fieldset legend={words.title} p="sm">
      <Stack gap="md">
        <Text size="sm" c="dimmed">
          {words.help}
        </Text>
        <Notes problems={problems} path="variables" exact />
        {variables.map((_, place) => (
          <Variable
            // biome-ignore lint/suspicious/noArrayIndexKey: a variable that is renamed stays the same row
            key={place}
            {...{ document, problems, values, disabled, onChange, place }}
            onRemove={() => removal.attempt(place)}
          />
        ))}
        {!disabled && <AddButton label={words.add} full={isFull && words.tooMany(MAX_VARIABLES)} onAdd={add} />}
        {removal.question}
      </Stack>
    </Fieldset>
  );
}

interface Typed<Problem> {
  typed: string;
  type: (typed: string) => void;
  problem: Problem | null;
}

/** Return what is typed, and a function to type. What has a problem stays here; the rest is passed on. */
function useTyped<Problem>(
  value: string,
  problemOf: (typed: string) => Problem | null,
  pass: (typed: string) => void,
): Typed<Problem> {
  const [typed, setTyped] = useState(value);
  const known = useRef(value);
  useEffect(() => {
    if (known.current !== value) {
      known.current = value;
      setTyped(value);
    }
  }, [value]);
  const type = (next: string) => {
    setTyped(next);
    if (problemOf(next) === null) {
      known.current = next;
      pass(next);
    }
  };
  return { typed, type, problem: typed === value ? null : problemOf(typed) };
}

interface VariableProps extends VariablesProps {
  /** From 0. */
  place: number;
  onRemove: () => void;
}

function Variable({ document, problems, values, disabled, onChange, place, onRemove }: VariableProps) {
  const { variables = [] } = document;
  const { name, formula } = variables[place] ?? { name: "", formula: "" };
  const names = variables.map((variable) => variable.name);
  const uses = usesOf(document, name);
  const ofName = useTyped(
    name,
    (typed) => nameProblem(typed, variables.toSpliced(place, 1)),
    (typed) => onChange(renameVariable(document, place, typed), `name of variable ${place}`),
  );
  const ofFormula = useTyped(
    formula,
    (typed) => formulaProblem(typed, { earlier: names.slice(0, place), later: names.slice(place) }),
    (typed) => {
      const changed = variables.with(place, { name, formula: typed });
      onChange(withVariables(document, changed), `formula of variable ${place}`);
    },
  );
  const input = useRef<HTMLTextAreaElement>(null);
  const above = names[place - 1];
  const readsAbove = above !== undefined && readersOf(document, above).includes(name);
  return (
    <Stack gap="xs" role="group" aria-label={name}>
      <Group gap={4} wrap="nowrap" align="flex-start">
        <TextInput
          flex={1}
          aria-label={words.name(place + 1)}
          disabled={disabled}
          maxLength={MAX_NAME_LENGTH}
          spellCheck={false}
          value={ofName.typed}
          error={ofName.problem && `${ofName.problem} ${words.kept}`}
          onChange={(event) => ofName.type(event.currentTarget.value)}
        />
        {!disabled && above !== undefined && (
          <ActionIcon
            variant="subtle"
            color="gray"
            size={36}
            aria-label={words.moveUp(name)}
            title={readsAbove ? words.moveUpReads(name, above) : undefined}
            disabled={readsAbove}
            onClick={() => {
              const variable = { name, formula };
              const moved = variables.toSpliced(place, 1).toSpliced(place - 1, 0, variable);
              onChange(withVariables(document, moved));
            }}
          >
            <IconArrowUp size={18} />
          </ActionIcon>
        )}
        {!disabled && (
          <ActionIcon variant="subtle" color="gray" size={36} aria-label={words.remove(name)} onClick={onRemove}>
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </Group>
      <Textarea
        ref={input}
        aria-label={words.formula(name)}
        autosize
        minRows={1}
        maxLength={MAX_FORMULA_LENGTH}
        spellCheck={false}
        disabled={disabled}
        value={ofFormula.typed}
        error={
          ofFormula.problem && (
            <WrongFormula formula={ofFormula.typed} at={ofFormula.problem.position} reason={ofFormula.problem.reason} />
          )
        }
        rightSection={
          disabled ? undefined : (
            <InsertName
              namesOf={() => namesForFormula(document, place)}
              input={input}
              wrap={(inserted) => (inserted.endsWith("()") ? [inserted.slice(0, -1), ")"] : [inserted, ""])}
              onInsert={ofFormula.type}
            />
          )
        }
        onChange={(event) => ofFormula.type(event.currentTarget.value)}
      />
      <Notes problems={problems} path={`variables.${place}`} />
      <Text size="xs" c="dimmed">
        {words.inPreview(valueInWords(values[`variables.${name}`]))}
        <br />
        {uses.length === 0 ? words.unused : words.usedIn(uses)}
      </Text>
    </Stack>
  );
}

/** The part of a formula from which it cannot be read, and the reason. */
function WrongFormula({ formula, at, reason }: { formula: string; at: number; reason: string }) {
  const [wrong = ""] = /^[\w.]+|^./.exec(formula.slice(at)) ?? [];
  return (
    <>
      {wrong && (
        <Text span inherit display="block" ff="monospace">
          {formula.slice(Math.max(0, at - 24), at)}
          <Marked>{wrong}</Marked>
          {formula.slice(at + wrong.length, at + wrong.length + 24)}
        </Text>
      )}
      {words.formulas.at(at + 1, reason)} {words.kept}
    </>
  );
}
