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
  /** The name of the object that the list belongs to. */
  object?: string;
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
  /** The choices of values that rows must have. */
  filters?: readonly ListFilter[];
  /** The picture and the words of a list without an object. */
  empty?: { icon: ReactNode; title: string; text: string };
  /** What stands between the header and the list. */
  above?: ReactNode;
  /** Return the rows in place of the table. */
  children?: (items: Row[]) => ReactNode;
}

interface ListFilter {
  /** The parameter of the address, and of the service. */
  name: string;
  label: string;
  /** The words without a choice. */
  any: string;
  options: readonly { value: string; label: string }[];
}

/** The parameters of a list in the address, with its filters. */
interface ListSearch extends Record<string, unknown> {
  sort?: string;
  search?: string;
}

/** A view that lists objects: search, filter, loading, failure with a retry, no object, no match, rows, further pages. */
export function ListView<Row>(props: ListViewProps<Row>) {
  const { title, object, state, help, action, fixedAction, query, columns, rowKey, menu } = props;
  const { searchLabel, filters = [], empty, above, children } = props;
  const parameters: ListSearch = useSearch({ strict: false });
  const { search, sort = "-created_at" } = parameters;
  const filter = useFilter();
  const isEmpty = query.data !== undefined && (query.data.pagination?.total ?? query.data.items.length) === 0;
  const hasNone =
    isEmpty &&
    empty !== undefined &&
    ["search", ...filters.map(({ name }) => name)].every((name) => parameters[name] === undefined);
  return (
    <>
      <PageHeader
        title={title}
        object={object}
        state={state}
        text={hasNone ? undefined : help}
        actions={hasNone ? fixedAction : (fixedAction ?? action)}
      />
      {above}
      {!hasNone && (searchLabel || filters.length > 0) && (
        <Group mb="md" gap="xs">
          {searchLabel && (
            <SearchInput label={searchLabel} value={search} onSearch={(words) => filter({ search: words })} />
          )}
          {filters.map(({ name, label, any, options }) => (
            <Select
              key={name}
              aria-label={label}
              placeholder={any}
              clearable
              data={options}
              value={(parameters[name] as string | undefined) ?? null}
              onChange={(chosen) => filter({ [name]: chosen ?? undefined })}
              w={{ base: "100%", sm: 160 }}
            />
          ))}
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
