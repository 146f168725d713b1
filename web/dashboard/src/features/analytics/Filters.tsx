import { Group, Select } from "@mantine/core";
import type { ReactNode } from "react";
import { texts } from "@/texts";
import { SearchInput } from "@/ui/table/SearchInput";
import { FlowFilter } from "./FlowFilter";
import { PeriodFilter } from "./PeriodFilter";
import { type AnalyticsSearch, EVENT_TYPE, PLATFORMS } from "./search";

interface FiltersProps {
  search: AnalyticsSearch;
  onFilter: (changes: AnalyticsSearch) => void;
  /** The chosen flow; null is all of them where `anyFlow` is set. */
  flowId: string | null;
  anyFlow?: boolean;
  withPlatform?: boolean;
  withEventType?: boolean;
  /** Further filters. */
  children?: ReactNode;
}

const PLATFORM_OPTIONS = PLATFORMS.map((value) => ({ value, label: texts.projects[value] }));

/** The filters of a view of the analytics; all of them stand in the address. */
export function Filters({ search, onFilter, flowId, anyFlow, withPlatform, withEventType, children }: FiltersProps) {
  return (
    <Group gap="xs" mb="lg" align="flex-end">
      <FlowFilter
        flowId={flowId}
        anyFlow={anyFlow}
        onChoose={(chosen) => onFilter({ flowId: chosen, experimentId: undefined })}
      />
      <PeriodFilter search={search} onChange={onFilter} />
      {withPlatform && (
        <Select
          aria-label={texts.analytics.platform}
          placeholder={texts.analytics.anyPlatform}
          clearable
          data={PLATFORM_OPTIONS}
          value={search.platform ?? null}
          onChange={(platform) => onFilter({ platform: platform ?? undefined })}
          w={{ base: "100%", sm: 150 }}
        />
      )}
      {withEventType && (
        <SearchInput
          label={texts.analytics.eventType}
          value={search.eventType}
          onSearch={(typed = "") => {
            const eventType = typed.trim().toLowerCase();
            onFilter({ eventType: EVENT_TYPE.test(eventType) ? eventType : undefined });
          }}
        />
      )}
      {children}
    </Group>
  );
}
