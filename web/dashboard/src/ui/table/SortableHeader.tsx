import { Table, UnstyledButton } from "@mantine/core";
import { IconArrowDown, IconArrowUp } from "@tabler/icons-react";
import { type Column, cellProps } from "./DataTable";
import classes from "./DataTable.module.css";

interface SortableHeaderProps<Row> {
  column: Column<Row>;
  sort: string | undefined;
  onSort: ((sort: string) => void) | undefined;
}

/**
 * The header of a column; a button where the service can sort by it. Words sort ascending first, numbers descending.
 */
export function SortableHeader<Row>({ column, sort, onSort }: SortableHeaderProps<Row>) {
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
