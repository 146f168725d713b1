import type { Announcements } from "@dnd-kit/core";
import { texts } from "@/texts";

const words = texts.ui.drag;

/** Return what screen readers say while an entry of a list is dragged. `order` has the ids of the list. */
export function dragAnnouncements(order: readonly string[], nameOf: (id: string) => string): Announcements {
  const name = (id: string | number) => nameOf(String(id));
  const place = (id: string | number) => order.indexOf(String(id)) + 1;
  return {
    onDragStart: ({ active }) => words.start(name(active.id)),
    onDragOver: ({ active, over }) => (over ? words.over(name(active.id), place(over.id)) : undefined),
    onDragEnd: ({ active, over }) => (over ? words.end(name(active.id), place(over.id)) : undefined),
    onDragCancel: ({ active }) => words.cancel(name(active.id)),
  };
}
