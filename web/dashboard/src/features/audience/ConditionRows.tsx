import { Stack, Text } from "@mantine/core";
import type { ReactNode } from "react";
import { AddButton } from "@/ui/form/AddButton";
import { ConditionFields } from "./ConditionFields";
import { type ConditionRow, MAX_CONDITIONS, newRow } from "./conditions";
import { conditionTexts } from "./texts";

const words = conditionTexts;

/** The parts of a form's `fields` that its conditions need. */
interface ConditionsOfForm {
  values: { conditions: ConditionRow[] };
  errors: Record<string, ReactNode>;
  insertListItem: (path: "conditions", row: ConditionRow) => void;
  replaceListItem: (path: "conditions", place: number, row: ConditionRow) => void;
  removeListItem: (path: "conditions", place: number) => void;
}

/** The conditions of a form as rows. All of them must hold. */
export function ConditionRows({ fields }: { fields: ConditionsOfForm }) {
  const { conditions } = fields.values;
  return (
    <>
      <Text c="dimmed">{conditions.length === 0 ? words.noConditions : words.allMustHold}</Text>
      <Stack gap="sm">
        {conditions.map((row, place) => (
          <ConditionFields
            key={row.key}
            row={row}
            place={place + 1}
            errors={{
              name: fields.errors[`conditions.${place}.name`],
              value: fields.errors[`conditions.${place}.value`],
            }}
            onChange={(changed) => fields.replaceListItem("conditions", place, changed)}
            onRemove={() => fields.removeListItem("conditions", place)}
          />
        ))}
      </Stack>
      <div>
        <AddButton
          label={words.addCondition}
          full={conditions.length >= MAX_CONDITIONS && words.tooManyConditions(MAX_CONDITIONS)}
          onAdd={() => fields.insertListItem("conditions", newRow())}
        />
      </div>
    </>
  );
}
