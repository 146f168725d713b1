import { ActionIcon, Button, Group, NumberInput, Stack, Text, TextInput } from "@mantine/core";
import { IconPlus, IconTrash } from "@tabler/icons-react";
import { variantColor } from "@/ui/charts/variantColors";
import type { ApiForm } from "@/ui/form/useApiForm";
import classes from "../experiments.module.css";
import { experimentTexts } from "../texts";
import { FlowChoice } from "./FlowChoice";
import type { ExperimentValues } from "./values";
import {
  MAX_VARIANTS,
  MIN_VARIANTS,
  splitEvenly,
  sumOfWeights,
  TOTAL_PERCENT,
  type VariantRow,
  withFlow,
  withoutVariant,
  withVariant,
} from "./variants";

const words = experimentTexts.form;

/** The second step: two to ten flows with their shares, which sum to 100. */
export function VariantsStep({ form }: { form: ApiForm<ExperimentValues> }) {
  const { fields } = form;
  const { variants } = fields.values;
  const sum = sumOfWeights(variants);
  const change = (rows: VariantRow[]) => {
    fields.setFieldValue("variants", rows);
    // The errors of rows are by their places, which change with them.
    fields.clearErrors();
  };
  return (
    <Stack gap="md">
      <Text c="dimmed">{words.variantsHelp}</Text>
      {variants.map((row, place) => (
        <VariantFields
          key={row.key}
          form={form}
          row={row}
          place={place}
          onRemove={variants.length > MIN_VARIANTS ? () => change(withoutVariant(variants, place)) : undefined}
        />
      ))}
      <Group justify="space-between" gap="xs">
        <Button
          variant="default"
          leftSection={<IconPlus size={18} />}
          disabled={variants.length >= MAX_VARIANTS}
          onClick={() => change(withVariant(variants))}
        >
          {words.addVariant}
        </Button>
        <Group gap="xs">
          <Text size="sm" role="status" c={sum === TOTAL_PERCENT ? "dimmed" : "var(--mantine-color-error)"}>
            {sum === TOTAL_PERCENT ? words.sum : words.sumWrong(`${Number(sum.toFixed(2))}%`)}
          </Text>
          <Button variant="subtle" color="gray" size="compact-sm" onClick={() => change(splitEvenly(variants))}>
            {words.even}
          </Button>
        </Group>
      </Group>
    </Stack>
  );
}

interface VariantFieldsProps {
  form: ApiForm<ExperimentValues>;
  row: VariantRow;
  place: number;
  onRemove?: () => void;
}

function VariantFields({ form, row, place, onRemove }: VariantFieldsProps) {
  const { fields } = form;
  const title = place === 0 ? words.control : words.variant(place);
  const control = fields.values.variants[0];
  const isControlsFlow = place > 0 && row.flow_id !== "" && row.flow_id === control?.flow_id;
  return (
    <fieldset aria-label={title} className={classes.variant}>
      <Group justify="space-between" mih={28} mb={4} wrap="nowrap">
        <Group gap="xs">
          <span className={classes.dot} style={{ background: variantColor(place) }} />
          <Text fw={550}>{title}</Text>
        </Group>
        {place > 0 && onRemove && (
          <ActionIcon variant="subtle" color="gray" aria-label={words.removeVariant(title)} onClick={onRemove}>
            <IconTrash size={18} />
          </ActionIcon>
        )}
      </Group>
      <div className={classes.variantFields}>
        <FlowChoice
          flow={{ id: row.flow_id, name: row.flow }}
          label={words.flow}
          help={isControlsFlow ? words.sameFlow : undefined}
          error={fields.errors[`variants.${place}.flow_id`]}
          onChoose={(flow) => {
            fields.replaceListItem("variants", place, withFlow(row, flow));
            fields.clearFieldError(`variants.${place}.flow_id`);
          }}
        />
        <TextInput label={words.variantName} placeholder={row.flow} {...form.field(`variants.${place}.name`)} />
        <NumberInput
          label={words.weight}
          suffix="%"
          min={0}
          max={TOTAL_PERCENT}
          allowDecimal={false}
          {...form.field(`variants.${place}.weight`)}
        />
      </div>
    </fieldset>
  );
}
