import { Skeleton, Table, UnstyledButton, VisuallyHidden } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import type { ReactNode } from "react";
import { texts } from "@/texts";
import classes from "./DataTable.module.css";

export interface Column<Row> {
  key: string;
  header: ReactNode;
  render: (row: Row) => ReactNode;
  /** Whether the cells are numbers, which are right-aligned. */
  numeric?: boolean;
  /** The field by which the service sorts; the header becomes a button. */
  sortBy?: string;
  /** The column is hidden on screens narrower than this breakpoint. */
  hideBelow?: "sm" | "md";
  width?: number | string;
}

interface DataTableProps<Row> {
  /** The name of the table for screen readers. */
  label: string;
  columns: readonly Column<Row>[];
  /** Undefined while the rows load. */
  rows: readonly Row[] | undefined;
  rowKey: (row: Row) => string;
  /** The present sorting, such as `-created_at`. */
  sort?: string;
  onSort?: (sort: string) => void;
  /** A menu at the end of each row. */
  menu?: (row: Row) => ReactNode;
  /** The element of a row around its cells, with a key. */
  row?: (row: Row, cells: ReactNode) => ReactNode;
}

const SKELETON_ROWS = 6;

/** A table of objects that the service pages, sorts and searches. The first column is the name, as a link. */
export function DataTable<Row>(props: DataTableProps<Row>) {
  const { label, columns, rows, rowKey, sort, onSort, menu } = props;
  const { row: element = (row, cells) => <Table.Tr key={rowKey(row)}>{cells}</Table.Tr> } = props;
  return (
    <Table className={classes.table} aria-label={label} aria-busy={rows === undefined} highlightOnHover>
      <Table.Thead>
        <Table.Tr>
          {columns.map((column) => (
            <SortableHeader key={column.key} column={column} sort={sort} onSort={onSort} />
          ))}
          {menu && (
            <Table.Th w={56}>
              <VisuallyHidden>{texts.ui.rowActions}</VisuallyHidden>
            </Table.Th>
          )}
        </Table.Tr>
      </Table.Thead>
      <Table.Tbody>
        {rows === undefined
          ? skeletonRows(columns, menu !== undefined)
          : rows.map((row) =>
              element(
                row,
                <>
                  {columns.map((column) => (
                    <Table.Td key={column.key} {...cellProps(column)}>
                      {column.render(row)}
                    </Table.Td>
                  ))}
                  {menu && <Table.Td className={classes.menu}>{menu(row)}</Table.Td>}
                </>,
              ),
            )}
      </Table.Tbody>
    </Table>
  );
}

/** Return the class and the breakpoint of a column's cells. */
function cellProps<Row>(column: Column<Row>) {
  return {
    className: column.numeric ? classes.numeric : undefined,
    visibleFrom: column.hideBelow,
  };
}

function skeletonRows<Row>(columns: readonly Column<Row>[], withMenu: boolean): ReactNode {
  return Array.from({ length: SKELETON_ROWS }, (_, row) => (
    // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move
    <Table.Tr key={row}>
      {columns.map((column, index) => (
        <Table.Td key={column.key} {...cellProps(column)}>
          <Skeleton height={14} width={index === 0 ? 180 : 64} ml={column.numeric ? "auto" : undefined} />
        </Table.Td>
      ))}
      {withMenu && <Table.Td />}
    </Table.Tr>
  ));
}

interface SortableHeaderProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

/**
 * The header of a column; a button where the service can sort by it. Words sort ascending first, numbers descending.
 */
function SortableHeader<Row>({ column, sort, onSort }: SortableHeaderProps<Row>) {
  const { sortBy, header, width } = column;
  if (!sortBy || !onSort) {
    return (
      <Table.Th w={width} {...cellProps(column)}>
        {header}
      </Table.Th>
    );
  }
  const ascending = sort === sortBy;
  const descending = sort === `-${sortBy}`;
  const first = column.numeric ? `-${sortBy}` : sortBy;
  const second = column.numeric ? sortBy : `-${sortBy}`;
  const Arrow = ascending ? IconArrowUp : IconArrowDown;
  return (
    <Table.Th w={width} aria-sort={ascending ? "ascending" : descending ? "descending" : "none"} {...cellProps(column)}>
      <UnstyledButton className={classes.sort} onClick={() => onSort(sort === first ? second : first)}>
        {header}
        {(ascending || descending) && <Arrow size={14} aria-hidden />}
      </UnstyledButton>
    </Table.Th>
  );
}
