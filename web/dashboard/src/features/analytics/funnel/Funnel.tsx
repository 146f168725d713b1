import { Stack, Text, Title } from "@mantine/core";
import { IconFilter } from "@tabler/icons-react";
import type { ExperimentView, FunnelScreenView, FunnelView } from "@/api/schema";
import { Bars } from "@/ui/charts";
import { variantColors } from "@/ui/charts/variantColors";
import { EmptyState } from "@/ui/states";
import { type Column, DataTable } from "@/ui/table/DataTable";
import { Figures } from "@/ui/values/Figures";
import { formatCount, formatFraction, formatSeconds } from "@/ui/values/format";
import { NotEnoughData } from "../NotEnoughData";
import { analyticsTexts } from "../texts";
import { ENOUGH_USERS, screenBars, screenName, tooFewUsers, variantBars } from "./funnel";

const words = analyticsTexts.funnel;

const COLUMNS: readonly Column<FunnelScreenView>[] = [
  { key: "screen", header: words.screen, render: screenName },
  { key: "reached", header: words.reached, numeric: true, render: ({ reached }) => formatCount(reached) },
  { key: "completed", header: words.completed, numeric: true, render: ({ completed }) => formatCount(completed) },
  { key: "lost", header: words.lost, numeric: true, render: (screen) => formatCount(screen.drop_off) },
  {
    key: "rate",
    header: words.lostShare,
    numeric: true,
    hideBelow: "sm",
    render: (screen) => (screen.reached === 0 ? analyticsTexts.noValue : formatFraction(screen.drop_off_rate)),
  },
  {
    key: "median",
    header: words.median,
    numeric: true,
    hideBelow: "sm",
    render: ({ median_seconds: seconds }) => (seconds === null ? analyticsTexts.noValue : formatSeconds(seconds)),
  },
];

interface FunnelProps {
  funnel: FunnelView;
  /** The experiment of the funnel, where one is chosen. */
  experiment: ExperimentView | undefined;
}

/** A funnel as numbers, picture and table; with an experiment a table for each variant. */
export function Funnel({ funnel, experiment }: FunnelProps) {
  const { started, completed, completion_rate: rate, screens, variants } = funnel;
  if (started === 0 && screens.every(({ reached }) => reached === 0)) {
    return (
      <EmptyState
        icon={<IconFilter size={32} stroke={1.5} />}
        title={words.emptyTitle}
        text={experiment ? words.emptyVariantsText : words.emptyText}
      />
    );
  }
  const names = new Map(experiment?.variants.map(({ key, name }) => [key, name]));
  const nameOf = (variant: string | null) => names.get(variant ?? "") ?? variant ?? words.noVariant;
  return (
    <Stack gap="xl">
      <Figures
        figures={[
          [words.started, formatCount(started)],
          [words.completedFlow, formatCount(completed)],
          [words.completion, started === 0 ? analyticsTexts.noValue : formatFraction(rate)],
        ]}
      />
      {variants ? (
        <VariantPicture funnel={funnel} experiment={experiment} nameOf={nameOf} />
      ) : (
        <ScreenPicture funnel={funnel} />
      )}
      {(variants ?? [{ variant: undefined, screens }]).map(({ variant, screens: rows, ...totals }) => (
        <section key={variant ?? ""}>
          <Title order={2} size="h3" mb="xs">
            {variant === undefined ? words.byScreen : nameOf(variant)}
          </Title>
          {"started" in totals && (
            <Text c="dimmed" mb="xs">
              {words.summary(
                formatCount(totals.completed),
                formatCount(totals.started),
                formatFraction(totals.completion_rate),
              )}
            </Text>
          )}
          <DataTable
            label={variant === undefined ? words.byScreen : nameOf(variant)}
            columns={COLUMNS}
            rows={rows}
            rowKey={(screen) => screen.screen_id}
          />
        </section>
      ))}
    </Stack>
  );
}

function ScreenPicture({ funnel }: { funnel: FunnelView }) {
  const tooFew = tooFewUsers([funnel]);
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {words.picture}
      </Title>
      {tooFew === null ? (
        <Bars
          label={words.picture}
          rows={screenBars(funnel)}
          series={[
            { name: "completed", label: words.completed },
            { name: "lost", label: words.lost, color: "gray.5" },
          ]}
          format={formatCount}
          stacked
        />
      ) : (
        <NotEnoughData seen={tooFew} needed={ENOUGH_USERS} noun={analyticsTexts.users} />
      )}
    </section>
  );
}

interface VariantPictureProps extends FunnelProps {
  nameOf: (variant: string | null) => string;
}

function VariantPicture({ funnel, experiment, nameOf }: VariantPictureProps) {
  const variants = funnel.variants ?? [];
  const tooFew = tooFewUsers(variants);
  const colors = variantColors(experiment?.variants ?? []);
  return (
    <section>
      <Title order={2} size="h3" mb="xs">
        {words.variantPicture}
      </Title>
      {tooFew === null ? (
        <Bars
          label={words.variantPicture}
          rows={variantBars(funnel)}
          series={variants.map(({ variant }) => ({
            name: variant ?? "",
            label: nameOf(variant),
            color: colors.get(variant ?? "") ?? "gray.5",
          }))}
          format={formatFraction}
          max={1}
        />
      ) : (
        <NotEnoughData seen={tooFew} needed={ENOUGH_USERS} noun={analyticsTexts.usersOfEach} />
      )}
    </section>
  );
}
