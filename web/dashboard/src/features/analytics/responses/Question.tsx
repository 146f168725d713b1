import { List, Stack, Text, Title } from "@mantine/core";
import type { QuestionView } from "@/api/schema";
import { Bars } from "@/ui/charts";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { Figures } from "@/ui/values/Figures";
import { formatCount, formatDecimal, formatFraction } from "@/ui/values/format";
import { analyticsTexts } from "../texts";
import { labelOf } from "./optionLabels";

type ValueCount = NonNullable<QuestionView["distribution"]>[number];

const words = analyticsTexts.responses;
/** More bars are no picture; the table has all values. */
const MAX_BARS = 12;
const MAX_TEXTS = 20;

interface QuestionProps {
  question: QuestionView;
  /** The labels of its options by their values. */
  labels: ReadonlyMap<string, string> | undefined;
}

/** One question: the distribution of its values, its numbers, or its newest texts. */
export function Question({ question, labels }: QuestionProps) {
  const title = question.question ?? words.untitled;
  const { answers, distribution, numbers, samples } = question;
  return (
    <section aria-label={title}>
      <Title order={2} size="h3">
        {title}
      </Title>
      <Text c="dimmed" mb="sm">
        {words.answers(answers, formatCount(answers))}
      </Text>
      {answers === 0 && <Text c="dimmed">{words.none}</Text>}
      {answers > 0 && distribution && (
        <Distribution label={title} values={distribution} answers={answers} labels={labels} />
      )}
      {answers > 0 && numbers && (
        <Figures
          figures={(["mean", "median", "p10", "p90"] as const).map((name) => [
            words[name],
            formatDecimal(numbers[name]),
          ])}
        />
      )}
      {answers > 0 && samples && samples.length > 0 && (
        <Stack gap="xs" mt="md">
          <Text fw={550}>{words.newest}</Text>
          <List spacing={4} style={{ overflowWrap: "anywhere" }}>
            {samples.slice(0, MAX_TEXTS).map((sample, place) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: equal texts have no other key
              <List.Item key={place}>{sample}</List.Item>
            ))}
          </List>
        </Stack>
      )}
    </section>
  );
}

interface DistributionProps {
  label: string;
  values: readonly ValueCount[];
  answers: number;
  labels: ReadonlyMap<string, string> | undefined;
}

function Distribution({ label, values, answers, labels }: DistributionProps) {
  const columns: readonly Column<ValueCount>[] = [
    { key: "value", header: words.value, render: ({ value }) => <span title={value}>{labelOf(value, labels)}</span> },
    { key: "count", header: words.count, numeric: true, render: ({ count }) => formatCount(count) },
    { key: "share", header: words.share, numeric: true, render: ({ count }) => formatFraction(count / answers) },
  ];
  return (
    <Stack gap="md">
      <Bars
        label={label}
        rows={values.slice(0, MAX_BARS).map(({ value, count }) => ({ name: labelOf(value, labels), count }))}
        series={[{ name: "count", label: words.count }]}
        format={formatCount}
      />
      <DataTable label={label} columns={columns} rows={values} rowKey={({ value }) => value} />
    </Stack>
  );
}
