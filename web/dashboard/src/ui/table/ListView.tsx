import { Group, Select } from "@mantine/core";
import { IconSearch } from "@tabler/icons-react";
import type { UseQueryResult } from "@tanstack/react-query";
import { useNavigate, useSearch } from "@tanstack/react-router";
import type { ReactNode } from "react";
import type { Pagination } from "@/api/schema";
import { texts } from "@/texts";
import { PageHeader } from "../PageHeader";
import { EmptyState, ErrorState } from "../states";
import { type Column, DataTable } from "./DataTable";
import { PageButtons } from "./PageButtons";
import { SearchInput } from "./SearchInput";

interface ListViewProps<Row> {
  title: string;
  /** The state of the object that the list belongs to, beside the title. */
  state?: ReactNode;
  help?: ReactNode;
  /** The primary action of the view. A list without an object shows it below the text that teaches. */
  action?: ReactNode;
  /** An action that stays at its place, such as a download. */
  fixedAction?: ReactNode;
  query: UseQueryResult<{ items: Row[]; pagination?: Pagination }>;
  columns: readonly Column<Row>[];
  rowKey: (row: Row) => string;
  menu?: (row: Row) => ReactNode;
  /** The label of the field for words to search for; a list without a search has none. */
  searchLabel?: string;
  /** The choice of a status. */
  statuses?: { label: string; any: string; options: { value: string; label: string }[] };
  /** The picture and the words of a list without an object. */
  empty?: { icon: ReactNode; title: string; text: string };
  /** What stands between the header and the list. */
  above?: ReactNode;
  /** Return the rows in place of the table. */
  children?: (items: Row[]) => ReactNode;
}

/** The parameters of a list in the address. */
interface ListSearch {
  page?: number;
  sort?: string;
  search?: string;
  status?: string;
}

/** A view that lists objects: search, filter, loading, failure with a retry, no object, no match, rows, further pages. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { title, state, help, action, fixedAction, query, columns, rowKey, menu } = props;
  const { searchLabel, statuses, empty, above, children } = props;
  const { search, status, sort = "-created_at" }: ListSearch = useSearch({ strict: false });
  const filter = useFilter();
  const isEmpty = query.data !== undefined && (query.data.pagination?.total ?? query.data.items.length) === 0;
  const hasNone = isEmpty && empty !== undefined && search === undefined && status === undefined;
  return (
    <>
      <PageHeader
        title={title}
        state={state}
        text={hasNone ? undefined : help}
        actions={hasNone ? fixedAction : (fixedAction ?? action)}
      />
      {above}
      {!hasNone && (searchLabel || statuses) && (
        <Group mb="md" gap="xs">
          {searchLabel && (
            <SearchInput label={searchLabel} value={search} onSearch={(words) => filter({ search: words })} />
          )}
          {statuses && (
            <Select
              aria-label={statuses.label}
              placeholder={statuses.any}
              clearable
              data={statuses.options}
              value={status ?? null}
              onChange={(chosen) => filter({ status: chosen ?? undefined })}
              w={{ base: "100%", sm: 160 }}
            />
          )}
        </Group>
      )}
      {query.isError && query.data === undefined ? (
        <ErrorState error={query.error} onRetry={() => void query.refetch()} />
      ) : hasNone ? (
        <EmptyState {...empty} action={action} />
      ) : isEmpty && empty ? (
        <EmptyState icon={<IconSearch size={32} stroke={1.5} />} title={texts.ui.noMatch} text={texts.ui.noMatchText} />
      ) : children && query.data ? (
        children(query.data.items)
      ) : (
        <DataTable
          label={title}
          columns={columns}
          rows={query.data?.items}
          rowKey={rowKey}
          sort={sort}
          onSort={(by) => filter({ sort: by })}
          menu={menu}
        />
      )}
      {query.data?.pagination && <PageButtons pagination={query.data.pagination} onPage={(page) => filter({ page })} />}
    </>
  );
}

/** Return a function that changes parameters of the address. Another filter begins at the first page. */
export function useFilter(): (changes: Record<string, unknown>) => void {
  const navigate = useNavigate();
  return (changes) =>
    void navigate({
      to: ".",
      search: ((before: object) => ({ ...before, page: undefined, ...changes })) as never,
      replace: true,
    });
}
