import { Button, Stack } from "@mantine/core";
import { IconFilterX } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { analyticsTexts } from "@/features/analytics/texts";
import { texts } from "@/texts";
import { EmptyState, QueryView, RequestId } from "@/ui/states";
import { isFilterError } from "./filterErrors";

interface FilteredViewProps<Data> {
  query: UseQueryResult<Data>;
  skeleton: ReactNode;
  onClear: () => void;
  children: (data: Data) => ReactNode;
}

/** A query with filters: one that the service refuses is explained at the filter, not in place of the view. */
export function FilteredView<Data>({ query, skeleton, onClear, children }: FilteredViewProps<Data>) {
  if (!(query.isError && isFilterError(query.error))) {
    return (
      <QueryView query={query} skeleton={skeleton}>
        {children}
      </QueryView>
    );
  }
  const clear = (
    <Stack gap="xs" align="center">
      <Button variant="default" onClick={onClear}>
        {texts.ui.clearFilters}
      </Button>
      <RequestId error={query.error} />
    </Stack>
  );
  return (
    <EmptyState
      icon={<IconFilterX size={32} stroke={1.5} />}
      title={analyticsTexts.refusedTitle}
      text={analyticsTexts.refusedText}
      action={clear}
    />
  );
}
