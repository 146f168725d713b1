/** The columns of comparisons. */

import { textOf } from "./content";
import { NAMES } from "./contents";
import { type Json, list, object, text } from "./json";

const COLUMNS = 2;

export interface Column {
  title: string;
  points: string[];
}

/** Return the columns of a comparison, two at the most. */
export function columns(content: Json): Column[] {
  return list(content.columns)
    .slice(0, COLUMNS)
    .map(object)
    .map((column) => ({
      title: textOf(column, NAMES.column.title),
      points: list(column.points)
        .map((point) => text(point))
        .filter(Boolean),
    }))
    .filter(({ title, points }) => title || points.length > 0);
}
