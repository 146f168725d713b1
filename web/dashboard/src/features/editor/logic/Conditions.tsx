import { Stack } from "@mantine/core";
import { useEffect, useRef, useState } from "react";
import type { LogicCondition } from "@/api/schema";
import { ConditionFields } from "@/features/audience/ConditionFields";
import { type ConditionRow, conditionOf, hasValue, rowOf } from "@/features/audience/conditions";
import type { Subject } from "@/features/audience/subjects";
import { conditionTexts } from "@/features/audience/texts";
import { AddButton } from "@/ui/form/AddButton";
import { isSame } from "../draft/merge";
import { Notes, type Problems } from "./Notes";
import { MAX_CONDITIONS, newConditionRow } from "./rules";
import { logicTexts } from "./texts";

interface ConditionsProps {
  /** The field of the list, such as `next.0.when`. */
  path: string;
  conditions: readonly LogicCondition[];
  subjects: readonly Subject[];
  problems: Problems;
  disabled: boolean;
  onChange: (conditions: LogicCondition[]) => void;
}

const isComplete = (row: ConditionRow) => hasValue(row) && (row.attribute !== "custom" || row.name !== "");

/** Conditions of a screen or a rule as rows. A row that is not complete stays here, and the list is as it was. */
export function Conditions({ path, conditions, subjects, problems, disabled, onChange }: ConditionsProps) {
  const [rows, setRows] = useState(() => conditions.map(rowOf));
  /** The conditions that the rows have sent or show. */
  const known = useRef<readonly LogicCondition[]>(conditions);
  useEffect(() => {
    if (!isSame(known.current, conditions)) {
      known.current = conditions;
      setRows(conditions.map(rowOf));
    }
  }, [conditions]);
  function change(changed: ConditionRow[]) {
    setRows(changed);
    if (changed.every(isComplete)) {
      const complete = changed.map(conditionOf) as LogicCondition[];
      known.current = complete;
      onChange(complete);
    }
  }
  const isFull = rows.length >= MAX_CONDITIONS;
  return (
    <Stack gap="sm">
      {rows.map((row, place) => (
        <Stack key={row.key} gap={4}>
          <ConditionFields
            row={row}
            place={place + 1}
            subjects={subjects}
            disabled={disabled}
            errors={{
              name: row.attribute === "custom" && row.name === "" && conditionTexts.nameMissing,
              value: !hasValue(row) && logicTexts.incomplete,
            }}
            onChange={(changed) => change(rows.with(place, changed))}
            onRemove={() => change(rows.toSpliced(place, 1))}
          />
          <Notes problems={problems} path={`${path}.${place}`} />
        </Stack>
      ))}
      {!disabled && (
        <AddButton
          label={conditionTexts.addCondition}
          full={isFull && logicTexts.tooManyConditions(MAX_CONDITIONS)}
          onAdd={() => change([...rows, newConditionRow(subjects)])}
        />
      )}
    </Stack>
  );
}
