import { Group, Select, TextInput } from "@mantine/core";
import { useEffect, useState } from "react";
import type { Period } from "@/api/schema";
import { analyticsTexts } from "@/features/analytics/texts";
import { TodayLeft } from "@/ui/values/TodayLeft";
import { type AnalyticsSearch, datesOf, daysOfPeriod, isDay, PERIODS } from "./search";

interface PeriodFilterProps {
  search: AnalyticsSearch;
  onChange: (dates: Pick<AnalyticsSearch, "period" | "from" | "to">) => void;
}

const OWN_DAYS = "days";
const OPTIONS = [
  ...PERIODS.map((period) => ({ value: period as string, label: analyticsTexts.periods[period] })),
  { value: OWN_DAYS, label: analyticsTexts.ownDays },
];

/** The days of a view: a period that ends today, or a first and a last day. */
export function PeriodFilter({ search, onChange }: PeriodFilterProps) {
  const dates = datesOf(search);
  const choose = (value: string | null) => {
    if (value === OWN_DAYS) {
      onChange({ period: undefined, ...("period" in dates ? daysOfPeriod(dates.period) : dates) });
    } else {
      onChange({ period: value as Period, from: undefined, to: undefined });
    }
  };
  return (
    <Group gap="xs" w={{ base: "100%", sm: "auto" }}>
      <Select
        aria-label={analyticsTexts.period}
        allowDeselect={false}
        data={OPTIONS}
        value={"period" in dates ? dates.period : OWN_DAYS}
        onChange={choose}
        w={{ base: "100%", sm: 150 }}
      />
      {"period" in dates && dates.period === "1d" && <TodayLeft />}
      {"from" in dates && (
        <>
          <Day
            label={analyticsTexts.from}
            value={dates.from}
            onChange={(from) => onChange({ from, to: from > dates.to ? from : dates.to })}
          />
          <Day
            label={analyticsTexts.to}
            value={dates.to}
            onChange={(to) => onChange({ from: to < dates.from ? to : dates.from, to })}
          />
        </>
      )}
    </Group>
  );
}

interface DayProps {
  label: string;
  value: string;
  onChange: (day: string) => void;
}

/** A day in UTC; what is typed counts once it is a day. */
function Day({ label, value, onChange }: DayProps) {
  const [typed, setTyped] = useState(value);
  useEffect(() => setTyped(value), [value]);
  return (
    <TextInput
      type="date"
      aria-label={label}
      value={typed}
      onChange={({ currentTarget }) => {
        setTyped(currentTarget.value);
        if (isDay(currentTarget.value)) {
          onChange(currentTarget.value);
        }
      }}
    />
  );
}
