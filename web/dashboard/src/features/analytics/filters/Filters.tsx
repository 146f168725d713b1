import { Group, Select } from "@mantine/core";
import type { ReactNode } from "react";
import { analyticsTexts } from "@/features/analytics/texts";
import { PLATFORM_OPTIONS } from "@/ui/platforms";
import { SearchInput } from "@/ui/table/SearchInput";
import { FlowFilter } from "./FlowFilter";
import { filterErrors } from "./filterErrors";
import { PeriodFilter } from "./PeriodFilter";
import type { AnalyticsSearch } from "./search";

interface FiltersProps {
  search: AnalyticsSearch;
  onFilter: (changes: AnalyticsSearch) => void;
  /** The chosen flow; null is all of them where `anyFlow` is set. */
  flowId: string | null;
  anyFlow?: boolean;
  withPlatform?: boolean;
  withEventType?: boolean;
  /** The error of the view; what is about a filter stands there. */
  error: unknown;
  /** Further filters. */
  children?: ReactNode;
}

/** The filters of a view of the analytics; all of them stand in the address. */
export function Filters(props: FiltersProps) {
  const { search, onFilter, flowId, anyFlow, withPlatform, withEventType, error, children } = props;
  const errors = filterErrors(error);
  return (
    <Group gap="xs" mb="lg" align="flex-start">
      <FlowFilter
        flowId={flowId}
        anyFlow={anyFlow}
        error={errors.flowId}
        onChoose={(chosen) => onFilter({ flowId: chosen, experimentId: undefined })}
      />
      <PeriodFilter search={search} onChange={onFilter} />
      {withPlatform && (
        <Select
          aria-label={analyticsTexts.platform}
          placeholder={analyticsTexts.anyPlatform}
          clearable
          data={PLATFORM_OPTIONS}
          value={search.platform ?? null}
          onChange={(platform) => onFilter({ platform: platform ?? undefined })}
          w={{ base: "100%", sm: 150 }}
        />
      )}
      {withEventType && (
        <SearchInput
          label={analyticsTexts.eventType}
          value={search.eventType}
          error={errors.eventType}
          onSearch={(typed) => onFilter({ eventType: typed?.toLowerCase() })}
        />
      )}
      {children}
    </Group>
  );
}
